/** Returns the offsets at which the lines of a text start; lines end at LF, CRLF or CR. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  if (!text.includes('\r')) {
    for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1);
    return starts;
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
  }
  return starts;
}

/** Returns the start of the line that contains `offset`; lines end at LF. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the start of the line after the one that contains `offset`, or the end of the text; lines end at LF. */
export function nextLine(text: string, offset: number): number {
  return text.indexOf('\n', offset) + 1 || text.length;
}

/** Returns the index of the last of the ascending `starts` that is at or before `offset`. */
export function placeIn(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}

/** Returns the column of an offset that only white space precedes on its line, with Python's tab stops of 8. */
export function columnOf(text: string, lineStart: number, offset: number): number {
  let column = 0;
  for (let at = lineStart; at < offset; at++) column = text[at] === '\t' ? column + 8 - (column % 8) : column + 1;
  return column;
}
