import { readData } from '../../dataFiles.ts';
import { computedOnce } from '../remembering.ts';
import { isAtLeast, isWithin, minorOf } from '../versions.ts';
import { torchReleases } from './torchReleases.ts';

interface RocmRelease {
  /** The first torch and the first ROCm that it applies to. */
  torch: string;
  rocm: string;
  /** Such as "gfx900". */
  code: string[];
}

type Table = { releases: (Omit<RocmRelease, 'code'> & { code: string })[] };

const rocmReleases = computedOnce((): readonly RocmRelease[] =>
  readData<Table>(import.meta.dirname, 'rocmReleases').releases.map(({ code, ...row }) => ({
    ...row,
    code: code.split(' '),
  })),
);

/** The GPUs for which the wheels of a torch ("2.9.1") for a ROCm ("6.2.41133") contain code; undefined if unknown. */
export function codeOfRocm(torch: string, rocm: string): readonly string[] | undefined {
  return rocmReleases().find((row) => isAtLeast(minorOf(torch), row.torch) && isAtLeast(minorOf(rocm), row.rocm))?.code;
}

/** The newest torch for a Python, and the ROCm, whose wheels contain code for that GPU, such as "gfx1201". */
export function newestRocmFor(
  architecture: string,
  python: string | undefined,
): { readonly torch: string; readonly rocm: string } | undefined {
  const builds = torchReleases()
    .filter(({ python: range }) => python === undefined || isWithin(python, range))
    .flatMap(({ versions, rocm }) => rocm.map((each) => ({ torch: versions.at(-1) ?? '', rocm: each })));
  return builds.findLast(({ torch, rocm }) => codeOfRocm(torch, rocm)?.includes(architecture));
}

/**
 * A related GPU whose code a GPU with that instruction set can run, in HSA_OVERRIDE_GFX_VERSION's notation; for GPUs
 * that ROCm may have no code for.
 */
const RELATIVES: readonly [RegExp, string][] = [
  [/^gfx90c/, '9.0.0'],
  [/^gfx103[1-9]/, '10.3.0'],
  [/^gfx110[1-3]/, '11.0.0'],
];

export function relativeOf(architecture: string): string | undefined {
  return RELATIVES.find(([pattern]) => pattern.test(architecture))?.[1];
}
