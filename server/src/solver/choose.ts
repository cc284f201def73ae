import type { Builds, PublishedBuild } from '../fit/build.ts';
import { addonBuilds } from '../fit/builds/addons.ts';
import { ctranslate2Builds } from '../fit/builds/ctranslate2.ts';
import { cupyBuilds } from '../fit/builds/cupy.ts';
import { jaxBuilds } from '../fit/builds/jax.ts';
import { onnxruntimeBuilds } from '../fit/builds/onnxruntime.ts';
import { tensorflowBuilds } from '../fit/builds/tensorflow.ts';
import { type TorchWheel, torchBuilds } from '../fit/builds/torch.ts';
import type { NvidiaTarget, PlanTarget } from '../fit/target.ts';
import { knownPackage } from '../published/knownPackages.ts';
import { lastDriverBranch, lowestDriver } from '../published/releases/cudaDriver.ts';
import { newPythons, preferredPythons } from '../published/releases/pythonReleases.ts';
import { relativeOf } from '../published/releases/rocmReleases.ts';
import { compareVersions } from '../published/versions.ts';
import { constraintsOf, type Parts, type Several, startsOn } from './constraints.ts';
import type { Needs } from './needs.ts';
import { inUseFirst } from './runnable.ts';
import { type Constraint, conflict, type Domain, search } from './search.ts';
import { type ChangedPin, smallestChanges } from './smallestChange.ts';

/** The result: a Python, and a build of each package with several builds. */
export interface Choice {
  readonly python: string;
  readonly builds: readonly PublishedBuild[];
  readonly torch: TorchWheel | undefined;
  /** The minimum driver for the entire choice, if the installed one is older. */
  readonly driver: string | undefined;
}

/** A choice, or the reason why there is none. */
type Chosen =
  | {
      readonly choice: Choice;
      /** The smallest changes to the pins that would let the driver stay as it is, if the choice needs a newer one. */
      readonly changes: readonly PossibleChange[];
    }
  | {
      /** One sentence. */
      readonly trouble: string;
      /** The smallest changes to the pins that allow a choice, the nearest releases first. */
      readonly changes: readonly PossibleChange[];
    };

/** A change of pins, and the resulting choice. */
interface PossibleChange {
  readonly pins: readonly ChangedPin[];
  readonly choice: Choice;
}

/**
 * Chooses the newest builds that are compatible with each other, the machine and the needs. If the driver is too old
 * and a newer one exists for the GPU, the choice includes the required driver.
 */
export function choose(target: PlanTarget, needs: Needs, pythonInUse: string | undefined): Chosen {
  const several = buildsOf(target, needs);
  if ('trouble' in several) return { trouble: several.trouble, changes: [] };
  const domains = [
    pythonDomain(pythonInUse),
    ...several.map(({ need, builds }) => ({ part: need.name, values: builds })),
  ];
  const constraints = constraintsOf(target, needs, several);
  // Builds that search for the system's CUDA come after all that include their own, whatever the Python.
  const complete = domains.map(({ part, values }) => ({ part, values: values.filter(isComplete) }));
  const found = search(complete, constraints) ?? search(domains, constraints);
  if (found !== undefined) return { choice: choiceOf(found, undefined), changes: [] };
  return withNewerDriver(target, needs, domains, constraints) ?? explain(needs, domains, constraints);
}

function isComplete(value: string | PublishedBuild): boolean {
  return typeof value === 'string' || value.wants === undefined;
}

/** The needs with several builds, in the order in which they are decided. */
function buildsOf(target: PlanTarget, { packages }: Needs): Several[] | { trouble: string } {
  const besideTorch = packages.some(({ name }) => name === 'torch');
  const found: Several[] = [];
  for (const need of [...packages].sort((left, right) => placeOf(left.name) - placeOf(right.name))) {
    const builds = candidates(need.name, target, besideTorch);
    if (builds === undefined) continue;
    if ('none' in builds) return { trouble: builds.none };
    found.push({ need, builds: inUseFirst(builds, need.inUse) });
  }
  return found;
}

