import type { Span } from './semantic/source.ts';
import { endOfString } from './strings.ts';

/** What of a Python text is no code. Offsets are into the text that was scanned. */
export interface Layout {
  readonly comments: readonly Span[];
  /** String literals, quotes included, prefixes not. */
  readonly strings: readonly Span[];
}

/**
 * Finds comments and string literals in a script or a cell. Text that is no valid Python is scanned as far as it makes
 * sense: a one-line string that is not closed ends with its line.
 */
export function layoutOf(text: string): Layout {
  const comments: Span[] = [];
  const strings: Span[] = [];
  for (const span of noCodeIn(text, 0)) (text[span.start] === '#' ? comments : strings).push(span);
  return { comments, strings };
}

/** The comments and strings of a text from a place on that is in neither, in order. */
export function* noCodeIn(text: string, from: number): Generator<Span> {
  const opening = /[#"']/g;
  opening.lastIndex = from;
  while (opening.test(text)) {
    const start = opening.lastIndex - 1;
    const end = text[start] === '#' ? lineEnd(text, start) : stringEnd(text, start);
    yield { start, end };
    opening.lastIndex = end;
  }
}

const LINE_BREAK = /[\r\n]/g;

/** The end of the line that holds `offset`, its line break not included. */
export function lineEnd(text: string, offset: number): number {
  LINE_BREAK.lastIndex = offset;
  return LINE_BREAK.test(text) ? LINE_BREAK.lastIndex - 1 : text.length;
}

/** The prefixes of f-strings and t-strings, behind what is no name. */
const FORMATTED = /(?:^|[^A-Za-z0-9_])(?:[ft]r?|r[ft])$/i;

/** The end of the string literal whose opening quote is at `start`. */
function stringEnd(text: string, start: number): number {
  const isFormatted = FORMATTED.test(text.slice(Math.max(0, start - 3), start));
  if (!isFormatted) return endOfString(text, start);
  const mark = text.charAt(start);
  const quote = text.startsWith(mark.repeat(3), start) ? mark.repeat(3) : mark;
  let offset = start + quote.length;
  while (offset < text.length) {
    if (text.startsWith(quote, offset)) return offset + quote.length;
    if (text[offset] === '\\') offset += text.startsWith('\r\n', offset + 1) ? 3 : 2;
    else if (quote.length === 1 && (text[offset] === '\n' || text[offset] === '\r')) return offset;
    else if (text.startsWith('{{', offset)) offset += 2;
    else if (text[offset] === '{') offset = fieldEnd(text, offset, quote);
    else offset++;
  }
  return text.length;
}

/** The end of an f-string's replacement field, whose strings may use the quotes of the string around it. */
function fieldEnd(text: string, start: number, quote: string): number {
  let depth = 0;
  let offset = start;
  while (offset < text.length) {
    const character = text[offset] ?? '';
    if (quote.length === 1 && (character === '\n' || character === '\r')) return offset;
    if (character === ':' && depth === 1) {
      // A format specification is string again, and ends with the field or with the string.
      offset++;
      while (offset < text.length && text[offset] !== '}' && !text.startsWith(quote, offset)) {
        if (text[offset] === '\n' && quote.length === 1) return offset;
        offset = text[offset] === '{' ? fieldEnd(text, offset, quote) : offset + 1;
      }
      return text[offset] === '}' ? offset + 1 : offset;
    }
    if (character === '"' || character === "'") {
      // Where the outer quote follows a field that was never closed, it ends the string.
      if (text.startsWith(quote, offset) && !closesOnLine(text, offset + quote.length)) return offset;
      offset = stringEnd(text, offset);
      continue;
    }
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character) && --depth === 0) return offset + 1;
    offset++;
  }
  return text.length;
}

/** True when the rest of the line closes a replacement field. */
function closesOnLine(text: string, offset: number): boolean {
  return text.slice(offset, lineEnd(text, offset)).includes('}');
}
