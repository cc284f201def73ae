import type { Frame } from './traceback.ts';

/** Where a compiler has found something wrong: gcc, clang and nvcc on Linux, cl and nvcc in Windows. */
const PLACE =
  /^(?<file>(?:[A-Za-z]:)?[^\s:()"'][^:()"'\n]{0,300}?\.(?:cu|cuh|cc|cpp|cxx|c|h|hpp|pyx))(?:\((?<line>\d{1,7})(?:,\d{1,5})?\)|:(?<row>\d{1,7})(?::\d{1,5})?) ?: (?:fatal )?error\b/;

/** The place that a compiler's complaint names in the line at an offset; undefined where that is none. */
export function compilerPlace(text: string, offset: number): Frame | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const [line = '', next = ''] = text.slice(start, start + 4000).split('\n', 2);
  const { file, line: number, row } = PLACE.exec(line)?.groups ?? {};
  if (file === undefined) return undefined;
  // gcc numbers what it shows; nvcc indents it.
  const code = /^ +(?:\d+ \| *)?(\S.*)$/.exec(next)?.[1];
  return { file, line: Number(number ?? row), start, ...(code !== undefined && { code }) };
}
