/**
 * Removes comments and prose from Python text before parsing. This is several times as fast as the tokenizer but less
 * exact: some prose may remain, but no code is lost.
 */

/** The source of a regular expression for text between two parts of an expression, including comments. */
export const GAP = String.raw`(?:[\s\\]|#.*[\n\r])*`;

/** Matches the beginning of text that is not code. */
const MARK = /["'#]/g;
const LINE_END = /[\n\r]/g;
/** Matches a possible end of a string on one line, or an escape before that. */
const STOP = /["'\\\n\r]/g;
const BRACE = /[{}]/g;
type Quote = '"' | "'";

const BLANK = /[ \t\f\n\r]/;

/**
 * Returns the text without comments, and with `""` in place of strings that contain a space, apart from the fields of
 * f-strings: these are docstrings, messages and examples, not names of devices, functions or variables. If strings and code cannot be separated, returns
 * the whole text.
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
      const isField = isFormatted(text, at);
      if (isField && (string === mark || !isBalanced(string))) return text;
      if (BLANK.test(string)) {
        pieces.push(text.slice(copied, at), isField ? fieldsOf(string) : '""');
        copied = end;
      }
    }
    MARK.lastIndex = end;
  }
  pieces.push(text.slice(copied));
  return pieces.join('');
}

/** Returns the end of the triple-quoted string that begins at `start`; -1 if it is not closed. */
function endOfTriple(text: string, start: number, quote: Quote): number {
  const quotes = quote.repeat(3);
  for (let at = text.indexOf(quotes, start + 3); at >= 0; at = text.indexOf(quotes, at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\' && at - escapes > start + 3) escapes++;
    if (escapes % 2 === 0) return at + 3;
  }
  return -1;
}

/** Returns the end of the string that begins at `start`. If its line does not close it, only the quote is skipped. */
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

/** True for a possible f-string or t-string, judging by the letters before its quote. */
function isFormatted(text: string, quote: number): boolean {
  const prefix = text.slice(Math.max(0, quote - 2), quote);
  return /[ft]r?$/i.test(prefix);
}

/** Returns only the fields of an f-string if the text around them contains a space; otherwise, all of it. */
function fieldsOf(string: string): string {
  const fields: string[] = [];
  let text = '';
  let copied = 0;
  let depth = 0;
  BRACE.lastIndex = 0;
  while (BRACE.test(string)) {
    const end = BRACE.lastIndex;
    const brace = string[end - 1];
    if (depth === 0 && string[end] === brace) BRACE.lastIndex++;
    else if (brace === '{' && ++depth === 1) {
      text += string.slice(copied, end - 1);
      copied = end - 1;
    } else if (brace === '}' && --depth === 0) {
      fields.push(string.slice(copied, end));
      copied = end;
    }
    if (depth < 0) return string;
  }
  return depth === 0 && BLANK.test(text + string.slice(copied)) ? `"${fields.join('')}"` : string;
}

/** False for the beginning of an f-string whose fields reuse its own quotes. */
function isBalanced(string: string): boolean {
  const isEven = (part: string) => part.split('{').length === part.split('}').length;
  return isEven(string) || isEven(string.replaceAll('{{', '').replaceAll('}}', ''));
}
