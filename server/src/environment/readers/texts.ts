import type { Located, Path } from '../../located/located.ts';

/** A string of YAML or TOML with the offset of its first character; the offset is undefined where it is escaped. */
export interface LocatedText {
  readonly text: string;
  readonly start: number;
}

/** The strings of a list, or of one that is written where a list may be. Escaped ones are left out. */
export function textsAt(file: string, located: Located, path: Path, value: unknown): LocatedText[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index) => textAt(file, located, [...path, index], item) ?? []);
}

/** A string with its place in the file; undefined for what is none, or is not written as it is meant. */
export function textAt(file: string, located: Located, path: Path, value: unknown): LocatedText | undefined {
  if (typeof value !== 'string') return undefined;
  const { start, end } = located.valueAt(path);
  const at = file.slice(start, end).indexOf(value);
  // Between a string and its quotes stands nothing else.
  if (at < 0 || at > 3) return undefined;
  return { text: value, start: start + at };
}

/** The value as a table; an empty one where it is none. */
export function tableOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
