/**
 * Text that only IPython, or no parser, understands is replaced at equal length before parsing, so that every offset
 * stays what it is in the editor.
 */
import { type Difference, difference } from './difference.ts';
import { lineStart, nextLine } from './lines.ts';
import { endOfString } from './strings.ts';

/** Cell magics whose cell is still Python; any other `%%magic` makes the whole cell something else. */
const PYTHON_CELL_MAGICS = new Set(['time', 'timeit', 'capture', 'prun', 'memit', 'mprun', 'lprun', 'snakeviz']);

/** A masked text, and what masking an edit of it goes on from. */
export interface Masked {
  readonly source: string;
  /** The source with BOM, lone carriage returns and IPython lines masked; of the same length. */
  readonly text: string;
  /** The source before its IPython lines were masked. */
  readonly unmasked: string;
  readonly suspects: readonly Suspect[];
}

/** A line that looks like IPython's. Offsets are into the text. */
interface Suspect {
  readonly start: number;
  /** Where that ends which is IPython's; undefined where no statement may begin at the line. */
  readonly end: number | undefined;
  /** Where the scan for others goes on, and how many brackets are open there. */
  readonly next: number;
  readonly depth: number;
}

/** Masks a text. Of an edit of `previous` only that is scanned for which the edit may matter. */
export function mask(source: string, previous?: Masked): Masked {
  let unmasked = source.charCodeAt(0) === 0xfeff ? `\n${source.slice(1)}` : source;
  if (unmasked.includes('\r')) unmasked = unmasked.replace(/\r(?!\n)/g, '\n');
  if (unmasked.includes('\0')) unmasked = unmasked.replaceAll('\0', ' ');
  const suspects = suspectsIn(unmasked, previous);
  return { source, text: maskSuspects(unmasked, suspects), unmasked, suspects };
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

/** The same of an edit of a text, where only the lines that it touches are looked at. */
function suspiciousLinesAfter({ start, oldEnd, newEnd }: Difference, { suspects }: Masked, text: string): number[] {
  const from = lineStart(text, start);
  const to = nextLine(text, newEnd);
  const by = newEnd - oldEnd;
  const known = suspects.map((suspect) => suspect.start);
  return [
    ...known.filter((line) => line < from),
    ...suspiciousLines(text.slice(from, to)).map((line) => from + line),
    ...known.filter((line) => line >= to - by).map((line) => line + by),
  ];
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
function suspectsIn(text: string, previous?: Masked): readonly Suspect[] {
  const edit = previous && difference(previous.unmasked, text);
  const lines = previous && edit ? suspiciousLinesAfter(edit, previous, text) : suspiciousLines(text);
  const found = previous && edit ? suspectsBefore(edit, previous) : [];
  const behind = previous && edit ? suspectsBehind(edit, previous) : [];
  let { next: at, depth } = found.at(-1) ?? { next: 0, depth: 0 };
  const signFrom = signsIn(text);
  // Of the last comment or string: a backslash in it joins no lines.
  let textEnd = at;
  for (const start of lines.slice(found.length)) {
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
    const suspect: Suspect = { start, end, next: at, depth };
    while (behind[0] && behind[0].start < start) behind.shift();
    if (behind[0]?.start === start && isSame(behind[0], suspect)) return [...found, ...behind];
    found.push(suspect);
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

/** What was found before an edit, as far as nothing was looked at for it that the edit changed. */
function suspectsBefore(edit: Difference, { unmasked, suspects }: Masked): Suspect[] {
  const isBefore = ({ start, next }: Suspect) => Math.max(next, endOfLine(unmasked, start)) < edit.start;
  const first = suspects.findIndex((suspect) => !isBefore(suspect));
  return first === -1 ? [...suspects] : suspects.slice(0, first);
}

/** What was found behind an edit, where it is now. */
function suspectsBehind({ oldEnd, newEnd }: Difference, { suspects }: Masked): Suspect[] {
  const by = newEnd - oldEnd;
  return suspects
    .filter(({ start }) => start >= oldEnd)
    .map(({ start, end, next, depth }) => ({
      start: start + by,
      end: end === undefined ? undefined : end + by,
      next: next + by,
      depth,
    }));
}

function isSame(one: Suspect, other: Suspect): boolean {
  return one.end === other.end && one.next === other.next && one.depth === other.depth;
}

function endOfLine(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  if (feed === -1) return text.length;
  return feed > from && text[feed - 1] === '\r' ? feed - 1 : feed;
}
