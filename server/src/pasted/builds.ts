/** The builds of listed framework packages, from their names, tags and publishers. */

import { withSameModules } from '../published/knownPackages.ts';
import { asOf } from '../published/releases/releaseData.ts';
import { tensorflowHas, tensorflowReleaseOf } from '../published/releases/tensorflowReleases.ts';
import type { TorchCompanion } from '../published/releases/torchCompanions.ts';
import { cudaOfTag, tagOfCuda, torchHas, torchReleaseOf } from '../published/releases/torchReleases.ts';
import { torchWheelsOf } from '../published/releases/torchWheels.ts';
import type {
  BuildTarget,
  CondaPackage,
  FrameworkBuild,
  KerasBuild,
  OperatingSystem,
  Package,
} from '../stack/facts/facts.ts';
import { targetOfLocalTag } from '../stack/readers/torch.ts';
import type { ReportedBuild } from './report.ts';

/** Everything that the reports say about one environment. */
export interface ReportedEnvironment {
  readonly os: OperatingSystem | undefined;
  /** By name; a conda environment also lists its own packages. */
  readonly packages: ReadonlyMap<string, Package>;
  readonly conda: readonly CondaPackage[];
  /** True if conda may have installed packages that pip lists. */
  readonly mayBeConda: boolean;
  /** A CUDA version that the author mentions without saying what it belongs to. */
  readonly cudaNamed?: string | undefined;
  /** The GPU architectures that torch reports for its build. */
  readonly torchCode: string[] | null;
  /** JAX reported that its jaxlib has no CUDA. */
  readonly jaxLacksCuda: boolean;
}

type Made = Pick<FrameworkBuild, 'target' | 'cuda' | 'rocm' | 'cudnn' | 'installer' | 'pinned' | 'architectures'>;

const UNKNOWN: Made = {
  target: null,
  cuda: null,
  rocm: null,
  cudnn: null,
  installer: null,
  pinned: [],
  architectures: null,
};

function build(found: Package, made: Partial<Made>): FrameworkBuild {
  return { ...found, ...UNKNOWN, ...made };
}

/** The reported torch; its own output takes precedence over package lists. */
export function torchOf(
  reported: ReportedBuild | undefined,
  environment: ReportedEnvironment,
  source: string,
): FrameworkBuild | undefined {
  const { packages, conda } = environment;
  const ofConda = conda.find(({ name }) => name === 'pytorch' || name === 'pytorch-gpu' || name === 'pytorch-cpu');
  const listed = packages.get('torch');
  const version = reported?.version ?? listed?.version ?? ofConda?.version;
  if (version === undefined) return undefined;
  const found: Package = { name: 'torch', version, folder: source, alsoInstalled: [] };
  const isOfConda = ofConda !== undefined && !version.includes('+') && version.startsWith(ofConda.version);
  const tagged = targetOfLocalTag(version);
  const said = saidOf(reported, environment.os);
  const made = isOfConda
    ? madeByConda(ofConda)
    : tagged.target !== null
      ? tagged
      : lacksTag(reported)
        ? {}
        : publishedTorch(version, environment);
  const isPublished = said.target === undefined && !isOfConda && tagged.target === null && made.target !== undefined;
  const hasCode = environment.torchCode?.some((each) => each.startsWith('sm_')) ? ('cuda' as const) : null;
  const target = said.target ?? made.target ?? hasCode;
  const cuda = said.target === undefined ? (made.cuda ?? null) : (said.cuda ?? made.cuda ?? null);
  const isOfPip = !isOfConda && !environment.mayBeConda && !lacksTag(reported);
  return build(found, {
    target,
    cuda: target === 'cuda' ? cuda : null,
    rocm: said.rocm ?? made.rocm ?? null,
    installer: isOfConda ? 'conda' : isOfPip ? 'pip' : null,
    pinned: target === 'cuda' && isOfPip ? pinnedBy(version, cuda) : [],
    architectures: environment.torchCode,
    ...(isPublished && { targetFrom: `PyPI's wheels of torch ${version}, as of ${asOf('torchReleases')}` }),
  });
}

/** True for a version without a build tag if PyPI's wheels report one: the build is conda's or a custom one. */
function lacksTag(reported: ReportedBuild | undefined): boolean {
  return (
    Boolean(reported?.isItsOwn) && !reported?.version.includes('+') && torchHas('local_tags', reported?.version ?? '')
  );
}

