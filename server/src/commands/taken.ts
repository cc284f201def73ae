/** The release that an installer selects for a command. */

import { editionOf } from '../published/knownPackages.ts';
import { wheelSystemOf } from '../published/platforms.ts';
import { type JaxRelease, jaxReleases, lowestCapabilityOfJax } from '../published/releases/jaxReleases.ts';
import { lowestCapabilityOfOnnxruntime, onnxruntimeReleases } from '../published/releases/onnxruntimeReleases.ts';
import { type PublishedRelease, publishedReleases } from '../published/releases/publishedWheels.ts';
import { bringsCuda, tensorflowReleaseOf } from '../published/releases/tensorflowReleases.ts';
import { torchFamilyReleases } from '../published/releases/torchCompanions.ts';
import {
  armArchitectures,
  cudaOfTag,
  type TorchRelease,
  torchHas,
  torchReleases,
} from '../published/releases/torchReleases.ts';
import { satisfies } from '../published/specifier.ts';
import { compareVersions } from '../published/versions.ts';
import type { Asked, Installing } from './installing.ts';
import type { Place } from './place.ts';

/** The release or build that an installer selects. */
export interface Taken {
  readonly name: string;
  /** Undefined if only its CUDA version is known, from its name. */
  readonly version?: string;
  /** The target of the build; undefined if unknown. */
  readonly target?: 'cpu' | 'cuda' | 'rocm' | 'xpu' | 'mps';
  /** "12.4", or a family: "12". */
  readonly cuda?: string;
  readonly rocm?: string;
  /** Its native code, and its code that the driver can compile: "sm_80", "compute_90". */
  readonly architectures?: readonly string[];
  /** The minimum compute capability, if its code is not listed. */
  readonly lowest?: string;
  /** The PEP 440 specifier of its requirement on NVIDIA's cuDNN wheel. */
  readonly cudnn?: string;
}

/** The reason why nothing can be installed: a phrase after the name of the package. */
export interface Nothing {
  readonly none: string;
}

/** Returns the build that an installer selects for a package; undefined if the tables do not know. */
export function takenFor(asked: Asked, installation: Installing, place: Place): Taken | Nothing | undefined {
  if (installation.from === 'conda') return ofConda(asked);
  switch (editionOf(asked.name)) {
    case 'torch':
      return torchFor(asked, installation, place);
    case 'torchvision':
    case 'torchaudio':
      return companionFor(asked, installation, place);
    case 'tensorflow':
      return tensorflowFor(asked, installation, place);
    case 'jax':
      return jaxFor(asked, place);
    case 'onnxruntime-gpu':
      return onnxruntimeFor(asked, installation, place);
  }
  return nothingPublished(asked, installation, place) ?? byName(asked);
}

const CONDA_CUDA = /^(?:cudatoolkit|pytorch-cuda|cuda-toolkit|cuda-version)$/;

function ofConda({ name, specifier }: Asked): Taken | Nothing | undefined {
  const cuda = CONDA_CUDA.test(name) ? specifier.match(/^==(\d+\.\d+)/)?.[1] : undefined;
  if (name === 'cudatoolkit' && cuda && compareVersions(cuda, '12') >= 0) return { none: 'ends with 11.8' };
  return cuda === undefined ? undefined : { name, cuda, target: 'cuda' };
}

/** Packages whose names contain their CUDA version: "cupy-cuda12x", "spconv-cu118". */
function byName({ name }: Asked): Taken | undefined {
  // NVIDIA's own wheels are parts that another package is built for, such as its compiler.
  if (name.startsWith('nvidia-')) return undefined;
  const [, major, minor = ''] = name.match(/-cu(?:da)?(\d\d)(\d)?x?(?:-\w+)?$/) ?? [];
  return major === undefined ? undefined : { name, cuda: minor === '' ? major : `${major}.${minor}`, target: 'cuda' };
}

function nothingPublished(
  { name, specifier }: Asked,
  { isOpen, index }: Installing,
  place: Place,
): Nothing | undefined {
  const releases = isOpen || index !== undefined ? undefined : fitting(name, specifier, place);
  return releases?.length === 0 ? { none: noWheelFor(place) } : undefined;
}

function noWheelFor({ python, os, architecture }: Place): string {
  const system = os && { linux: 'Linux', macos: 'macOS', windows: 'Windows' }[os];
  const where = [python && `Python ${python}`, system && `${system}${architecture === 'arm64' ? ' on Arm' : ''}`];
  return `has no such wheel for ${where.filter(Boolean).join(' and ') || 'any Python'}`;
}

