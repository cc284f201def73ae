import { cudaVersion, leadingVersion, type ReportReader } from './report.ts';

/**
 * "xFormers was built for: PyTorch 2.1.2+cu121 with CUDA 1201 (you have 2.1.2+cpu)": the second torch is the installed
 * one.
 */
export const readXformersWarning: ReportReader = (text) => {
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
};