function saidOf(
  reported: ReportedBuild | undefined,
  os: OperatingSystem | undefined,
): { target?: BuildTarget; cuda?: string | null; rocm?: string } {
  if (reported?.rocm) return { target: 'rocm', rocm: reported.rocm };
  if (reported?.cuda) return { target: 'cuda', cuda: reported.cuda };
  if (reported?.cuda !== null) return {};
  return { target: os?.family === 'macos' && os.architecture === 'arm64' ? 'mps' : 'cpu', cuda: null };
}

/**
 * PyPI's build of a version without a tag: for CUDA on Linux, for the CPU elsewhere. If the text mentions a CUDA for
 * which the release has a separate build, it may be that one.
 */
function publishedTorch(version: string, { os, mayBeConda, cudaNamed }: ReportedEnvironment): Partial<Made> {
  const release = torchReleaseOf(version);
  const named = cudaNamed && tagOfCuda(cudaNamed);
  if (named && named !== release?.pypi && release?.builds.has(named)) return {};
  if (!/^\d+\.\d+(?:\.\d+)?$/.test(version) || os === undefined || release === undefined || mayBeConda) return {};
  if (os.family === 'macos') return { target: os.architecture === 'arm64' ? 'mps' : 'cpu' };
  // Authors who mention a CUDA omit the tag; lists include it for other builds.
  if (os.family === 'windows') return named ? {} : { target: 'cpu' };
  return os.architecture === 'x64' ? { target: 'cuda', cuda: cudaOfTag(release.pypi) } : {};
}

/**
 * "py3.10_cuda12.1_cudnn8.9.2_0" in PyTorch's channel, "gpu_cuda118py310..." in defaults, "cuda112py39..." in
 * conda-forge.
 */
function madeByConda({ build: how }: CondaPackage): Partial<Made> {
  const [, cuda] = how.match(/_cuda(\d+\.\d+)/) ?? [];
  if (cuda !== undefined) return { target: 'cuda', cuda };
  const digits = how.match(/cuda_?(\d{2})(\d)(?!\d)/);
  if (digits !== null) return { target: 'cuda', cuda: `${digits[1]}.${digits[2]}` };
  return /(?:^|_)cpu/.test(how) ? { target: 'cpu' } : {};
}

/** The NVIDIA wheels that PyPI's torch of that version requires, if the build is for PyPI's CUDA. */
function pinnedBy(version: string, cuda: string | null): FrameworkBuild['pinned'] {
  const [release = ''] = version.split('+');
  const row = torchReleaseOf(release);
  if (row === undefined || cuda === null || cudaOfTag(row.pypi) !== cuda) return [];
  return Object.entries(torchWheelsOf(release)?.wheels ?? {}).map(([name, pinned]) => ({ name, version: pinned }));
}

/** torchvision or torchaudio, whose build only their local tag identifies. */
export function reportedCompanion(
  name: TorchCompanion,
  { packages, conda }: ReportedEnvironment,
  source: string,
): FrameworkBuild | undefined {
  const listed = packages.get(name);
  const ofConda = conda.find((each) => each.name === name);
  const version = listed?.version ?? ofConda?.version;
  if (version === undefined) return undefined;
  const found = { name, version, folder: source, alsoInstalled: [] };
  const isOfConda = ofConda !== undefined && version === ofConda.version;
  return build(found, { ...targetOfLocalTag(version), installer: isOfConda ? 'conda' : 'pip' });
}

