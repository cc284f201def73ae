import { cudaVersion, gpuNamed, labelled, type ReportReader, reportAt, versionIn } from './report.ts';

/** `python -m xformers.info`, which tells what its own code was compiled for. */
export const readXformers: ReportReader = (text) => {
  const found = /^[ \t>]*xFormers (\d\S*)\s*$/m.exec(text);
  const version = found?.[1];
  if (found === null || version === undefined || !/^[ \t>]*(?:pytorch|build)\.\w+:/m.test(text)) return undefined;
  const body = reportAt(text, found.index);
  const torch = versionIn(labelled(body, 'pytorch\\.version'));
  const name = labelled(body, 'gpu\\.name');
  const capability = versionIn(labelled(body, 'gpu\\.compute_capability'));
  const built = {
    torch: versionIn(labelled(body, 'build\\.torch_version')) ?? null,
    cuda: cudaVersion(labelled(body, 'build\\.cuda_version')) ?? null,
  };
  return {
    program: 'xformers.info',
    at: found.index,
    packages: [{ name: 'xformers', version, ...((built.torch ?? built.cuda) && { builtFor: built }) }],
    ...(name && { gpus: [{ ...gpuNamed(name, 0), ...(capability && { computeCapability: capability }) }] }),
    ...(torch && { builds: { torch: { version: torch } } }),
  };
};
