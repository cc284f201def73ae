import { cudaVersion, gpuNamed, labelled, leadingVersion, type Report, type ReportReader, reportAt } from './report.ts';

/** `python -m xformers.info`, which reports the build of its code, or xformers' warning about an incompatible build. */
export const readXformers: ReportReader = (text) => information(text) ?? warning(text);

function information(text: string): Report | undefined {
  const found = /^[ \t>]*xFormers (\d\S*)\s*$/m.exec(text);
  const version = found?.[1];
  if (found === null || version === undefined || !/^[ \t>]*(?:pytorch|build)\.\w+:/m.test(text)) return undefined;
  const body = reportAt(text, found.index);
  const torch = leadingVersion(labelled(body, 'pytorch\\.version'));
  const name = labelled(body, 'gpu\\.name');
  const capability = leadingVersion(labelled(body, 'gpu\\.compute_capability'));
  const built = {
    torch: leadingVersion(labelled(body, 'build\\.torch_version')) ?? null,
    cuda: cudaVersion(labelled(body, 'build\\.cuda_version')) ?? null,
  };
  return {
    program: 'xformers.info',
    at: found.index,
    packages: [{ name: 'xformers', version, ...((built.torch ?? built.cuda) && { builtFor: built }) }],
    ...(name && { gpus: [{ ...gpuNamed(name, 0), ...(capability && { computeCapability: capability }) }] }),
    ...(torch && { builds: { torch: { version: torch } } }),
  };
}

/**
 * "xFormers was built for: PyTorch 2.1.2+cu121 with CUDA 1201 (you have 2.1.2+cpu)": the second torch is the installed
 * one.
 */
function warning(text: string): Report | undefined {
  const found =
    /xFormers was built for:?\s+PyTorch (\S{1,40})(?: with CUDA (\d{3,4}))?[^\n(]{0,30}\(you have (\d[^\s)]*)\)/.exec(
      text,
    );
  const torch = leadingVersion(found?.[3]);
  if (found === null || torch === undefined) return undefined;
  const version =
    /^[ \t>]*xFormers (\d\S*)\s*$/m.exec(text)?.[1] ?? /^Name: xformers\nVersion: (\d\S*)/m.exec(text)?.[1];
  const builtFor = { torch: leadingVersion(found[1]) ?? null, cuda: cudaVersion(found[2]) ?? null };
  const python = /^\s*Python +\S+ \(you have (\d[\d.]*)\)/.exec(text.slice(found.index + found[0].length))?.[1];
  return {
    program: "xFormers' warning",
    at: found.index,
    ...(python && { python }),
    ...(version && { packages: [{ name: 'xformers', version, builtFor }] }),
    builds: { torch: { version: torch } },
  };
}
