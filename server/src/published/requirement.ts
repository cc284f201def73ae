/** Requirements of PEP 508, `torch[opt]>=2.0,<2.6; python_version < "3.12"`, with the places of their parts. */
import { normalized } from './packageName.ts';

/** A part of a requirement, and where it begins in its text. */
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
  /** The clauses on its version as they are written; empty where any version will do. */
  readonly clauses: Part;
  /** The address that it is installed from instead. */
  readonly url?: string;
  /** Its condition; empty where it has none. */
  readonly marker: string;
  /** Where it ends, the condition left out. */
  readonly end: number;
}

const NAME = /[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?/.source;
const NAMES = new RegExp(`^${NAME}$`);
const REQUIREMENT = new RegExp(`^(\\s*)(${NAME})(\\s*)(\\[[^\\]]*\\])?([^;]*)(;.*)?$`, 's');
// No blank can be taken in two ways: a long line that is none of this would be tried in each.
const CLAUSES = /^\s*(?:\(\s*)?((?:(?:===|==|>=|<=|~=|!=|<|>)\s*[\w.*+!-]+\s*(?:,\s*)?)*)\)?\s*$/;

/** Reads a requirement; undefined for what is none. */
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
  if (clauses === undefined) return undefined;
  return { ...common, clauses: { text: clauses, start: restStart + rest.indexOf(clauses) } };
}

/** The specifier of PEP 440 that clauses write: without blanks, and without a comma at its end. */
export function specifierOf(clauses: string): string {
  return clauses.replace(/\s+/g, '').replace(/,$/, '');
}
