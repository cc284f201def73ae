/** Texts are compared in chunks of this length first, then by character. */
const CHUNK = 1024;

/** A replacement in a text, from `start` to `oldEnd` in the old text and to `newEnd` in the new one. */
export interface TextReplacement {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** Returns the single replacement that turns `before` into `after`, with whole lines if possible. */
export function difference(before: string, after: string): TextReplacement {
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
  const found = { start, oldEnd: before.length - tail, newEnd: after.length - tail };
  if (found.oldEnd === start) return ofWholeLines(found, after);
  return found.newEnd === start ? ofWholeLines(found, before) : found;
}

/**
 * Moves a difference of whole lines to the start of a line. If lines are inserted or removed above a line with the same
 * indentation, that line is then not touched. `text` is the text that contains the lines.
 */
function ofWholeLines({ start, oldEnd, newEnd }: TextReplacement, text: string): TextReplacement {
  const end = Math.max(oldEnd, newEnd);
  let by = 0;
  while (/^[ \t]$/.test(text.charAt(start - 1 - by)) && text[start - 1 - by] === text[end - 1 - by]) by++;
  const isOfLines = by > 0 && (start === by || text[start - 1 - by] === '\n') && text[end - 1 - by] === '\n';
  return isOfLines ? { start: start - by, oldEnd: oldEnd - by, newEnd: newEnd - by } : { start, oldEnd, newEnd };
}
