import type { ReportReader } from './report.ts';

/** `nvcc --version`: the first toolkit on the PATH. */
export const readNvcc: ReportReader = (text) => {
  const found = /Cuda compilation tools, release (\d+\.\d+)(?:, V(\d+\.\d+\.\d+))?/i.exec(text);
  if (found === null) return undefined;
  return { program: 'nvcc', at: found.index, toolkit: { version: found[2] ?? found[1] ?? '', root: 'nvcc on PATH' } };
};
