/** The release that an installer selects for a command. */

import type { Build } from '../fit/build.ts';
import { tensorflowForCuda } from '../fit/builds/tensorflow.ts';
import { type TorchWheel, torchBuilds } from '../fit/builds/torch.ts';
import type { TargetGpu } from '../fit/target.ts';
import { mayRunIn, wheelsFor } from '../fit/wheelTags.ts';
import { editionOf } from '../published/knownPackages.ts';
import { wheelSystemOf } from '../published/platforms.ts';
import { type JaxRelease, jaxReleases, lowestCapabilityOfJax } from '../published/releases/jaxReleases.ts';
import { lowestCapabilityOfOnnxruntime, onnxruntimeReleases } from '../published/releases/onnxruntimeReleases.ts';
import { type PublishedRelease, publishedReleases } from '../published/releases/publishedWheels.ts';
import { releaseBringsCuda, tensorflowReleaseOf } from '../published/releases/tensorflowReleases.ts';
import { isTorchCompanion, type TorchCompanion, torchFamilyReleases } from '../published/releases/torchCompanions.ts';
import { torchHas } from '../published/releases/torchReleases.ts';
import { satisfies } from '../published/specifier.ts';
import { compareVersions } from '../published/versions.ts';
import type { CommandTarget } from './commandTarget.ts';
import type { Asked, Installing } from './installing.ts';

/** The reason why nothing can be installed: a phrase after the name of the package. */
interface Nothing {
  readonly none: string;
}

