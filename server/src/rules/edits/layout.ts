/** How the text around an edit is laid out: lines, indentation and line ends as its author writes them. */
import type { Program } from '../../guards/program.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { SourceText } from '../../python/semantic/sourceText.ts';

/** The text of the cell that an offset lies in, and the offset at which it starts. */
export function cellAround(program: SourceText, offset: number): { readonly text: string; readonly base: number } {
  const { cell, start } = program.toCell({ start: offset, end: offset });
  return { text: program.source.cells[cell]?.text ?? '', base: offset - start };
}

/** Offset of the first character of the line; a byte order mark belongs to no line. */
export function lineStart(program: Program, offset: number): number {
  const { text, base } = cellAround(program, offset);
  let at = offset - base;
  while (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== '\r') at--;
  return base + (text[at] === '\ufeff' ? at + 1 : at);
}

/** Offset of the line's end: before its line break, or the end of the cell. */
export function lineEnd(program: SourceText, offset: number): number {
  const { text, base } = cellAround(program, offset);
  let at = offset - base;
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++;
  return base + at;
}

/** Spaces and tabs at the start of the line. */
export function indentOf(program: Program, offset: number): string {
  const start = lineStart(program, offset);
  return /^[ \t]*/.exec(program.text.slice(start, lineEnd(program, offset)))?.[0] ?? '';
}

/** True when only white space stands before the offset on its line. */
export function startsLine(program: Program, offset: number): boolean {
  return program.text.slice(lineStart(program, offset), offset).trim() === '';
}

/** True when nothing but white space and a comment stands after the offset on its line. */
export function endsLine(program: Program, offset: number): boolean {
  return /^[ \t\f]*(#.*)?$/.test(program.text.slice(offset, lineEnd(program, offset)));
}

/** The line break that the cell uses; that of the program's first one where the cell is a single line. */
export function newlineAt(program: Program, offset: number): string {
  const find = (text: string) => /\r\n|\n|\r/.exec(text)?.[0];
  if (program.source.cells.length === 1) return find(program.text) ?? '\n';
  // The cells of a program are joined by line feeds of our own.
  return (
    find(cellAround(program, offset).text) ??
    program.source.cells.map(({ text }) => find(text)).find((each) => each) ??
    '\n'
  );
}

/** One step of indentation: what a block of this file adds to the line that opens it. */
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
