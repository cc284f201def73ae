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
  let depth = 0;
  let at = 0;
  // Of the last comment or string: a backslash in it joins no lines.
  let textEnd = 0;
  for (const start of [...suspects].sort((a, b) => a - b)) {
    while (at < start) {
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
        case ')':
        case ']':
        case '}':
          depth = Math.max(0, depth - 1);
          at++;
          break;
        default:
          at++;
      }
    }
    const above = text[start - 2] === '\r' ? start - 3 : start - 2;
    if (at > start || depth > 0 || (text[above] === '\\' && textEnd <= above)) continue;
    let end = endOfLine(text, start);
    if (/^[ \t]*[%!?]/.test(text.slice(start, end))) {
      // A magic's own text follows no rule of Python; a backslash continues it.
      while (end < text.length && text[end - 1] === '\\') end = endOfLine(text, nextLine(text, end));
      at = nextLine(text, end);
    }
    yield { start, end };
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

/** The end of the string that begins at `start`; a line ends one that is not closed on it. */
function endOfString(text: string, start: number): number {
  const sign = text.charAt(start);
  const quote = text.startsWith(sign.repeat(3), start) ? sign.repeat(3) : sign;
  for (let at = start + quote.length; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === sign && text.startsWith(quote, at)) return at + quote.length;
    else if (character === '\n' && quote === sign) return at;
  }
  return text.length;
}
