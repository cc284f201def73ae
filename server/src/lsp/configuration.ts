import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
} from 'vscode-languageserver/node';
import type { Selection } from '../rules/check.ts';
import type { Severity } from '../rules/contract.ts';

/** The name that all settings of the client stand under. */
export const SECTION = 'gpuDoctor';

const LEVELS: readonly string[] = ['error', 'warning', 'information', 'hint', 'off'] satisfies (Severity | 'off')[];

/** What a user may set for a file. */
export interface Settings extends Selection {
  /** Path of a Python interpreter or environment; for clients that do not choose one themselves. */
  readonly interpreter?: string;
}

export interface Configuration {
  /** The settings for a file; the same object until they change. */
  of(uri: string): Promise<Settings>;
  forget(uri: string): void;
}

/**
 * Follows the client's settings: asked for by file where the client lets itself be asked, else what it last pushed,
 * else what it gave at the start.
 */
export function followConfiguration(
  connection: Connection,
  capabilities: ClientCapabilities,
  initializationOptions: unknown,
  changed: () => void,
): Configuration {
  const complain = (sentence: string) => connection.console.warn(sentence);
  const asked = capabilities.workspace?.configuration === true;
  const byFile = new Map<string, Promise<Settings>>();
  let given = readSettings(section(initializationOptions), complain);

  connection.onInitialized(() => {
    if (!capabilities.workspace?.didChangeConfiguration?.dynamicRegistration) return;
    void connection.client.register(DidChangeConfigurationNotification.type, { section: SECTION });
  });
  connection.onDidChangeConfiguration(({ settings }) => {
    if (!asked) given = readSettings(section(settings), complain);
    byFile.clear();
    changed();
  });

  const ask = async (scopeUri: string): Promise<Settings> => {
    const answer: unknown = await connection.workspace.getConfiguration({ scopeUri, section: SECTION });
    return answer === null || answer === undefined ? given : readSettings(answer, complain);
  };
  return {
    of(uri) {
      if (!asked) return Promise.resolve(given);
      let settings = byFile.get(uri);
      if (!settings) {
        settings = ask(uri).catch((error) => {
          complain(`The settings for ${uri} could not be read: ${String(error)}.`);
          return given;
        });
        byFile.set(uri, settings);
      }
      return settings;
    },
    forget: (uri) => byFile.delete(uri),
  };
}

/** Clients differ in whether they send the section by its name or its content alone. */
function section(settings: unknown): unknown {
  return isRecord(settings) && SECTION in settings ? settings[SECTION] : settings;
}

/** Takes what is right from settings as a client sent them; says of anything else where it is wrong, and leaves it out. */
export function readSettings(value: unknown, complain: (sentence: string) => void): Settings {
  if (value === null || value === undefined) return {};
  if (!isRecord(value)) {
    complain(`${SECTION}: settings must be an object.`);
    return {};
  }
  const codes = (name: 'select' | 'ignore'): string[] | undefined => {
    const list = value[name] ?? undefined;
    if (list === undefined) return undefined;
    if (Array.isArray(list) && list.every((code) => typeof code === 'string'))
      return list.map((code) => code.toUpperCase());
    complain(`${SECTION}.${name} must be a list of rule codes.`);
    return undefined;
  };
  const severity: Record<string, Severity | 'off'> = {};
  const levels = value.severity ?? {};
  if (!isRecord(levels)) complain(`${SECTION}.severity must map rule codes to severities.`);
  else
    for (const [code, level] of Object.entries(levels)) {
      if (isLevel(level)) severity[code.toUpperCase()] = level;
      else complain(`${SECTION}.severity.${code} must be one of ${LEVELS.join(', ')}.`);
    }
  const select = codes('select');
  const interpreter = typeof value.interpreter === 'string' && value.interpreter !== '' ? value.interpreter : undefined;
  return {
    // An empty list is what the editor shows for "not set": it selects everything.
    select: select?.length === 0 ? undefined : select,
    ignore: codes('ignore'),
    severity,
    interpreter,
  };
}

function isLevel(value: unknown): value is Severity | 'off' {
  return typeof value === 'string' && LEVELS.includes(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