/** `usesCuda`: it searched for CUDA, which only CUDA builds do. */
export function tensorflowOf(
  reported: ReportedBuild | undefined,
  environment: ReportedEnvironment,
  usesCuda: boolean,
  source: string,
): FrameworkBuild | undefined {
  const { packages, conda, os } = environment;
  const listed = withSameModules('tensorflow').flatMap((name) => packages.get(name) ?? [])[0];
  const ofConda = conda.find(({ name }) => /^tensorflow(-base|-gpu|-cpu)?$/.test(name));
  const version = reported?.version ?? listed?.version ?? ofConda?.version;
  if (version === undefined) return undefined;
  const name = listed?.name ?? 'tensorflow';
  const found: Package = { name, version, folder: source, alsoInstalled: [] };
  if (listed === undefined && ofConda !== undefined)
    return build(found, { ...tensorflowOfConda(conda), installer: 'conda' });
  const release = /^\d+\.\d+\.\d+(?:\.post\d+)?$/.test(version) ? tensorflowReleaseOf(version) : undefined;
  const mayCuda = name === 'tensorflow-gpu' || (name === 'tensorflow' && isForCuda(version, os)) || usesCuda;
  if (!mayCuda)
    return build(found, { target: name === 'tensorflow-rocm' ? 'rocm' : listed === undefined ? null : 'cpu' });
  // Only a list or its own behavior identifies the package.
  if (listed === undefined && !usesCuda) return build(found, {});
  return build(found, { target: 'cuda', cuda: release?.cuda ?? null, cudnn: release?.cudnn ?? null, installer: 'pip' });
}

function isForCuda(version: string, os: OperatingSystem | undefined): boolean {
  const release = tensorflowReleaseOf(version);
  if (
    release === undefined ||
    os === undefined ||
    os.architecture !== 'x64' ||
    !tensorflowHas('gpus_by_default', version)
  )
    return false;
  return os.family === 'linux' || (os.family === 'windows' && release.windows);
}

function tensorflowOfConda(conda: readonly CondaPackage[]): Partial<Made> {
  const builds = conda.filter(({ name }) => /^tensorflow(-base|-gpu|-cpu)?$/.test(name)).map(({ build: how }) => how);
  if (builds.some((how) => /^gpu_|cuda/.test(how))) return { target: 'cuda' };
  return builds.some((how) => /^(?:mkl|eigen|cpu)_/.test(how)) ? { target: 'cpu' } : {};
}

/** `isListed`: true if the alphabetical list would contain a name if it were installed. */
export function jaxOf(
  { packages, conda, jaxLacksCuda }: ReportedEnvironment,
  isListed: (name: string) => boolean,
  source: string,
): FrameworkBuild | undefined {
  const ofItsOwn = conda.find(({ name }) => name === 'jax');
  const jax = packages.get('jax') ?? (ofItsOwn && { name: 'jax', version: ofItsOwn.version, alsoInstalled: [] });
  if (jax === undefined) return undefined;
  const plugin = [...packages.keys()].flatMap((name) => name.match(/^jax-cuda(\d+)-/)?.[1] ?? [])[0];
  const tag = packages.get('jaxlib')?.version.match(/\+cuda(\d+)/)?.[1];
  const ofConda = conda.find(({ name }) => name === 'jaxlib')?.build;
  const cuda = plugin ?? tag ?? ofConda?.match(/^cuda(\d{2})\d/)?.[1] ?? null;
  const isForCpu = isListed('jax-cuda13-plugin') || jaxLacksCuda || ofConda?.startsWith('cpu');
  const target = cuda !== null ? 'cuda' : isForCpu ? 'cpu' : null;
  return build({ ...jax, folder: source }, { target, cuda, installer: ofConda === undefined ? 'pip' : 'conda' });
}

/** Only a list identifies the package. */
export function onnxruntimeOf(
  reported: ReportedBuild | undefined,
  { packages }: ReportedEnvironment,
  source: string,
): FrameworkBuild | undefined {
  const found = packages.get('onnxruntime-gpu') ?? packages.get('onnxruntime');
  if (found === undefined)
    return reported && build({ name: 'onnxruntime', version: reported.version, folder: source, alsoInstalled: [] }, {});
  const both =
    packages.has('onnxruntime') && found.name === 'onnxruntime-gpu'
      ? [`onnxruntime ${packages.get('onnxruntime')?.version}`]
      : [];
  // If both are installed, the files belong to the later one, and lists have no order.
  const target = both.length > 0 ? null : found.name === 'onnxruntime-gpu' ? 'cuda' : 'cpu';
  return build({ ...found, folder: source, alsoInstalled: both }, { target, installer: 'pip' });
}

/** The backend in use is not reported. */
export function reportedKeras({ packages }: ReportedEnvironment, source: string): KerasBuild | undefined {
  const keras = packages.get('keras');
  return keras && { ...keras, folder: source, backend: null, backendFrom: null, installedBackends: [] };
}
