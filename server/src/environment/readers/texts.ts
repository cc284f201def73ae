import { isJsonObject } from '../../jsonObject.ts';
import type { Located, Path } from '../../located/located.ts';
import type { SpannedText } from '../environmentFile.ts';
import { spannedText } from '../requirement.ts';

/** Returns the strings of a list, or a single string. Strings with escapes are left out. */
export function textsAt(file: string, located: Located, path: Path, value: unknown): SpannedText[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index) => textAt(file, located, [...path, index], item) ?? []);
}

/** Returns a string with its place in the file; undefined for other values and strings with escapes. */
export function textAt(file: string, located: Located, path: Path, value: unknown): SpannedText | undefined {
  if (typeof value !== 'string') return undefined;
  const { start, end } = located.valueAt(path);
  const at = file.slice(start, end).indexOf(value);
  // There is nothing between a string and its quotes.
  if (at < 0 || at > 3) return undefined;
  return spannedText(value, start + at);
}

/** Returns the value as a table; an empty one for other values. */
export function tableOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? { ...value } : {};
}
