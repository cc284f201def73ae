import { cudaVersion, labelled, leadingVersion, type ReportReader, reportAt } from './report.ts';
import { systemOf } from './system.ts';

/** `python -m bitsandbytes` from 0.45 on, which reports torch. Older versions print messages only. */
export const readBitsandbytes: ReportReader = (text) => {
  const found = /^[ \t>=]*bitsandbytes v(\d\S*)[ =]*$/m.exec(text);
  const version = found?.[1];
  if (found === null || version === undefined) return undefined;
  const body = reportAt(text, found.index);
  const torch = leadingVersion(labelled(body, 'PyTorch'));
  const cuda = cudaVersion(labelled(body, 'CUDA'));
  const python = leadingVersion(labelled(body, 'Python'));
  return {
    program: 'bitsandbytes',
    at: found.index,
    ...systemOf(undefined, labelled(body, 'Platform')),
    ...(python && { python }),
    packages: [{ name: 'bitsandbytes', version }],
    ...(torch && { builds: { torch: { version: torch, ...(cuda && { cuda }) } } }),
  };
};
