import { codeFits } from '../../published/codeFits.ts';
import { type DriverSystem, lowestDriver } from '../../published/releases/cudaDriver.ts';
import {
  armArchitectures,
  cudaOfTag,
  type TorchRelease,
  tagOfCuda,
  torchReleaseOf,
  torchReleases,
} from '../../published/releases/torchReleases.ts';
import { satisfies } from '../../published/specifier.ts';
import { compareVersions, isWithin, majorOf, minorOf } from '../../published/versions.ts';
import { builtCudnnOf } from '../../stack/builds/gpuCode.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { onChip, visibleGpus } from '../../stack/facts/usableGpus.ts';
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

/**
 * Whose driver numbers count. The number of the driver in WSL is that of the Windows driver. Where the system is not told,
 * a number of three parts is that of a driver for Linux.
 */
export function driverSystem({ os, wsl, driver }: StackFacts): DriverSystem | undefined {
  const family = knownValue(os)?.family;
  if (family === 'windows' || knownValue(wsl)) return 'windows';
  if (family !== undefined) return family === 'linux' ? 'linux' : undefined;
  return /^\d{3}\.\d+\.\d+$/.test(knownValue(driver) ?? '') ? 'linux' : undefined;
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

interface Candidate {
  release: TorchRelease;
  version: string;
  tag: string;
}

function solve(facts: StackFacts, specifier = '>=0'): TorchFamily | undefined {
  const candidates = runnable(facts).filter(({ version }) => satisfies(version, specifier));
  const pins = pinsOnTorch(facts);
  const keeping = candidates.filter((each) => pins.every((pin) => keeps(each, pin)));
  const needed = leastCudnn(facts);
  const sharing = keeping.filter(({ release, tag }) => needed === undefined || hasCudnn(release, tag, needed));
  const best = preferred(facts, sharing) ?? preferred(facts, keeping) ?? preferred(facts, candidates);
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

/** What is compiled for one family of CUDA loads beside no other. */
function keeps({ version, tag }: Candidate, { specifier, cuda }: Pin): boolean {
  return satisfies(version, specifier) && (cuda === undefined || cuda === majorOf(cudaOfTag(tag)));
}

/** The wheels that can be installed and run here, whatever else is installed. */
function runnable(facts: StackFacts): Candidate[] {
  const driver = knownValue(facts.driver);
  const system = driverSystem(facts);
  const os = knownValue(facts.os);
  if (driver === undefined || system === undefined || os === undefined || onChip(facts)) return [];
  const python = knownValue(facts.interpreter)?.version?.match(/^\d+\.\d+/)?.[0];
  const capabilities = visibleGpus(facts).flatMap(({ computeCapability }) => computeCapability ?? []);
  return torchReleases().flatMap((release) => {
    if (python !== undefined && !isWithin(python, release.python)) return [];
    return [...release.builds].flatMap(([tag, { architectures }]) => {
      const floor = lowestDriver(cudaOfTag(tag), system);
      if (floor === undefined || compareVersions(driver, floor) < 0) return [];
      const code = os.architecture === 'arm64' ? armCode(release, tag) : architectures;
      if (code === null || !capabilities.every((each) => codeFits(code, each) === 'native')) return [];
      return release.versions.map((version) => ({ release, version, tag }));
    });
  });
}

/** The first release with wheels for CUDA on Arm. */
const FIRST_ON_ARM = '2.7';

function armCode({ torch }: TorchRelease, tag: string): string[] | null {
  return compareVersions(torch, FIRST_ON_ARM) < 0 ? null : armArchitectures(tag);
}

/** The installed version, else its release, else the nearest newer one, else the nearest older one. */
function preferred(facts: StackFacts, candidates: Candidate[]): Candidate | undefined {
  const installed = knownValue(facts.frameworks.torch);
  const version = installed?.version.match(/^\d+\.\d+\.\d+/)?.[0];
  const newest = [...candidates].sort((left, right) => compareVersions(right.version, left.version));
  const of = (each: Candidate | undefined) =>
    each &&
    withBestTag(
      facts,
      newest.filter((other) => other.version === each.version),
    );
  if (version === undefined) return of(newest[0]);
  const release = torchReleaseOf(version)?.torch;
  const newer = newest.filter((each) => compareVersions(each.version, version) > 0);
  const nearest = newer.at(-1)?.release;
  return of(
    newest.find((each) => each.version === version) ??
      newest.find((each) => each.release.torch === release) ??
      newer.find((each) => each.release === nearest) ??
      newest[0],
  );
}

/** The CUDA that is there already, else that of PyPI from 11 on, else the newest that the driver knows by itself, else any. */
function withBestTag(facts: StackFacts, candidates: Candidate[]): Candidate | undefined {
  const cuda = knownValue(facts.frameworks.torch)?.cuda;
  const supported = knownValue(facts.driverCuda);
  const families = otherFamilies(facts);
  const score = ({ tag, release }: Candidate): number => {
    const version = cudaOfTag(tag);
    if (families.length > 0 && !families.includes(majorOf(version))) return -1;
    if (cuda && tag === tagOfCuda(cuda)) return 1000;
    if (supported !== undefined && compareVersions(version, supported) > 0) return 0;
    return tag === release.pypi && Number(version) >= 11 ? 900 : Number(version);
  };
  return [...candidates].sort((left, right) => score(right) - score(left))[0];
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

function hasCudnn(release: TorchRelease, tag: string, needed: string): boolean {
  const cudnn = release.builds.get(tag)?.cudnn;
  if (!cudnn) return false;
  return majorOf(cudnn) === majorOf(needed) && compareVersions(cudnn, minorOf(needed)) >= 0;
}
