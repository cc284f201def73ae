import { cudaVersion, leadingVersion, type ReportReader } from './report.ts';

/** `ds_report`, with dots between labels and values. */
export const readDeepspeed: ReportReader = (text) => {
  const at = text.search(/^[ \t>]*(?:torch version|deepspeed info) \.{3,}/m);
  if (at < 0) return undefined;
  const dotted = (label: string) => text.match(new RegExp(`^[ \\t>]*${label}[ ]\\.{3,}[ ]*(\\S.*)$`, 'm'))?.[1];
  const torch = leadingVersion(dotted('torch version'));
  const cuda = cudaVersion(dotted('torch cuda version'));
  const deepspeed = leadingVersion(dotted('deepspeed info'));
  const nvcc = leadingVersion(dotted('nvcc version'));
  const python = dotted('torch install path')?.match(/python(\d\.\d+)/)?.[1];
  return {
    program: 'ds_report',
    at,
    ...(python && { python }),
    ...(deepspeed && { packages: [{ name: 'deepspeed', version: deepspeed }] }),
    ...(torch && { builds: { torch: { version: torch, ...(cuda && { cuda }) } } }),
    ...(nvcc && { toolkit: { version: nvcc, root: 'nvcc on PATH' } }),
  };
};
