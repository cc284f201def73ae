/** Texts are compared in pieces of this length before they are compared character by character. */
const CHUNK = 1024;

/** A replacement in a text, from `start` to `oldEnd` before it and to `newEnd` after it. */
export interface Difference {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** The one replacement that turns `before` into `after`. */
export function difference(before: string, after: string): Difference {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start + CHUNK <= most && before.slice(start, start + CHUNK) === after.slice(start, start + CHUNK))
    start += CHUNK;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  const rest = most - start;
  let tail = 0;
  const fromEnd = (text: string) => text.slice(text.length - tail - CHUNK, text.length - tail);
  while (tail + CHUNK <= rest && fromEnd(before) === fromEnd(after)) tail += CHUNK;
  while (tail < rest && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail))
    tail++;
  return { start, oldEnd: before.length - tail, newEnd: after.length - tail };
}
