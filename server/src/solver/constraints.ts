import type { PublishedBuild } from '../fit/build.ts';
import type { TorchWheel } from '../fit/builds/torch.ts';
import { cudaBeside } from '../fit/cudaFamily.ts';
import { gpusOfOlderCudnn } from '../fit/cudnn.ts';
import { driverFor } from '../fit/driver.ts';
import { runsWell } from '../fit/gpuCode.ts';
import type { NvidiaTarget, PlanTarget } from '../fit/target.ts';
import { mayRunIn } from '../fit/wheelTags.ts';
import { knownPackage } from '../published/knownPackages.ts';
import { upToCudnn } from '../published/releases/cudnnReleases.ts';
import { firstTensorflowWith } from '../published/releases/tensorflowReleases.ts';
import { isTorchCompanion } from '../published/releases/torchCompanions.ts';
import { fits, overlap } from '../published/specifier.ts';
import { shortGpuName } from '../stack/facts/gpuName.ts';
import { type Need, type Needs, withOrigin, written } from './needs.ts';
import type { Constraint } from './search.ts';
import { besideBuild } from './versionsBeside.ts';

/** The parts of the search: the Python under "python", builds under the names of their needs. */
export type Parts = Record<string, string | PublishedBuild>;

/** A need whose package has several builds. */
export interface Several {
  readonly need: Need;
  readonly builds: readonly PublishedBuild[];
}

/** The constraints on a choice: the needs, the machine, and the builds' requirements on each other. */
export function constraintsOf(target: PlanTarget, needs: Needs, several: readonly Several[]): Constraint<Parts>[] {
  const { gpu } = target;
  const build = (parts: Parts, name: string) => parts[name] as PublishedBuild;
  const all: Constraint<Parts>[] = [];
  if (needs.python !== null) {
    const { specifier, because } = needs.python;
    all.push({
      about: withOrigin(`Python ${specifier}`, because),
      parts: ['python'],
      holds: ({ python }) => overlap(`==${python}.*`, specifier),
      pin: 'python',
    });
  }
  for (const { need } of several) {
    const { name, specifier } = need;
    if (specifier !== '') all.push(pinned(need, [name], (parts) => overlap(build(parts, name).versions, specifier)));
    all.push({
      about: `the Pythons that ${name} has wheels for`,
      parts: ['python', name],
      holds: (parts) => mayRunIn(build(parts, name), parts.python as string),
    });
    if (gpu.kind === 'cuda') all.push(...gpuConstraints(name, gpu), ...familyAsked(need));
    if (name !== 'torch') all.push(...besideTorch(name, several));
  }
  return [
    ...all,
    ...companions(needs, several),
    ...tfKeras(needs, several),
    ...plain(needs, several),
    ...sharing(several),
  ];
}

function gpuConstraints(name: string, gpu: NvidiaTarget): Constraint<Parts>[] {
  const code = gpu.gpus.map(
    ({ name: model, computeCapability }): Constraint<Parts> => ({
      about: `code of ${name} for the ${shortGpuName(model)}${computeCapability === null ? '' : ` (compute capability ${computeCapability})`}`,
      parts: [name],
      holds: (parts) => computeCapability === null || runsWell(parts[name] as PublishedBuild, computeCapability),
    }),
  );
  const driver: Constraint<Parts> = {
    about: `the driver ${gpu.driver}`,
    parts: [name],
    holds: (parts) => startsOn(parts[name] as PublishedBuild, gpu),
    isOfDriver: true,
  };
  const cudnn = gpusOfOlderCudnn(gpu).map(
    ({ gpu: { name: model, computeCapability }, last }): Constraint<Parts> => ({
      about: `cuDNN ${last.cudnn} or older, the last for the ${shortGpuName(model)} (compute capability ${computeCapability})`,
      parts: [name],
      holds: (parts) => overlap((parts[name] as PublishedBuild).cudnn ?? '', upToCudnn(last)),
    }),
  );
  const unlike = [...code, ...cudnn].filter(
    ({ about }, at, all) => all.findIndex((each) => each.about === about) === at,
  );
  return [driver, ...unlike];
}

/** True if the machine's driver supports a build. */
export function startsOn({ cuda }: PublishedBuild, gpu: NvidiaTarget): boolean {
  return cuda === null || driverFor(cuda, gpu).fit === 'holds';
}

