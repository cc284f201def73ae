/** The relation between a build's code and a GPU. */
import { codeFits } from '../published/codeFits.ts';
import { compiledBy } from '../published/releases/cudaDriver.ts';
import { hasBuildsOfNvidia } from '../published/releases/jetpacks.ts';
import { compareVersions, majorOf } from '../published/versions.ts';
import type { Build } from './build.ts';
import type { Fit } from './relation.ts';

/** How it runs on a GPU, or the reason why it does not: the GPU is newer or older than the code. */
interface CodeDetails {
  readonly how: 'native' | 'compiled' | 'newer' | 'older';
}

type Coded = Pick<Build, 'cuda' | 'code' | 'lowest' | 'highest' | 'isInstalled'>;

/** Returns how a build runs on GPUs of a compute capability ("8.6"). */
export function codeFor({ cuda, code, lowest, highest, isInstalled }: Coded, capability: string): Fit<CodeDetails> {
  // An installed build may be one that NVIDIA made for such a board.
  if (isInstalled && hasBuildsOfNvidia(capability)) return { fit: 'unknown', missing: 'its publisher' };
  const compilers = cuda === null ? undefined : compiledBy(cuda);
  const isBelow = (floor: string | undefined) => floor !== undefined && compareVersions(capability, floor) < 0;
  if (isBelow(compilers?.lowest) || isBelow(lowest)) return { fit: 'fails', how: 'older' };
  if (highest !== undefined && compareVersions(capability, highest) > 0) return { fit: 'fails', how: 'newer' };
  // CUDA's own libraries, which every framework needs, contain no code for later generations either.
  const isLater = compilers !== undefined && Number(majorOf(capability)) > Number(majorOf(compilers.highest));
  if (isLater && compareVersions(cuda ?? '', '11') < 0) return { fit: 'fails', how: 'newer' };
  // Its compiler does not support such a GPU; whether it included code for the driver to compile is unknown.
  if (code === undefined) return isLater ? { fit: 'holds', how: 'compiled' } : { fit: 'unknown', missing: 'its code' };
  const how = codeFits(code, capability);
  if (how !== 'none') return { fit: 'holds', how };
  return { fit: 'fails', how: code.every((each) => isBelow(capabilityOfCode(each))) ? 'older' : 'newer' };
}

/** "8.6" of "sm_86", "9.0" of "compute_90" and "sm_90a". */
export function capabilityOfCode(code: string): string {
  const digits = code.match(/\d+/)?.[0] ?? '';
  return `${digits.slice(0, -1)}.${digits.slice(-1)}`;
}

/** True if a build has machine code for GPUs of a compute capability. */
export function isNative(build: Coded, capability: string): boolean {
  const found = codeFor(build, capability);
  return found.fit === 'holds' && found.how === 'native';
}

/** True unless a build is known not to run, or only after the driver compiled it in an untested way. */
export function runsWell(build: Build, capability: string): boolean {
  const found = codeFor(build, capability);
  if (found.fit !== 'holds') return found.fit === 'unknown';
  const { code, compiledUpTo } = build;
  if (found.how === 'native' || code === undefined) return true;
  return compiledUpTo !== undefined && compareVersions(capability, compiledUpTo) <= 0;
}