/** Returns the build that an installer selects for a package; undefined if the tables do not know. */
export function takenFor(asked: Asked, installation: Installing, place: CommandTarget): Build | Nothing | undefined {
  if (installation.from === 'conda') return ofConda(asked);
  if (isTorchCompanion(asked.name)) return companionFor(asked, asked.name, installation, place);
  switch (editionOf(asked.name)) {
    case 'torch':
      return torchFor(asked, installation, place);
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

function ofConda({ name, specifier }: Asked): Build | Nothing | undefined {
  const cuda = CONDA_CUDA.test(name) ? specifier.match(/^==(\d+\.\d+)/)?.[1] : undefined;
  if (name === 'cudatoolkit' && cuda && compareVersions(cuda, '12') >= 0) return { none: 'ends with 11.8' };
  return cuda === undefined ? undefined : forCuda(name, cuda);
}

/** Packages whose names contain their CUDA version: "cupy-cuda12x", "spconv-cu118". */
function byName({ name }: Asked): Build | undefined {
  // NVIDIA's own wheels are parts that another package is built for, such as its compiler.
  if (name.startsWith('nvidia-')) return undefined;
  const [, major, minor = ''] = name.match(/-cu(?:da)?(\d\d)(\d)?x?(?:-\w+)?$/) ?? [];
  return major === undefined ? undefined : forCuda(name, minor === '' ? major : `${major}.${minor}`);
}

function forCuda(name: string, cuda: string): Build {
  return { name, title: `${name} for CUDA ${cuda}`, target: 'cuda', cuda, cudnn: null };
}

function nothingPublished(
  { name, specifier }: Asked,
  { isOpen, index }: Installing,
  place: CommandTarget,
): Nothing | undefined {
  const releases = isOpen || index !== undefined ? undefined : fitting(name, specifier, place);
  return releases?.length === 0 ? { none: noWheelFor(place) } : undefined;
}

function noWheelFor({ python, os, architecture }: CommandTarget): string {
  const system = os && { linux: 'Linux', macos: 'macOS', windows: 'Windows' }[os];
  const where = [python && `Python ${python}`, system && `${system}${architecture === 'arm64' ? ' on Arm' : ''}`];
  return `has no such wheel for ${where.filter(Boolean).join(' and ') || 'any Python'}`;
}

/** The matching releases on PyPI, the oldest first; undefined for packages in no table. */
function fitting(
  name: string,
  specifier: string,
  { python, os, architecture }: CommandTarget,
): PublishedRelease[] | undefined {
  const system = wheelSystemOf(os, architecture ?? 'x64');
  const [major, minor] = (python ?? '').split('.').map(Number);
  return publishedReleases(name)?.filter(({ version, wheels, hasSource }) => {
    if (specifier !== '' && !satisfies(version, specifier)) return false;
    const ranges = [...wheels].flatMap(([of, range]) => (os === undefined || of === system ? [range] : []));
    if (hasSource || ranges.length === 0) return hasSource;
    return major !== 3 || minor === undefined || wheelsFor(ranges, [minor], false).fit === 'holds';
  });
}

/** Torch's own index has one kind of build in each folder; PyPI has the publisher's choice. */
function torchFor(asked: Asked, { index, isOpen }: Installing, target: CommandTarget): Build | Nothing | undefined {
  const tag = asked.local?.text ?? index;
  if (tag === undefined) return isOpen ? undefined : torchOfPypi(asked, target);
  if (!/^(?:cpu|cu\d+|rocm[\d.]+)$/.test(tag)) return undefined;
  const { python, os } = target;
  if (asked.local !== undefined && index === undefined && !isOpen) return { none: `has no build ${tag} on PyPI` };
  if (os === 'macos' && tag !== 'cpu') return { none: `has no builds of ${tag} for macOS` };
  if (os === 'windows' && tag.startsWith('rocm'))
    return { none: "has no builds for ROCm on PyTorch's index for Windows" };
  const found = torchesFor(tag, target).find(
    (build) =>
      (build.tag === tag || os === 'macos') &&
      mayRunIn(build, python) &&
      (asked.specifier === '' || satisfies(build.version, asked.specifier)) &&
      (index === undefined || torchHas('index', build.version)),
  );
  return found ?? { none: `${noWheelFor(target)} among the builds of ${tag}` };
}

/** The builds of one kind; without a known system, those for Linux, which other systems have, too. */
function torchesFor(tag: string, { os = 'linux', architecture = 'x64', gpu: nvidia }: CommandTarget): TorchWheel[] {
  const isMac = os === 'macos' && architecture === 'arm64';
  const gpu: TargetGpu = tag.startsWith('cu')
    ? nvidia
    : tag.startsWith('rocm')
      ? { kind: 'rocm', architectures: [] }
      : { kind: isMac ? 'mps' : 'cpu' };
  return torchBuilds({ os, architecture, gpu });
}

function torchOfPypi(asked: Asked, target: CommandTarget): Build | Nothing {
  const { os, architecture } = target;
  const version = fitting('torch', asked.specifier, target)?.at(-1)?.version;
  if (version === undefined) return { none: noWheelFor(target) };
  const title = `torch ${version}`;
  const plain = { name: 'torch', title, version, cuda: null, cudnn: null };
  if (os === 'macos') return { ...plain, target: 'mps' };
  const isCpu =
    os === 'windows' || (os !== undefined && architecture === 'arm64' && !torchHas('arm_cuda_pypi', version));
  if (isCpu || os === undefined) return { ...plain, ...(isCpu && { target: 'cpu' }) };
  return torchesFor('cu', target).find((build) => build.version === version && build.onPypi) ?? plain;
}

/** A companion of torch installs the torch of its release, from the same index. */
function companionFor(
  asked: Asked,
  name: TorchCompanion,
  installation: Installing,
  place: CommandTarget,
): Build | Nothing | undefined {
  if (asked.specifier === '' || installation.asked.some((each) => each.name === 'torch')) return undefined;
  const release = torchFamilyReleases().findLast((each) => each[name].some((own) => satisfies(own, asked.specifier)));
  if (release === undefined) return undefined;
  const torch = { ...asked, name: 'torch', specifier: `==${release.torch}` };
  return torchFor(torch, installation, place);
}

function tensorflowFor(asked: Asked, { isOpen }: Installing, place: CommandTarget): Build | Nothing | undefined {
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
  if (hasExtra && release && !releaseBringsCuda(release, place.python))
    return { none: `of ${version} does not find the libraries of its extra [and-cuda]` };
  const isForCpu =
    asked.name === 'tensorflow-cpu' ||
    os === 'macos' ||
    (os === 'windows' && release?.windows === false) ||
    (asked.name === 'tensorflow' && release?.cudaPackage === 'tensorflow-gpu');
  const plain = { name: 'tensorflow', title: `tensorflow ${version}`, version, cuda: null, cudnn: null };
  const build = isForCpu ? undefined : tensorflowForCuda('linux').find((each) => each.release === release);
  if (build === undefined) return { ...plain, ...(isForCpu && { target: 'cpu' }) };
  const title = `${plain.title} for CUDA ${build.cuda}`;
  return { ...build, version, title, target: 'cuda', cudnn: hasExtra ? build.cudnn : null };
}

function jaxFor({ extras, specifier }: Asked, { os, python }: CommandTarget): Build | Nothing | undefined {
  const family = extras.map(({ text }) => /^cuda(\d\d)/.exec(text)?.[1]).find((each) => each !== undefined);
  if (family === undefined) return undefined;
  if (os !== undefined && os !== 'linux') return { none: 'has no CUDA builds for that system' };
  const release = jaxReleases().find((each) => mayRunIn(each, python) && isOfJax(each, specifier));
  // Releases older than the table have other extras.
  if (release === undefined) return undefined;
  const cudnn = release.cudnn[family];
  if (cudnn === undefined) return { none: `of ${release.jax} has no builds for CUDA ${family}` };
  const title = `jax ${release.jax} for CUDA ${family}`;
  return { ...forCuda('jax', family), version: release.jax, title, cudnn, lowest: lowestCapabilityOfJax(family) };
}

/** A row applies to all patches of its release. */
function isOfJax({ jax }: JaxRelease, specifier: string): boolean {
  if (specifier === '') return true;
  const [major, minor] = jax.split('.');
  return specifier.includes(`==${major}.${minor}.`) || satisfies(`${major}.${minor}.99`, specifier);
}

function onnxruntimeFor(asked: Asked, { isOpen }: Installing, place: CommandTarget): Build | Nothing | undefined {
  const { os, architecture, python } = place;
  if (isOpen) return undefined;
  if (os === 'macos') return { none: 'has no builds for macOS' };
  const published = fitting('onnxruntime-gpu', asked.specifier, place);
  const version = published?.at(-1)?.version;
  if (version === undefined) return { none: noWheelFor(place) };
  const release = onnxruntimeReleases().find(({ onnxruntime }) => version.startsWith(`${onnxruntime}.`));
  if (release === undefined || !mayRunIn(release, python)) return undefined;
  if (architecture === 'arm64' && !release.arm) return { none: 'has no builds for Arm of that release' };
  if (asked.extras.length > 0 && !release.extras) return { none: `of ${version} has no extras with CUDA's libraries` };
  const { cuda } = release;
  const title = `onnxruntime ${version} for CUDA ${cuda}`;
  return { ...forCuda('onnxruntime', cuda), version, title, lowest: lowestCapabilityOfOnnxruntime(cuda) };
}