/** The CUDA major version in a JAX extra: "jax[cuda12]". */
function familyAsked(need: Need): Constraint<Parts>[] {
  const family = need.extras.map((extra) => /^cuda(\d\d)/.exec(extra)?.[1]).find((each) => each !== undefined);
  if (need.name !== 'jax' || family === undefined) return [];
  return [pinned(need, ['jax'], ({ jax }) => (jax as PublishedBuild).cuda === family)];
}

/** The torch builds for which an add-on was compiled. */
function besideTorch(name: string, several: readonly Several[]): Constraint<Parts>[] {
  if (!several.some(({ need }) => need.name === 'torch')) return [];
  return [
    {
      about: `the builds of torch that ${name} was compiled for`,
      parts: [name, 'torch'],
      holds: (parts) => {
        const needed = (parts[name] as PublishedBuild).torch;
        const torch = parts.torch as TorchWheel;
        if (needed === undefined) return true;
        if (needed.ofPypi && !torch.onPypi) return false;
        return fits(torch.version, needed.specifier) && (needed.tags?.test(torch.tag) ?? true);
      },
    },
  ];
}

/** A requested version of a package that is released with torch determines torch. */
function companions({ packages }: Needs, several: readonly Several[]): Constraint<Parts>[] {
  if (!several.some(({ need }) => need.name === 'torch')) return [];
  return packages.flatMap((need): Constraint<Parts>[] => {
    const { name, specifier } = need;
    if (!isTorchCompanion(name) || specifier === '') return [];
    return [pinned(need, ['torch'], ({ torch }) => overlap(`==${(torch as TorchWheel).release[name]}.*`, specifier))];
  });
}

/** tf-keras has the release numbers of TensorFlow. */
function tfKeras({ packages }: Needs, several: readonly Several[]): Constraint<Parts>[] {
  const isWanted = packages.some(({ name }) => name === 'tf-keras');
  if (!isWanted || !several.some(({ need }) => need.name === 'tensorflow')) return [];
  return [
    {
      about: 'the TensorFlows that tf-keras is published for',
      parts: ['tensorflow'],
      holds: ({ tensorflow }) =>
        overlap((tensorflow as PublishedBuild).versions, `>=${firstTensorflowWith('tf_keras')}`),
    },
  ];
}

/** For packages with one build for all, the requested version must be compatible with the builds. */
function plain({ packages }: Needs, several: readonly Several[]): Constraint<Parts>[] {
  const asked = packages.filter(
    ({ name, specifier }) => specifier !== '' && !several.some(({ need }) => need.name === name),
  );
  return asked.flatMap((need) =>
    several.map(({ need: { name } }) =>
      pinned(need, [name], (parts) =>
        overlap(besideBuild(need.name, parts[name] as PublishedBuild)?.specifier ?? '', need.specifier),
      ),
    ),
  );
}

/**
 * NVIDIA's wheels of one CUDA major version share a folder, so packages that depend on them share one major version and
 * one cuDNN.
 */
function sharing(several: readonly Several[]): Constraint<Parts>[] {
  const names = several.map(({ need }) => need.name).filter((name) => knownPackage(name)?.shares_cuda);
  return names.flatMap((one, at) =>
    names.slice(at + 1).map(
      (other): Constraint<Parts> => ({
        about: `one CUDA and one cuDNN for ${one} and ${other}, whose wheels share them`,
        parts: [one, other],
        holds: (parts) => {
          const [left, right] = [parts[one] as PublishedBuild, parts[other] as PublishedBuild];
          if (left.cuda === null || right.cuda === null) return true;
          if (cudaBeside(left.cuda, right.cuda).fit === 'fails') return false;
          if (!agreeOnCudnn(left, right)) return false;
          return agreeOnNccl(left, right) && agreeOnNccl(right, left);
        },
      }),
    ),
  );
}

/** For some torch builds the pinned cuDNN is unknown. */
function agreeOnCudnn(left: PublishedBuild, right: PublishedBuild): boolean {
  if (left.cudnn !== null && right.cudnn !== null) return overlap(left.cudnn, right.cudnn);
  const known = left.cudnn === null ? right : left;
  const other = known === left ? right : left;
  return known.cudnn === null || other.name !== 'torch';
}

/** A package's NCCL requirement must be compatible with torch, which pins its own. */
function agreeOnNccl({ name, nccl }: PublishedBuild, other: PublishedBuild): boolean {
  if (nccl === undefined || name === 'torch') return true;
  return other.nccl === undefined ? other.name !== 'torch' : overlap(nccl, other.nccl);
}

function pinned(need: Need, parts: readonly [string], holds: Constraint<Parts>['holds']): Constraint<Parts> {
  return { about: withOrigin(written(need), need.because), parts, holds, pin: need.name };
}
