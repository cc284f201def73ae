import { type ClientCapabilities, type Connection, MessageType, ShowMessageNotification } from 'vscode-languageserver';
import { isJsonObject } from '../jsonObject.ts';
import { byCode, nearestRule, prefixOfRules } from '../lint/ruleNames.ts';
import { OPEN_SETTINGS } from '../protocol.ts';
import type { Severity } from '../rules/engine/contract.ts';
import type { Selection } from '../rules/engine/selection.ts';
import { ownClient } from './ownClient.ts';

/** The section of all our settings in a client. */
export const SECTION = 'gpuDoctor';

const LEVELS: readonly string[] = ['error', 'warning', 'information', 'hint', 'off'] satisfies (Severity | 'off')[];

/** When a document is checked: on each keystroke, or only when it is saved. */
export type CheckTrigger = (typeof RUNS)[number];
const RUNS = ['onType', 'onSave'] as const;

/** The files of the workspace that are checked: only the open ones, or all of them as they are on disk. */
type CheckWorkspace = (typeof CHECKS)[number];
const CHECKS = ['off', 'onSave'] as const;

export interface ClientChoices extends Selection {
  readonly run: CheckTrigger;
  readonly checkWorkspace: CheckWorkspace;
  /** Patterns of files and folders to exclude, as in `.gitignore`, in addition to the project's own patterns. */
  readonly exclude: readonly string[];
}

const NO_CHOICES: ClientChoices = { run: 'onType', checkWorkspace: 'off', exclude: [] };

interface ClientSettings {
  /** Returns the current settings for a file or folder. */
  of(uri: string): Promise<ClientChoices>;
  /** Forgets the settings of files and folders. */
  forget(): void;
}

/**
 * Follows the client's settings. They are requested for each file if the client supports that; otherwise the settings
 * that it last pushed or sent at initialization count.
 */
export function followClientSettings(
  connection: Connection,
  capabilities: ClientCapabilities,
  initializationOptions: unknown,
  scopeOf: (uri: string) => string,
  changed: () => void,
): ClientSettings {
  const complain = createNotice(connection, ownClient(capabilities) !== undefined);
  const asked = capabilities.workspace?.configuration === true;
  const initial = section(initializationOptions);
  let given = readSettings(initial, complain);
  const byScope = new Map<string, Promise<ClientChoices>>();

  connection.onDidChangeConfiguration(({ settings }) => {
    if (!asked) given = readSettings(section(settings), complain);
    byScope.clear();
    changed();
  });
  const ask = async (scopeUri: string): Promise<ClientChoices> => {
    try {
      const answer: unknown = await connection.workspace.getConfiguration({ scopeUri, section: SECTION });
      // Settings that the client does not have are those of its initialization.
      return readSettings(
        isJsonObject(answer) && isJsonObject(initial) ? { ...initial, ...answer } : (answer ?? initial),
        complain,
      );
    } catch (error) {
      complain(`The settings for ${scopeUri} could not be read: ${String(error)}.`);
      return given;
    }
  };
  return {
    forget: () => byScope.clear(),
    async of(uri) {
      if (!asked) return given;
      // Settings may differ between workspace folders, but not within one: a project has thousands of files.
      const scope = scopeOf(uri);
      const known = byScope.get(scope) ?? ask(uri);
      byScope.set(scope, known);
      return known;
    },
  };
}

/**
 * Returns a function that logs mistakes in settings and shows them to the user. Mistakes that occur together are
 * combined into one message, and each is shown once, since every folder of a workspace may have the same mistake.
 */
