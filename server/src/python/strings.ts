/** What ends a string, or may hide that, by its quotes. */
const ENDS: ReadonlyMap<string, RegExp> = new Map([
  ['"', /[\\\n"]/g],
  ["'", /[\\\n']/g],
  ['"""', /\\|"""/g],
  ["'''", /\\|'''/g],
]);

/** The end of the string whose opening quote is at `start`; one that is not closed ends with its line or the text. */
export function endOfString(text: string, start: number): number {
  const mark = text.charAt(start);
  const quote = text.startsWith(mark.repeat(3), start) ? mark.repeat(3) : mark;
  const end = ENDS.get(quote);
  if (!end) return start;
  end.lastIndex = start + quote.length;
  while (end.test(text)) {
    const at = end.lastIndex - 1;
    if (text[at] === '\\') end.lastIndex += text.startsWith('\r\n', at + 1) ? 2 : 1;
    else if (text[at] !== '\n') return end.lastIndex;
    else return text[at - 1] === '\r' ? at - 1 : at;
  }
  return text.length;
}