/** The matching releases on PyPI, the oldest first; undefined for packages in no table. */
function fitting(name: string, specifier: string, { python, os, architecture }: Place): PublishedRelease[] | undefined {
  const system = wheelSystemOf(os, architecture ?? 'x64');
  const [major, minor] = (python ?? '').split('.').map(Number);
  return publishedReleases(name)?.filter(({ version, wheels, hasSource }) => {
    if (specifier !== '' && !satisfies(version, specifier)) return false;
    const ranges = os === undefined ? [...wheels.values()] : system && wheels.has(system) ? [wheels.get(system)] : [];
    const hasWheel = ranges.some(
      (range) =>
        range !== undefined && (major !== 3 || minor === undefined || (range[0] <= minor && minor <= range[1])),
    );
    return hasWheel || hasSource;
  });
}

function isWithin(python: string | undefined, [oldest, newest]: readonly [string, string]): boolean {
  return python === undefined || (compareVersions(python, oldest) >= 0 && compareVersions(python, newest) <= 0);
}

/** Torch's own index has one kind of build in each folder; PyPI has the publisher's choice. */
function torchFor(asked: Asked, { index, isOpen }: Installing, place: Place): Taken | Nothing | undefined {
  const tag = asked.local?.text ?? index;
  if (tag === undefined) return isOpen ? undefined : torchOfPypi(asked, place);
  if (!/^(?:cpu|cu\d+|rocm[\d.]+)$/.test(tag)) return undefined;
  const { python, os, architecture } = place;
  if (asked.local?.text !== undefined && index === undefined && !isOpen)
    return { none: `has no build ${asked.local?.text} on PyPI` };
  if (os === 'macos' && tag !== 'cpu') return { none: `has no builds of ${tag} for macOS` };
  if (os === 'windows' && tag.startsWith('rocm'))
    return { none: "has no builds for ROCm on PyTorch's index for Windows" };
  const releases = torchReleases().filter(
    (release) =>
      isWithin(python, release.python) &&
      hasBuild(release, tag, architecture) &&
      (index === undefined || torchHas('index', release.torch)),
  );
  const version = releases
    .flatMap(({ versions }) => versions)
    .findLast((each) => asked.specifier === '' || satisfies(each, asked.specifier));
  const release = releases.find(({ versions }) => version !== undefined && versions.includes(version));
  if (version === undefined || release === undefined)
    return { none: `${noWheelFor(place)} among the builds of ${tag}` };
  return { name: 'torch', version, ...buildOf(release, tag, architecture) };
}

function hasBuild(release: TorchRelease, tag: string, architecture: Place['architecture']): boolean {
  if (tag === 'cpu') return true;
  if (tag.startsWith('rocm')) return release.rocm.includes(tag.slice(4)) && architecture !== 'arm64';
  if (!release.builds.has(tag)) return false;
  return architecture !== 'arm64' || (torchHas('arm_cuda', release.torch) && armArchitectures(tag) !== null);
}

function buildOf(release: TorchRelease, tag: string, architecture: Place['architecture']): Partial<Taken> {
  if (tag === 'cpu') return { target: 'cpu' };
  if (tag.startsWith('rocm')) return { target: 'rocm', rocm: tag.slice(4) };
  const build = release.builds.get(tag);
  const architectures = architecture === 'arm64' ? armArchitectures(tag) : build?.architectures;
  return { target: 'cuda', cuda: cudaOfTag(tag), ...(architectures && { architectures }) };
}

function torchOfPypi(asked: Asked, place: Place): Taken | Nothing | undefined {
  const { os, architecture } = place;
  const version = fitting('torch', asked.specifier, place)?.at(-1)?.version;
  if (version === undefined) return { none: noWheelFor(place) };
  const release = torchReleases().find(({ versions }) => versions.includes(version));
  const taken = { name: 'torch', version };
  if (os === 'windows') return { ...taken, target: 'cpu' };
  if (os === 'macos') return { ...taken, target: 'mps' };
  if (os === undefined || release === undefined) return taken;
  const isPlain = architecture === 'arm64' && !torchHas('arm_cuda_pypi', release.torch);
  return { ...taken, ...buildOf(release, isPlain ? 'cpu' : release.pypi, architecture) };
}

