/** The layout of the text around an edit: lines, indentation and line breaks in the author's style. */
import type { Program } from '../../guards/program.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { SourceText } from '../../python/semantic/sourceText.ts';

/** Returns the text of the cell around an offset, and the offset at which it starts. */
export function cellAround(program: SourceText, offset: number): { readonly text: string; readonly base: number } {
  const { cell, start } = program.toCell({ start: offset, end: offset });
  return { text: program.source.cells[cell]?.text ?? '', base: offset - start };
}

/** Returns the offset of the line's first character, after a byte order mark. */
export function lineStartAfterMark(program: Program, offset: number): number {
  const { text, base } = cellAround(program, offset);
  let at = offset - base;
  while (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== '\r') at--;
  return base + (text[at] === '\ufeff' ? at + 1 : at);
}

/** Returns the offset of the line's end: before its line break, or at the end of the cell. */
export function lineEnd(program: SourceText, offset: number): number {
  const { text, base } = cellAround(program, offset);
  let at = offset - base;
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++;
  return base + at;
}

/** Returns the spaces and tabs at the start of the line. */
export function indentOf(program: Program, offset: number): string {
  const start = lineStartAfterMark(program, offset);
  return /^[ \t]*/.exec(program.text.slice(start, lineEnd(program, offset)))?.[0] ?? '';
}

/** True if only white space precedes the offset on its line. */
export function startsLine(program: Program, offset: number): boolean {
  return program.text.slice(lineStartAfterMark(program, offset), offset).trim() === '';
}

/** True if only white space and a comment follow the offset on its line. */
export function endsLine(program: Program, offset: number): boolean {
  return /^[ \t\f]*(#.*)?$/.test(program.text.slice(offset, lineEnd(program, offset)));
}

/** Returns the line break of the cell; for a single-line cell, that of the program's first line break. */
export function newlineAt(program: Program, offset: number): string {
  const find = (text: string) => /\r\n|\n|\r/.exec(text)?.[0];
  if (program.source.cells.length === 1) return find(program.text) ?? '\n';
  // The line feeds between cells are not part of the file.
  return (
    find(cellAround(program, offset).text) ??
    program.source.cells.map(({ text }) => find(text)).find((each) => each) ??
    '\n'
  );
}

/** Returns one step of indentation, as the file uses it. */
export const indentUnit = memoize((program: Program): string => {
  for (const { text } of program.source.cells) {
    const lines = text.split(/\r\n|\n|\r/);
    for (const [index, line] of lines.entries()) {
      if (!/^[^\s#].*:[ \t]*(#.*)?$/.test(line)) continue;
      const inner = /^[ \t]+(?=[^\s#])/.exec(lines[index + 1] ?? '')?.[0];
      if (inner) return inner;
    }
  }
  return program.source.cells.some(({ text }) => /^\t/m.test(text)) ? '\t' : '    ';
});
