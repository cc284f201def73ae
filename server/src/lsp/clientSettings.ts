import type { ClientCapabilities, Connection } from 'vscode-languageserver/node';
import type { Selection } from '../rules/engine/check.ts';
import type { Severity } from '../rules/engine/contract.ts';

/** The name that all settings of the client stand under. */
export const SECTION = 'gpuDoctor';

const LEVELS: readonly string[] = ['error', 'warning', 'information', 'hint', 'off'] satisfies (Severity | 'off')[];

export interface ClientSettings {
  /** The settings for a file as they are now. */
  of(uri: string): Promise<Selection>;
}

/**
 * Follows the client's settings: asked for by file where the client lets itself be asked, else what it last pushed,
 * else what it gave at the start.
 */
export function followClientSettings(
  connection: Connection,
  capabilities: ClientCapabilities,
  initializationOptions: unknown,
  changed: () => void,
): ClientSettings {
  const complain = (sentence: string) => connection.console.warn(sentence);
  const asked = capabilities.workspace?.configuration === true;
  let given = readSettings(section(initializationOptions), complain);

  connection.onDidChangeConfiguration(({ settings }) => {
    if (!asked) given = readSettings(section(settings), complain);
    changed();
  });
  return {
    async of(scopeUri) {
      if (!asked) return given;
      try {
        const answer: unknown = await connection.workspace.getConfiguration({ scopeUri, section: SECTION });
        return answer === null || answer === undefined ? given : readSettings(answer, complain);
      } catch (error) {
        complain(`The settings for ${scopeUri} could not be read: ${String(error)}.`);
        return given;
      }
    },
  };
}

/** Clients differ in whether they send the section by its name or its content alone. */
function section(settings: unknown): unknown {
  return isRecord(settings) && SECTION in settings ? settings[SECTION] : settings;
}

/** Takes what is right from settings as a client sent them; says of anything else where it is wrong, and leaves it out. */
export function readSettings(value: unknown, complain: (sentence: string) => void): Selection {
  if (value === null || value === undefined) return {};
  if (!isRecord(value)) {
    complain(`${SECTION}: settings must be an object.`);
    return {};
  }
  const codes = (name: 'select' | 'ignore'): string[] | undefined => {
    const list = value[name] ?? [];
    if (!Array.isArray(list) || !list.every((code) => typeof code === 'string')) {
      complain(`${SECTION}.${name} must be a list of rule codes.`);
      return undefined;
    }
    // An empty list is what an editor shows for "not set".
    return list.length === 0 ? undefined : list.map((code) => code.toUpperCase());
  };
  const levels = value.severity ?? {};
  if (!isRecord(levels)) complain(`${SECTION}.severity must map rule codes to severities.`);
  const severity = Object.entries(isRecord(levels) ? levels : {}).flatMap(([code, level]) => {
    if (isLevel(level)) return [[code.toUpperCase(), level] as const];
    complain(`${SECTION}.severity.${code} must be one of ${LEVELS.join(', ')}.`);
    return [];
  });
  return { select: codes('select'), ignore: codes('ignore'), severity: Object.fromEntries(severity) };
}

function isLevel(value: unknown): value is Severity | 'off' {
  return typeof value === 'string' && LEVELS.includes(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
