/** PEP 508 requirements, `torch[opt]>=2.0,<2.6; python_version < "3.12"`, with the positions of their parts. */
import { normalized } from './packageName.ts';

/** A part of a requirement, and its position in the text. */
export interface Part {
  readonly text: string;
  readonly start: number;
}

export interface ParsedRequirement {
  /** In the spelling of package indexes: lower case, with hyphens. */
  readonly name: string;
  /** The name as it is written. */
  readonly written: Part;
  readonly extras: readonly Part[];
  /** The clauses on its version as written; empty if any version is accepted. */
  readonly clauses: Part;
  /** The URL that it is installed from instead. */
  readonly url?: string;
  /** Its condition; empty if it has none. */
  readonly marker: string;
  /** Its end, without the condition. */
  readonly end: number;
}

const NAME = /[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?/.source;
const NAMES = new RegExp(`^${NAME}$`);
const REQUIREMENT = new RegExp(`^(\\s*)(${NAME})(\\s*)(\\[[^\\]]*\\])?([^;]*)(;.*)?$`, 's');
// No space can match in two ways: otherwise, a long line that is not a requirement would be tried in every combination.
const CLAUSES = /^\s*(?:\(\s*)?((?:(?:===|==|>=|<=|~=|!=|<|>)\s*[\w.*+!-]+\s*(?:,\s*)?)*)\)?\s*$/;

/**
 * Maximum length of clauses in characters. Each of hundreds of releases is compared with every clause, and people write
 * a handful.
 */
const LONGEST_CLAUSES = 4096;

/** Parses a requirement; undefined for any other text, and for more clauses than anybody writes. */
export function parseRequirement(text: string): ParsedRequirement | undefined {
  const [, before = '', written = '', gap = '', extras = '', rest = '', marker = ''] = REQUIREMENT.exec(text) ?? [];
  if (written === '') return undefined;
  const asked = [...extras.matchAll(/[^\s,[\]][^,\]]*/g)].map(({ 0: extra, index }) => ({
    text: extra.trimEnd(),
    index,
  }));
  if (!asked.every(({ text: extra }) => NAMES.test(extra))) return undefined;
  const start = before.length;
  const restStart = start + written.length + gap.length + extras.length;
  const common = {
    name: normalized(written),
    written: { text: written, start },
    extras: asked.map((extra) => ({ text: extra.text, start: restStart - extras.length + extra.index })),
    marker: marker.slice(1).trim(),
    end: rest.trim() === '' ? restStart - (extras ? 0 : gap.length) : restStart + rest.trimEnd().length,
  };
  const url = /^\s*@\s*(\S+)\s*$/.exec(rest)?.[1];
  if (url !== undefined) return { ...common, clauses: { text: '', start: restStart }, url };
  const clauses = CLAUSES.exec(rest)?.[1];
  if (clauses === undefined || clauses.length > LONGEST_CLAUSES) return undefined;
  return { ...common, clauses: { text: clauses, start: restStart + rest.indexOf(clauses) } };
}

/** The PEP 440 specifier in clauses: without spaces, and without a trailing comma. */
export function specifierOf(clauses: string): string {
  return clauses.replace(/\s+/g, '').replace(/,$/, '');
}
