/** IPython syntax: magics and shell commands. */
import { afterLineEnd, endOfLine } from './characters.ts';
import { CELL_MAGIC, HELP_MAGIC, LINE_MAGIC, SHELL_MAGIC } from './tokens.ts';

/** Cell magics whose cell contains Python; the cell of any other magic does not. */
const PYTHON_CELL_MAGICS = new Set(['time', 'timeit', 'capture', 'prun', 'memit', 'mprun', 'lprun', 'snakeviz']);
const CELL_MAGIC_NAME = /%%([\w-]*)/y;

/** The magic that begins at the first character of a line. */
export function magicAt(
  text: string,
  at: number,
  isFirst: boolean,
): { readonly kind: number; readonly isWholeText: boolean } | undefined {
  switch (text.charAt(at)) {
    case '!':
      return { kind: SHELL_MAGIC, isWholeText: false };
    case '?':
      return { kind: HELP_MAGIC, isWholeText: false };
    case '%': {
      CELL_MAGIC_NAME.lastIndex = at;
      const name = CELL_MAGIC_NAME.exec(text)?.[1];
      if (!isFirst || name === undefined) return { kind: LINE_MAGIC, isWholeText: false };
      return { kind: CELL_MAGIC, isWholeText: !PYTHON_CELL_MAGICS.has(name) };
    }
    default:
      return undefined;
  }
}

/** The offset at which a magic ends. Its text is not Python, but a backslash continues the line. */
export function endOfMagic(text: string, start: number): number {
  let end = endOfLine(text, start);
  while (end < text.length && text.charCodeAt(end - 1) === 92) end = endOfLine(text, afterLineEnd(text, end));
  return end;
}