/** Packages that determine others come first. */
function placeOf(name: string): number {
  return knownPackage(name)?.decides ?? Number.MAX_SAFE_INTEGER;
}

function candidates(name: string, target: PlanTarget, besideTorch: boolean): Builds | undefined {
  switch (name) {
    case 'torch':
      return torchOrWhyNot(target);
    case 'tensorflow':
      return tensorflowBuilds(target);
    case 'jax':
      return jaxBuilds(target);
    case 'onnxruntime':
      return onnxruntimeBuilds(target, besideTorch);
    case 'cupy':
      return cupyBuilds(target);
    case 'ctranslate2':
    case 'faster-whisper':
      return ctranslate2Builds(name, target);
    default:
      return addonBuilds(name, target);
  }
}

function torchOrWhyNot(target: PlanTarget): Builds {
  const builds = torchBuilds(target);
  if (builds.length > 0) return builds;
  const { gpu } = target;
  if (gpu.kind !== 'rocm') return { none: `torch has no wheels for ${target.words}.` };
  const relative = gpu.architectures.map(relativeOf)[0];
  const way = relative
    ? `; with HSA_OVERRIDE_GFX_VERSION=${relative}, ROCm treats it as a similar GPU that they support`
    : '';
  return { none: `PyTorch's wheels for ROCm contain no code for AMD's ${gpu.architectures.join(' and ')}${way}.` };
}

function pythonDomain(inUse: string | undefined): Domain<Parts> {
  const first = inUse !== undefined && preferredPythons().includes(inUse) ? [inUse] : [];
  return { part: 'python', values: [...new Set([...first, ...newPythons()])] };
}

function choiceOf({ python, ...rest }: Parts, driver: string | undefined): Choice {
  const builds = Object.values(rest).filter((each) => typeof each !== 'string');
  const torch = builds.find((each): each is TorchWheel => each.name === 'torch');
  return { python: python as string, builds, torch, driver };
}

/** The newest driver branch that supports all of the GPUs. */
function newestDriver({ gpus }: NvidiaTarget): number {
  const branches = gpus.flatMap(({ computeCapability }) => lastDriverBranch(computeCapability ?? '99') ?? []);
  return Math.min(...branches, Number.MAX_SAFE_INTEGER);
}

function withNewerDriver(
  { gpu }: PlanTarget,
  needs: Needs,
  domains: readonly Domain<Parts>[],
  constraints: readonly Constraint<Parts>[],
): Chosen | undefined {
  if (gpu.kind !== 'cuda') return undefined;
  const newest = `${newestDriver(gpu)}.999`;
  const relaxed = constraints.map((each) =>
    each.isOfDriver
      ? {
          ...each,
          holds: (parts: Parts) => startsOn(parts[String(each.parts[0])] as PublishedBuild, { ...gpu, driver: newest }),
        }
      : each,
  );
  const found = search(domains, relaxed);
  if (found === undefined) return undefined;
  const choice = choiceOf(found, undefined);
  const floors = choice.builds.flatMap(({ cuda }) => (cuda === null ? [] : (lowestDriver(cuda, gpu.system) ?? [])));
  return {
    choice: { ...choice, driver: floors.sort(compareVersions).at(-1) },
    changes: changesOf(needs, domains, constraints),
  };
}

function changesOf(
  needs: Needs,
  domains: readonly Domain<Parts>[],
  constraints: readonly Constraint<Parts>[],
): PossibleChange[] {
  return smallestChanges(needs, domains, constraints).map(({ pins, parts }) => ({
    pins,
    choice: choiceOf(parts, undefined),
  }));
}

/** The reason why nothing fits, and the changes of pins that would help. */
function explain(needs: Needs, domains: readonly Domain<Parts>[], constraints: readonly Constraint<Parts>[]): Chosen {
  const clashing = conflict(domains, constraints);
  const list = clashing.map(({ about }) => about);
  const trouble =
    list.length === 1
      ? `No known wheel offers ${list[0]}.`
      : `No known wheels offer all of these together: ${list.join('; ')}.`;
  return { trouble, changes: changesOf(needs, domains, constraints) };
}
