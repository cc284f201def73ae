/** Values of YAML and TOML in words, for messages about them. */
import type { Path } from './located.ts';

/** Types of a schema in words. */
export const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
};

/** Names the kind of a value: "a list". */
export function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'string' ? 'text' : `\`${String(value)}\``;
}

/** Returns a path in readable form: `loaders[0].name`. */
export function pathName(path: Path): string {
  return path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : `${name}${name && '.'}${String(part)}`),
    '',
  );
}

/** Returns the value at a path of keys; undefined if it does not exist. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((inner, part) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[part], value);
}

/** Returns the line and column of an offset, both counted from 1; columns are in characters. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}
