/**
 * The code of a Python text, told from its remarks before anything is parsed. This is several times as fast as the
 * tokenizer and less exact: remarks may be left in, but code is never left out.
 */

/** A regular expression's source for what may stand between two parts of an expression, comments included. */
export const GAP = String.raw`(?:[\s\\]|#.*[\n\r])*`;

/** Where something begins that is not code. */
const MARK = /["'#]/g;
const LINE_END = /[\n\r]/g;
/** Where a string on one line may end, and what may keep it from that. */
const STOP = /["'\\\n\r]/g;
type Quote = '"' | "'";

const BLANK = /[ \t\f\n\r]/;

/**
 * The text without comments, and with `""` for strings that hold a blank: docstrings, messages and examples, but no name
 * of a device, a function or a variable. Of a text whose strings cannot be told from its code, all of it.
 */
export function codeOf(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  MARK.lastIndex = 0;
  while (MARK.test(text)) {
    const at = MARK.lastIndex - 1;
    const mark = text[at] as Quote | '#';
    let end: number;
    if (mark === '#') {
      LINE_END.lastIndex = at;
      end = LINE_END.test(text) ? LINE_END.lastIndex - 1 : text.length;
      pieces.push(text.slice(copied, at));
      copied = end;
    } else {
      const isTriple = text[at + 1] === mark && text[at + 2] === mark;
      end = isTriple ? endOfTriple(text, at, mark) : endOnLine(text, at, mark);
      if (end < 0) return text;
      const string = text.slice(at, end);
      if (isFormatted(text, at)) {
        if (string === mark || !isBalanced(string)) return text;
      } else if (BLANK.test(string)) {
        pieces.push(text.slice(copied, at), '""');
        copied = end;
      }
    }
    MARK.lastIndex = end;
  }
  pieces.push(text.slice(copied));
  return pieces.join('');
}

/** The end of the string in triple quotes that begins at `start`; -1 where it has none. */
function endOfTriple(text: string, start: number, quote: Quote): number {
  const quotes = quote.repeat(3);
  for (let at = text.indexOf(quotes, start + 3); at >= 0; at = text.indexOf(quotes, at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\' && at - escapes > start + 3) escapes++;
    if (escapes % 2 === 0) return at + 3;
  }
  return -1;
}

/** The end of the string that begins at `start`; one that its line does not close is no more than its quote. */
function endOnLine(text: string, start: number, quote: Quote): number {
  STOP.lastIndex = start + 1;
  while (STOP.test(text)) {
    const at = STOP.lastIndex - 1;
    const stop = text[at];
    if (stop === quote) return at + 1;
    if (stop === '\\') STOP.lastIndex = text.startsWith('\r\n', at + 1) ? at + 3 : at + 2;
    else if (stop === '\n' || stop === '\r') break;
  }
  return start + 1;
}

/** True for what may be an f-string or a t-string, by the letters before its quote. */
function isFormatted(text: string, quote: number): boolean {
  const prefix = text.slice(Math.max(0, quote - 2), quote);
  return /[ft]r?$/i.test(prefix);
}

/** False for the beginning of an f-string in whose fields its own quotes are used again. */
function isBalanced(string: string): boolean {
  const isEven = (part: string) => part.split('{').length === part.split('}').length;
  return isEven(string) || isEven(string.replaceAll('{{', '').replaceAll('}}', ''));
}