function createNotice(connection: Connection, opensSettings: boolean): (sentence: string) => void {
  const shown = new Set<string>();
  let waiting: string[] = [];
  const show = async () => {
    const sentences = waiting;
    waiting = [];
    const message = sentences.join(' ').replaceAll('`', "'");
    if (!opensSettings)
      return connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message });
    const chosen = await connection.window.showWarningMessage(message, { title: OPEN });
    if (chosen) await connection.sendNotification(OPEN_SETTINGS);
  };
  return (sentence) => {
    if (shown.has(sentence)) return;
    shown.add(sentence);
    connection.console.warn(sentence);
    waiting.push(sentence);
    if (waiting.length === 1) setTimeout(() => void show(), NOTICE_DELAY_MS).unref();
  };
}

const OPEN = 'Open Settings';

/** Mistakes that occur within this time are combined into one message. */
const NOTICE_DELAY_MS = 300;

/** Returns the code for a rule's name; a code or prefix is returned in upper case. */
const codeOf = (written: string): string => prefixOfRules(written) ?? written.toUpperCase();

/** Returns the settings in our section. Some clients send the section by name, others send only its content. */
function section(settings: unknown): unknown {
  return isJsonObject(settings) && SECTION in settings ? settings[SECTION] : settings;
}

/** True if a client asks at initialization for the findings of all files in the workspace. */
export function checksWorkspace(initializationOptions: unknown): boolean {
  return readSettings(section(initializationOptions), () => {}).checkWorkspace === 'onSave';
}

/** Reads a client's settings. Calls `complain` for each mistake, which is ignored. */
function readSettings(value: unknown, complain: (sentence: string) => void): ClientChoices {
  if (value === null || value === undefined) return NO_CHOICES;
  if (!isJsonObject(value)) {
    complain(`${SECTION}: settings must be an object.`);
    return NO_CHOICES;
  }
  const oneOf = <T extends string>(name: string, known: readonly T[], fallback: T): T => {
    const given = value[name] ?? fallback;
    const found = known.find((each) => each === given);
    if (found === undefined) complain(`${SECTION}.${name} must be one of ${known.join(', ')}.`);
    return found ?? fallback;
  };
  const exclude = value.exclude ?? [];
  const isPatterns =
    Array.isArray(exclude) && exclude.every((pattern) => typeof pattern === 'string' && pattern !== '');
  if (!isPatterns) complain(`${SECTION}.exclude must be a list of patterns.`);
  const ignored = value.ignore ?? [];
  const isCodes = Array.isArray(ignored) && ignored.every((code) => typeof code === 'string');
  if (!isCodes) complain(`${SECTION}.ignore must be a list of rule codes.`);
  const ignore = isCodes ? ignored : [];
  for (const written of ignore)
    if (prefixOfRules(written) === undefined) complain(noRule(`${SECTION}.ignore`, written));
  const levels = value.severity ?? {};
  if (!isJsonObject(levels)) complain(`${SECTION}.severity must map rule codes to severities.`);
  const severity = Object.entries(isJsonObject(levels) ? levels : {}).flatMap(([code, level]) => {
    if (prefixOfRules(code) === undefined) complain(noRule(`${SECTION}.severity`, code));
    if (isLevel(level)) return [[code, level] as const];
    complain(`${SECTION}.severity.${code} must be one of ${LEVELS.join(', ')}.`);
    return [];
  });
  return {
    // Editors show an empty list for "not set".
    ignore: ignore.length === 0 ? undefined : ignore.map(codeOf),
    severity: byCode(Object.fromEntries(severity)),
    run: oneOf('run', RUNS, NO_CHOICES.run),
    checkWorkspace: oneOf('checkWorkspace', CHECKS, NO_CHOICES.checkWorkspace),
    exclude: isPatterns ? exclude : [],
  };
}

function noRule(setting: string, written: string): string {
  const likely = nearestRule(written);
  return `${setting}: there is no rule \`${written.slice(0, LONGEST_CODE)}\`.${likely ? ` Did you mean \`${likely}\`?` : ''}`;
}

const LONGEST_CODE = 60;

function isLevel(value: unknown): value is Severity | 'off' {
  return typeof value === 'string' && LEVELS.includes(value);
}
