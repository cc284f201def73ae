import { cudaOfTag, tagOfCuda } from '../../published/releases/torchReleases.ts';
import { satisfies } from '../../published/specifier.ts';
import { compareVersions, majorOf, minorOf } from '../../published/versions.ts';
import { type TorchBuild, torchBuilds } from '../../solver/builds/torch.ts';
import { inUseFirst, runnable } from '../../solver/runnable.ts';
import { cudaTargetOf } from '../../solver/target.ts';
import { builtCudnnOf } from '../../stack/builds/gpuCode.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { type Pin, pinsOnTorch } from './pins.ts';

/** A torch and what goes with it, from one index. */
export interface TorchFamily {
  /** Such as "2.6.0". */
  torch: string;
  /** Such as "cu124". */
  tag: string;
  /** "0.21" and "2.6", the releases that belong to it; null for one that is not installed. */
  torchvision: string | null;
  torchaudio: string | null;
  /** Installed packages that were made for another torch, for which nothing published fits this machine. */
  breaks: string[];
}

const solved = new WeakMap<StackFacts, TorchFamily | null>();

/**
 * The torch for this machine that every verdict recommends, so that none contradicts another: published for this Python
 * and platform, running with the driver, with code for every visible GPU, and fitting what installed packages pin. Of
 * those, the installed release, else the nearest newer, else the nearest older one. Undefined where nothing fits, or
 * where driver or platform are not known.
 */
export function fittingTorch(facts: StackFacts): TorchFamily | undefined {
  const known = solved.get(facts);
  if (known !== undefined) return known ?? undefined;
  const found = solve(facts);
  solved.set(facts, found ?? null);
  return found;
}

/** The same, of the releases that a specifier of PEP 440 lets through. */
export function fittingTorchOf(facts: StackFacts, specifier: string): TorchFamily | undefined {
  return solve(facts, specifier);
}

/** Gives up the cuDNN that others share first, then what packages pin; never what the machine runs. */
function solve(facts: StackFacts, specifier = '>=0'): TorchFamily | undefined {
  const builds = candidates(facts).filter(({ version }) => satisfies(version, specifier));
  const pins = pinsOnTorch(facts);
  const keeping = builds.filter((each) => pins.every((pin) => keeps(each, pin)));
  const needed = leastCudnn(facts);
  const sharing = keeping.filter((each) => needed === undefined || hasCudnn(each, needed));
  const best = [sharing, keeping, builds].map((each) => withBestTag(facts, each)).find((each) => each !== undefined);
  if (best === undefined) return undefined;
  const { release, version, tag } = best;
  const { torchvision, torchaudio } = facts.frameworks;
  return {
    torch: version,
    tag,
    torchvision: knownValue(torchvision) ? release.torchvision : null,
    torchaudio: knownValue(torchaudio) ? release.torchaudio : null,
    breaks: pins.filter((pin) => !keeps(best, pin)).map(({ name }) => name),
  };
}

/** The builds that run on this machine and its Python, whatever else is installed, those nearest to the installed one first. */
function candidates(facts: StackFacts): readonly TorchBuild[] {
  const target = cudaTargetOf(facts);
  if (target === undefined) return [];
  const python = knownValue(facts.interpreter)?.version?.match(/^\d+\.\d+/)?.[0];
  const builds = runnable(torchBuilds(target), target.gpu, python);
  return inUseFirst(builds, knownValue(facts.frameworks.torch)?.version);
}

/** What is compiled for one family of CUDA loads beside no other. */
function keeps({ version, tag }: TorchBuild, { specifier, cuda }: Pin): boolean {
  return satisfies(version, specifier) && (cuda === undefined || cuda === majorOf(cudaOfTag(tag)));
}

/** Of the builds of the first version that for the CUDA that is there already, else the first of a family that others share. */
function withBestTag(facts: StackFacts, builds: readonly TorchBuild[]): TorchBuild | undefined {
  const cuda = knownValue(facts.frameworks.torch)?.cuda;
  const families = otherFamilies(facts);
  const own = builds.filter(({ version }) => version === builds[0]?.version);
  const shared = own.filter(({ tag }) => families.length === 0 || families.includes(majorOf(cudaOfTag(tag))));
  return shared.find(({ tag }) => cuda && tag === tagOfCuda(cuda)) ?? shared[0] ?? own[0];
}

/** The CUDA families of the other frameworks, whose wheels of cuDNN share one folder with torch's. */
function otherFamilies({ frameworks }: StackFacts): string[] {
  return [frameworks.jax, frameworks.tensorflow].flatMap((fact) => {
    const build = knownValue(fact);
    return build?.target === 'cuda' && build.cuda !== null ? [majorOf(build.cuda)] : [];
  });
}

/** The cuDNN that another framework needs of the wheel that it shares with torch. */
function leastCudnn(facts: StackFacts): string | undefined {
  const needs = (['tensorflow', 'jax'] as const).flatMap((framework) => {
    const build = knownValue(facts.frameworks[framework]);
    const loaded = knownValue(facts.loadedCudnn[framework]);
    if (build?.target !== 'cuda' || loaded?.origin !== 'wheel') return [];
    return builtCudnnOf(facts, framework)?.value ?? [];
  });
  return needs.sort(compareVersions).at(-1);
}

function hasCudnn({ release, tag }: TorchBuild, needed: string): boolean {
  const cudnn = release.builds.get(tag)?.cudnn;
  if (!cudnn) return false;
  return majorOf(cudnn) === majorOf(needed) && compareVersions(cudnn, minorOf(needed)) >= 0;
}
