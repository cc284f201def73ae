/**
 * Default maximum number of characters in the report on one file, so that a small file cannot fill a disk, a log or a
 * page.
 */
export const MOST_CHARACTERS = 1_000_000;

/** Maximum number of characters in one text. */
const LONGEST_TEXT = 2000;
/** The share of a report that each list gets, except for the longest. */
const SHARE = 1 / 8;
/** Number of characters around a value: quotes, a comma, and the indentation of each line. */
const AROUND = 4;
const INDENT = 2;

/** Number of omitted items in each list: `tensors`. */
export type Omitted = Readonly<Record<string, number>>;

interface Cut<T> {
  readonly value: T;
  readonly omitted: Omitted;
}

/** Returns the text, or its beginning if it is longer than any name or sentence. */
export function cutText(text: string, longest = LONGEST_TEXT): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/**
 * Returns plain data whose texts and lists are cut so that it takes at most `most` characters of indented JSON.
 * `longest` is the entry that gets the remaining space; each of the others gets a share.
 */
export function cutTo<T extends object>(value: T, longest: keyof T & string, most: number): Cut<T> {
  const omitted: Record<string, number> = {};
  let left = most;
  const cut = (part: unknown, room: { left: number }, path: string, depth: number): unknown => {
    const spend = (characters: number) => {
      room.left -= characters + AROUND + depth * INDENT;
      left -= characters + AROUND + depth * INDENT;
    };
    if (typeof part === 'string') {
      const text = cutText(part);
      spend(text.length);
      return text;
    }
    if (typeof part !== 'object' || part === null) {
      spend(String(part).length);
      return part;
    }
    spend(0);
    if (!Array.isArray(part))
      return Object.fromEntries(
        Object.entries(part).map(([key, each]) => {
          spend(key.length);
          return [key, cut(each, room, `${path}.${key}`, depth + 1)];
        }),
      );
    const kept: unknown[] = [];
    for (const item of part) {
      if (room.left <= 0) break;
      kept.push(cut(item, room, path, depth + 1));
    }
    if (kept.length < part.length) omitted[path] = (omitted[path] ?? 0) + part.length - kept.length;
    return kept;
  };
  const entries = new Map<string, unknown>(Object.entries(value));
  for (const [key, part] of entries) if (key !== longest) entries.set(key, cut(part, { left: most * SHARE }, key, 2));
  if (entries.has(longest)) entries.set(longest, cut(entries.get(longest), { left }, longest, 2));
  return { value: Object.fromEntries(entries) as T, omitted };
}

/** Returns as many leading items as fit in `most` characters in total, measured by `sizeOf`. */
export function firstWithin<T>(items: readonly T[], most: number, sizeOf: (item: T) => number): readonly T[] {
  let left = most;
  const end = items.findIndex((item) => {
    left -= sizeOf(item);
    return left < 0;
  });
  return end < 0 ? items : items.slice(0, end);
}
