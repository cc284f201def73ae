import { readData } from '../../dataFiles.ts';
import { compareVersions } from './cudaDriver.ts';

interface RocmRelease {
  since: string;
  /** Such as "gfx900". */
  code: string[];
}

let table: readonly RocmRelease[] | undefined;

function rocmReleases(): readonly RocmRelease[] {
  table ??= readData<{ releases: { since: string; code: string }[] }>(import.meta.dirname, 'rocmReleases').releases.map(
    ({ since, code }) => ({ since, code: code.split(' ') }),
  );
  return table;
}

/** The GPUs that PyTorch's wheels for that ROCm ("6.2.41133") hold code for; undefined where that is not known. */
export function codeOfRocm(rocm: string): readonly string[] | undefined {
  const numbers = rocm.match(/^\d+\.\d+/)?.[0] ?? '';
  return rocmReleases().find(({ since }) => compareVersions(numbers, since) >= 0)?.code;
}

/** The first ROCm whose wheels hold code for that GPU, such as "6.3" for gfx1201. */
export function firstRocmFor(architecture: string): string | undefined {
  return rocmReleases().findLast(({ code }) => code.includes(architecture))?.since;
}

/** A relative whose code a GPU of that instruction set runs, for which ROCm may have none, as HSA_OVERRIDE_GFX_VERSION names it. */
const RELATIVES: readonly [RegExp, string][] = [
  [/^gfx90c/, '9.0.0'],
  [/^gfx103[1-9]/, '10.3.0'],
  [/^gfx110[1-3]/, '11.0.0'],
];

export function relativeOf(architecture: string): string | undefined {
  return RELATIVES.find(([pattern]) => pattern.test(architecture))?.[1];
}
