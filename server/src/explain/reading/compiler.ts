import type { Frame } from './traceback.ts';

/** Positions in compiler errors: gcc, clang and nvcc on Linux, cl and nvcc on Windows. */
const PLACE =
  /^(?<file>(?:[A-Za-z]:)?[^\s:()"'][^:()"'\n]{0,300}?\.(?:cu|cuh|cc|cpp|cxx|c|h|hpp|pyx))(?:\((?<line>\d{1,7})(?:,\d{1,5})?\)|:(?<row>\d{1,7})(?::\d{1,5})?) ?: (?:fatal )?error\b/;

/** The position that a compiler error at an offset names; undefined for another line. */
export function compilerPlace(text: string, offset: number): Frame | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const [line = '', next = ''] = text.slice(start, start + 4000).split('\n', 2);
  const { file, line: number, row } = PLACE.exec(line)?.groups ?? {};
  if (file === undefined) return undefined;
  // gcc numbers the lines that it shows; nvcc indents them.
  const code = /^ +(?:\d+ \| *)?(\S.*)$/.exec(next)?.[1];
  return { file, line: Number(number ?? row), start, code };
}
