import { type TorchWheel, torchBuilds } from '../../fit/builds/torch.ts';
import { cudaBeside } from '../../fit/cudaFamily.ts';
import { cudaTargetOf } from '../../fit/target.ts';
import { TORCH_COMPANIONS, type TorchCompanion } from '../../published/releases/torchCompanions.ts';
import { cudaOfTag, tagOfCuda } from '../../published/releases/torchReleases.ts';
import { satisfies } from '../../published/specifier.ts';
import { compareVersions, majorOf, minorOf } from '../../published/versions.ts';
import { inUseFirst, runnable } from '../../solver/runnable.ts';
import { builtCudnnOf } from '../../stack/builds/gpuCode.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { pythonMinor } from '../../stack/facts/installed.ts';
import { type Pin, pinsOnTorch } from './pins.ts';

/** A torch and its companions, from one index. */
export interface TorchFamily {
  /** Such as "2.6.0". */
  torch: string;
  /** Such as "cu124". */
  tag: string;
  /** The installed packages that are released with torch. */
  companions: TorchCompanion[];
  /** Installed packages that need a torch other than this one, if no torch for this machine satisfies them. */
  breaks: string[];
}

const solved = new WeakMap<StackFacts, TorchFamily | null>();

/**
 * Returns the torch for this machine, which all diagnoses recommend so that none contradicts another: published for this
 * Python and platform, supported by the driver, with code for every visible GPU, and compatible with what installed packages
 * pin. Prefers the installed release, then the nearest newer, then the nearest older one. Undefined if nothing fits, or if
 * driver or platform are unknown.
 */
export function fittingTorch(facts: StackFacts): TorchFamily | undefined {
  const known = solved.get(facts);
  if (known !== undefined) return known ?? undefined;
  const found = solve(facts);
  solved.set(facts, found ?? null);
  return found;
}

/** The same, among the releases that match a PEP 440 specifier. */
export function fittingTorchOf(facts: StackFacts, specifier: string): TorchFamily | undefined {
  return solve(facts, specifier);
}

/** Relaxes the cuDNN shared with other packages first, then the packages' pins, but never what the machine can run. */
function solve(facts: StackFacts, specifier = '>=0'): TorchFamily | undefined {
  const builds = candidates(facts).filter(({ version }) => satisfies(version, specifier));
  const pins = pinsOnTorch(facts);
  const keeping = builds.filter((each) => pins.every((pin) => keeps(each, pin)));
  const needed = leastCudnn(facts);
  const sharing = keeping.filter((each) => needed === undefined || hasCudnn(each, needed));
  const best = [sharing, keeping, builds].map((each) => withBestTag(facts, each)).find((each) => each !== undefined);
  if (best === undefined) return undefined;
  const { version, tag } = best;
  return {
    torch: version,
    tag,
    companions: installedCompanions(facts),
    breaks: pins.filter((pin) => !keeps(best, pin)).map(({ name }) => name),
  };
}

/** The installed packages that are released with torch. */
export function installedCompanions({ frameworks }: StackFacts): TorchCompanion[] {
  return TORCH_COMPANIONS.filter((name) => knownValue(frameworks[name]));
}

/**
 * The builds that run on this machine and its Python, whatever else is installed, the closest to the installed one
 * first.
 */
function candidates(facts: StackFacts): readonly TorchWheel[] {
  const target = cudaTargetOf(facts);
  if (target === undefined) return [];
  const python = pythonMinor(facts);
  const builds = runnable(torchBuilds(target), target.gpu, python);
  return inUseFirst(builds, knownValue(facts.frameworks.torch)?.version);
}

/** A package that is compiled for one major version of CUDA does not load with another. */
function keeps({ version, tag }: TorchWheel, { specifier, cuda }: Pin): boolean {
  return satisfies(version, specifier) && cudaBeside(cuda, cudaOfTag(tag)).fit !== 'fails';
}

/**
 * Selects, among the first version's builds, the one for the installed CUDA version, otherwise the first for a major
 * version that other packages share.
 */
function withBestTag(facts: StackFacts, builds: readonly TorchWheel[]): TorchWheel | undefined {
  const cuda = knownValue(facts.frameworks.torch)?.cuda;
  const families = otherFamilies(facts);
  const own = builds.filter(({ version }) => version === builds[0]?.version);
  const shared = own.filter(({ tag }) => families.length === 0 || families.includes(majorOf(cudaOfTag(tag))));
  return shared.find(({ tag }) => cuda && tag === tagOfCuda(cuda)) ?? shared[0] ?? own[0];
}

/** The major CUDA versions of the other frameworks, whose cuDNN wheels share one folder with torch's. */
function otherFamilies({ frameworks }: StackFacts): string[] {
  return [frameworks.jax, frameworks.tensorflow].flatMap((fact) => {
    const build = knownValue(fact);
    return build?.target === 'cuda' && build.cuda !== null ? [majorOf(build.cuda)] : [];
  });
}

/** The lowest cuDNN that other frameworks need in the wheel that they share with torch. */
function leastCudnn(facts: StackFacts): string | undefined {
  const needs = (['tensorflow', 'jax'] as const).flatMap((framework) => {
    const build = knownValue(facts.frameworks[framework]);
    const loaded = knownValue(facts.loadedCudnn[framework]);
    if (build?.target !== 'cuda' || loaded?.origin !== 'wheel') return [];
    return builtCudnnOf(facts, framework)?.value ?? [];
  });
  return needs.sort(compareVersions).at(-1);
}

function hasCudnn({ release, tag }: TorchWheel, needed: string): boolean {
  const cudnn = release.builds.get(tag)?.cudnn;
  if (!cudnn) return false;
  return majorOf(cudnn) === majorOf(needed) && compareVersions(cudnn, minorOf(needed)) >= 0;
}
