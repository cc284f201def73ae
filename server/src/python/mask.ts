/**
 * Text that only IPython, or no parser, understands is replaced at equal length before parsing, so that every offset
 * stays what it is in the editor.
 */
import { nextLine } from './semantic/lines.ts';
import { endOfString } from './strings.ts';

/** Cell magics whose cell is still Python; any other `%%magic` makes the whole cell something else. */
const PYTHON_CELL_MAGICS = new Set(['time', 'timeit', 'capture', 'prun', 'memit', 'mprun', 'lprun', 'snakeviz']);

/** A line that looks like IPython's. Offsets are into the text. */
interface Suspect {
  readonly start: number;
  /** Where that ends which is IPython's; undefined where no statement may begin at the line. */
  readonly end: number | undefined;
}

/** The text with BOM, lone carriage returns and IPython lines masked; of the same length. */
export function mask(source: string): string {
  let text = source.charCodeAt(0) === 0xfeff ? `\n${source.slice(1)}` : source;
  if (text.includes('\r')) text = text.replace(/\r(?!\n)/g, '\n');
  if (text.includes('\0')) text = text.replaceAll('\0', ' ');
  return maskSuspects(text, suspectsIn(text));
}

/** A line that only IPython understands, unless it goes on from the one above it. The first group is its indentation. */
const MAGIC = /^([ \t]*)(?:[%!?]|[\w.]+\?{1,2}[ \t]*$|[\w.,][\w., ]*=[ \t]*[%!](?!=))/;

/** The starts of all lines that look like IPython's. Its signs are rarer than lines, so lines are looked at by them. */
function suspiciousLines(text: string): readonly number[] {
  const found = new Set<number>();
  for (const sign of '%!?') {
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
      let before = at - 1;
      while (text[before] === ' ' || text[before] === '\t') before--;
      if (sign !== '?' && before >= 0 && text[before] !== '\n' && text[before] !== '=') continue;
      const start = text.lastIndexOf('\n', at) + 1;
      const end = endOfLine(text, at);
      if (MAGIC.test(text.slice(start, end))) found.add(start);
      at = end;
    }
  }
  return [...found].sort((a, b) => a - b);
}

function maskSuspects(text: string, suspects: readonly Suspect[]): string {
  if (suspects.length === 0) return text;
  const cellMagic = /^\s*%%([\w-]*)/.exec(text);
  if (cellMagic && !PYTHON_CELL_MAGICS.has(cellMagic[1] ?? '')) return text.replace(/[^\r\n]/g, ' ');
  const pieces: string[] = [];
  let copied = 0;
  for (const { start, end } of suspects) {
    if (end === undefined) continue;
    const line = text.slice(start, end);
    const indent = MAGIC.exec(line)?.[1] ?? '';
    // An expression of one character keeps an indented block from becoming empty.
    pieces.push(text.slice(copied, start), indent, '0', line.slice(indent.length + 1).replace(/[^\r\n]/g, ' '));
    copied = end;
  }
  pieces.push(text.slice(copied));
  return pieces.join('');
}

/** Scans the text, as a statement begins at none of the lines that lie in a bracket, a string or behind a backslash. */
function suspectsIn(text: string): readonly Suspect[] {
  const found: Suspect[] = [];
  let at = 0;
  let depth = 0;
  const signFrom = signsIn(text);
  // Of the last comment or string: a backslash in it joins no lines.
  let textEnd = at;
  for (const start of suspiciousLines(text)) {
    while (signFrom(at) < start) {
      at = signFrom(at);
      switch (text[at]) {
        case '#':
          at = textEnd = endOfLine(text, at);
          break;
        case '"':
        case "'":
          at = textEnd = endOfString(text, at);
          break;
        case '(':
        case '[':
        case '{':
          depth++;
          at++;
          break;
        default:
          depth = Math.max(0, depth - 1);
          at++;
      }
    }
    at = Math.max(at, start);
    const above = text[start - 2] === '\r' ? start - 3 : start - 2;
    let end: number | undefined;
    if (at === start && depth === 0 && (text[above] !== '\\' || textEnd > above)) {
      end = endOfLine(text, start);
      if (/^[ \t]*[%!?]/.test(text.slice(start, end))) {
        // A magic's own text follows no rule of Python; a backslash continues it.
        while (end < text.length && text[end - 1] === '\\') end = endOfLine(text, nextLine(text, end));
        at = nextLine(text, end);
      }
    }
    found.push({ start, end });
  }
  return found;
}

/** Tells where the next sign is that begins or ends something, from an offset on that is never before the last one. */
function signsIn(text: string): (from: number) => number {
  const sign = /[#"'()[\]{}]/g;
  let next = -1;
  return (from) => {
    if (next < from) {
      sign.lastIndex = from;
      next = sign.test(text) ? sign.lastIndex - 1 : text.length;
    }
    return next;
  };
}

function endOfLine(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  if (feed === -1) return text.length;
  return feed > from && text[feed - 1] === '\r' ? feed - 1 : feed;
}