/** A companion of torch installs the torch of its release, from the same index. */
function companionFor(asked: Asked, installation: Installing, place: Place): Taken | Nothing | undefined {
  if (asked.specifier === '' || installation.asked.some(({ name }) => name === 'torch')) return undefined;
  const name = asked.name as 'torchvision' | 'torchaudio';
  const release = torchFamilyReleases().findLast((each) => each[name].some((own) => satisfies(own, asked.specifier)));
  if (release === undefined) return undefined;
  const torch = { ...asked, name: 'torch', specifier: `==${release.torch}` };
  return torchFor(torch, installation, place);
}

function tensorflowFor(asked: Asked, { isOpen }: Installing, place: Place): Taken | Nothing | undefined {
  const { os, architecture } = place;
  const releases = isOpen ? undefined : fitting(asked.name, asked.specifier, place);
  if (releases === undefined) return undefined;
  const version = releases.at(-1)?.version;
  if (version === undefined) return { none: noWheelFor(place) };
  const hasExtra = asked.extras.some(({ text }) => text === 'and-cuda');
  if (hasExtra && os !== undefined && os !== 'linux') return { none: 'has no CUDA builds for that system' };
  if (hasExtra && architecture === 'arm64') return { none: 'has no CUDA builds for Arm' };
  const release = tensorflowReleaseOf(version);
  if (hasExtra && release?.andCuda === false)
    return { none: `of ${version}, the newest for that Python, has no extra [and-cuda]` };
  if (hasExtra && release && !bringsCuda(release, place.python))
    return { none: `of ${version} does not find the libraries of its extra [and-cuda]` };
  const isForCpu =
    asked.name === 'tensorflow-cpu' ||
    os === 'macos' ||
    (os === 'windows' && release?.windows === false) ||
    (asked.name === 'tensorflow' && release?.cudaPackage === 'tensorflow-gpu');
  if (isForCpu || release === undefined) return { name: 'tensorflow', version, ...(isForCpu && { target: 'cpu' }) };
  const { cuda, architectures, wheelCudnn } = release;
  return {
    name: 'tensorflow',
    version,
    target: 'cuda',
    cuda,
    architectures,
    ...(hasExtra && wheelCudnn?.startsWith('>=') && { cudnn: wheelCudnn }),
  };
}

function jaxFor({ extras, specifier }: Asked, { os, python }: Place): Taken | Nothing | undefined {
  const family = extras.map(({ text }) => /^cuda(\d\d)/.exec(text)?.[1]).find((each) => each !== undefined);
  if (family === undefined) return undefined;
  if (os !== undefined && os !== 'linux') return { none: 'has no CUDA builds for that system' };
  const release = jaxReleases().find((each) => isWithin(python, each.python) && isOfJax(each, specifier));
  // Releases older than the table have other extras.
  if (release === undefined) return undefined;
  const cudnn = release.cudnn[family];
  if (cudnn === undefined) return { none: `of ${release.jax} has no builds for CUDA ${family}` };
  const lowest = lowestCapabilityOfJax(family);
  return { name: 'jax', version: release.jax, target: 'cuda', cuda: family, cudnn, ...(lowest && { lowest }) };
}

/** A row applies to all patches of its release. */
function isOfJax({ jax }: JaxRelease, specifier: string): boolean {
  if (specifier === '') return true;
  const [major, minor] = jax.split('.');
  return specifier.includes(`==${major}.${minor}.`) || satisfies(`${major}.${minor}.99`, specifier);
}

function onnxruntimeFor(asked: Asked, { isOpen }: Installing, place: Place): Taken | Nothing | undefined {
  const { os, architecture, python } = place;
  if (isOpen) return undefined;
  if (os === 'macos') return { none: 'has no builds for macOS' };
  const published = fitting('onnxruntime-gpu', asked.specifier, place);
  const version = published?.at(-1)?.version;
  if (version === undefined) return { none: noWheelFor(place) };
  const release = onnxruntimeReleases().find(({ onnxruntime }) => version.startsWith(`${onnxruntime}.`));
  if (release === undefined || !isWithin(python, release.python)) return undefined;
  if (architecture === 'arm64' && !release.arm) return { none: 'has no builds for Arm of that release' };
  if (asked.extras.length > 0 && !release.extras) return { none: `of ${version} has no extras with CUDA's libraries` };
  const { cuda } = release;
  return { name: 'onnxruntime', version, target: 'cuda', cuda, lowest: lowestCapabilityOfOnnxruntime(cuda) };
}
