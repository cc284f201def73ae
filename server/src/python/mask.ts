/**
 * Text that only IPython, or no parser, understands is replaced at equal length before parsing, so that every offset
 * stays what it is in the editor.
 */

/** Cell magics whose cell is still Python; any other `%%magic` makes the whole cell something else. */
const PYTHON_CELL_MAGICS = new Set(['time', 'timeit', 'capture', 'prun', 'memit', 'mprun', 'lprun', 'snakeviz']);

/** The text with BOM, lone carriage returns and IPython lines masked; the same length as `text`. */
export function mask(text: string): string {
  let masked = text.charCodeAt(0) === 0xfeff ? `\n${text.slice(1)}` : text;
  if (masked.includes('\r')) masked = masked.replace(/\r(?!\n)/g, '\n');
  if (masked.includes('\0')) masked = masked.replaceAll('\0', ' ');
  const suspects = suspectsIn(masked);
  return suspects.size === 0 ? masked : maskMagics(masked, suspects);
}

/** A line that only IPython understands, unless it goes on from the one above it. The first group is its indentation. */
const MAGIC = /^([ \t]*)(?:[%!?]|[\w.]+\?{1,2}[ \t]*$|[\w.,][\w., ]*=[ \t]*[%!](?!=))/;

/** The starts of all lines that look like IPython's. Its signs are rarer than lines, so lines are looked at by them. */
function suspectsIn(text: string): ReadonlySet<number> {
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
  return found;
}

function maskMagics(text: string, suspects: ReadonlySet<number>): string {
  const cellMagic = /^\s*%%([\w-]*)/.exec(text);
  if (cellMagic && !PYTHON_CELL_MAGICS.has(cellMagic[1] ?? '')) return text.replace(/[^\r\n]/g, ' ');
  const pieces: string[] = [];
  let copied = 0;
  for (const { start, end } of magicLines(text, suspects)) {
    const line = text.slice(start, end);
    const indent = MAGIC.exec(line)?.[1] ?? '';
    // An expression of one character keeps an indented block from becoming empty.
    pieces.push(text.slice(copied, start), indent, '0', line.slice(indent.length + 1).replace(/[^\r\n]/g, ' '));
    copied = end;
  }
  pieces.push(text.slice(copied));
  return pieces.join('');
}

/** The suspects at which a statement may begin: not inside a bracket, a string or after a backslash. */
function* magicLines(text: string, suspects: ReadonlySet<number>): Generator<{ start: number; end: number }> {
  let last = 0;
  for (const suspect of suspects) last = Math.max(last, suspect);
  const token = /\\\r?\n|\r?\n|#[^\r\n]*|[rRbBuUfF]{0,2}('''|"""|'|")|[([{]|[)\]}]/g;
  let depth = 0;
  let start = 0;
  while (start <= last) {
    if (depth === 0 && suspects.has(start)) {
      let end = endOfLine(text, start);
      const isMagicToTheEnd = /^[ \t]*[%!?]/.test(text.slice(start, end));
      // A magic's own text follows no rule of Python; a backslash continues it.
      while (isMagicToTheEnd && end < text.length && text[end - 1] === '\\') end = endOfLine(text, nextLine(text, end));
      yield { start, end };
      if (isMagicToTheEnd) {
        start = nextLine(text, end);
        continue;
      }
    }
    token.lastIndex = start;
    let next = text.length;
    for (let match = token.exec(text); match; match = token.exec(text)) {
      const found = match[0];
      if (match[1]) token.lastIndex = endOfString(text, token.lastIndex, match[1]);
      else if (found === '(' || found === '[' || found === '{') depth++;
      else if (found === ')' || found === ']' || found === '}') depth = Math.max(0, depth - 1);
      else if (found.startsWith('\\') || found.startsWith('#')) continue;
      else if (depth === 0) {
        next = token.lastIndex;
        break;
      }
    }
    start = next;
  }
}

function endOfLine(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  if (feed === -1) return text.length;
  return feed > from && text[feed - 1] === '\r' ? feed - 1 : feed;
}

function nextLine(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  return feed === -1 ? text.length : feed + 1;
}

function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (quote.length === 1 && text[at] === '\n') return at;
  }
  return text.length;
}
