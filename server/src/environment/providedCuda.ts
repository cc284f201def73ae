/** The CUDA version that a requirement or an image provides, according to the tables of published releases. */
import { gpuPackageFiles, gpuPackages } from '../published/gpuPackages.ts';
import { knownImage } from '../published/images.ts';
import { condaNamesOf, editionOf } from '../published/knownPackages.ts';
import { jaxReleaseOf, jaxReleases, lowestCapabilityOfJax } from '../published/releases/jaxReleases.ts';
import { lowestCapabilityOfOnnxruntime, onnxruntimeReleases } from '../published/releases/onnxruntimeReleases.ts';
import { publishedReleases } from '../published/releases/publishedWheels.ts';
import { asOf } from '../published/releases/releaseData.ts';
import { tensorflowReleaseOf, tensorflowReleases } from '../published/releases/tensorflowReleases.ts';
import { isTorchCompanion, type TorchCompanion, torchFamilyReleases } from '../published/releases/torchCompanions.ts';
import { cudaOfTag, torchReleaseOf, torchReleases } from '../published/releases/torchReleases.ts';
import type { Installation, Requirement } from './environmentFile.ts';
import { torchBuildOf } from './torchBuild.ts';
import { admits } from './versions.ts';

/** The CUDA version that a package or an image provides. */
export interface ProvidedCuda {
  /** "torch 2.6.0". */
  readonly title: string;
  /** A release, such as "12.4", or a major version, such as "12". */
  readonly cuda?: string;
  /** Text that follows the CUDA version, or replaces it. */
  readonly note?: string;
  readonly cudnn?: string | null;
  readonly architectures?: readonly string[];
  /** The lowest and the highest supported compute capability. */
  readonly lowest?: string;
  readonly highest?: string;
  /** True if it does nothing without a GPU. */
  readonly needsGpu?: true;
  readonly python?: readonly [oldest: string, newest: string];
  readonly others?: string;
  /** The month of the table that this comes from. */
  readonly asOf?: string;
}

/** Returns the CUDA version that a requirement provides; undefined if it is unknown. */
export function cudaOfRequirement(requirement: Requirement, installation: Installation): ProvidedCuda | undefined {
  const { name, manager, specifier } = requirement;
  if (specifier === undefined) return undefined;
  if (manager === 'conda') return cudaOfCondaRequirement(requirement, installation);
  if (isTorchCompanion(name)) return companion(requirement, name);
  switch (editionOf(name)) {
    case 'torch':
      return torch(requirement);
    case 'tensorflow':
      return tensorflow(requirement);
    case 'jax':
    case 'jaxlib':
      return jax(requirement);
    case 'onnxruntime-gpu':
      return onnxruntime(requirement);
    default:
      return nvidiaWheel(requirement) ?? gpuPackage(requirement);
  }
}

/** Returns the CUDA version that an image provides, by its name and tag. */
export function cudaOfImage(name: string): ProvidedCuda | undefined {
  const image = knownImage(name);
  if (image === undefined) return undefined;
  const { maker, version, cuda } = image;
  if (maker === 'tensorflow') {
    const release = version === undefined ? undefined : tensorflowReleaseOf(version);
    if (version === undefined || release === undefined) return undefined;
    const title = `TensorFlow ${version} in this image`;
    return image.isForGpu ? { ...ofTensorflow(release), title } : { title, note: 'none: it runs only on the CPU' };
  }
  if (cuda === undefined) return undefined;
  if (version === undefined) return { title: 'This image', cuda };
  const build = torchReleaseOf(version)?.builds.get(`cu${cuda.replace('.', '')}`);
  return { title: `torch ${version} in this image`, cuda, ...(build && ofBuild(build)) };
}

function torch(requirement: Requirement, from = requirement): ProvidedCuda | undefined {
  const admitted = (version: string) => admits(requirement.specifier, version);
  const release = torchReleases().findLast(({ versions }) => versions.some(admitted));
  const version = release?.versions.findLast(admitted);
  if (release === undefined || version === undefined) return undefined;
  const family = torchFamilyReleases().find((each) => each.torch === version);
  const [vision, audio] = [family?.torchvision.at(-1), family?.torchaudio.at(-1)];
  const others = [vision && `torchvision ${vision}`, audio && `torchaudio ${audio}`].filter(Boolean).join(', ');
  const common = {
    title: `torch ${version}`,
    python: release.python,
    asOf: asOf('torchReleases'),
    ...(others !== '' && { others }),
  };
  const chosen = torchBuildOf(from)?.tag;
  if (chosen !== undefined && !chosen.startsWith('cu'))
    return { ...common, note: chosen === 'cpu' ? 'none: it runs only on the CPU' : `none: it is for ${chosen}` };
  const tag = chosen ?? release.pypi;
  const build = release.builds.get(tag);
  const note = chosen === undefined ? ' (from PyPI, on Linux)' : '';
  return { ...common, cuda: cudaOfTag(tag), note, ...(build && ofBuild(build)) };
}

function ofBuild({ cudnn, architectures }: { cudnn: string | null; architectures: string[] }): Partial<ProvidedCuda> {
  return { cudnn, architectures };
}

/** A companion is compiled for a specific release of torch and for the same CUDA version. */
function companion(requirement: Requirement, name: TorchCompanion): ProvidedCuda | undefined {
  const admitted = (version: string) => admits(requirement.specifier, version);
  const family = torchFamilyReleases().findLast((each) => each[name].some(admitted));
  const version = family?.[name].findLast(admitted);
  if (family === undefined || version === undefined) return undefined;
  const own = torch({ ...requirement, specifier: `==${family.torch}` }, requirement);
  return own && { ...own, title: `${name} ${version}`, others: `torch ${family.torch}` };
}

function tensorflow({ name, specifier, extras }: Requirement): ProvidedCuda | undefined {
  const release = tensorflowReleases().find((each) => admits(specifier, `${each.tensorflow}.0`));
  if (release === undefined || !specifier) return undefined;
  const title = `TensorFlow ${release.tensorflow}`;
  if (name === 'tensorflow-cpu') return { title, note: 'none: it runs only on the CPU', python: release.python };
  const note = extras.some(({ text }) => text === 'and-cuda') ? ' (in separate wheels)' : ' (install separately)';
  return { ...ofTensorflow(release), title, note };
}

function ofTensorflow({ cuda, cudnn, architectures, python }: ReturnType<typeof tensorflowReleases>[number]) {
  return { cuda, cudnn, architectures, python, asOf: asOf('tensorflowReleases') };
}

function jax({ name, specifier, pin, extras }: Requirement): ProvidedCuda | undefined {
  const release = pin ? jaxReleaseOf(pin.text) : jaxReleases().find((each) => admits(specifier, `${each.jax}.0`));
  if (release === undefined) return undefined;
  const title = `${name} ${pin?.text ?? release.jax}`;
  const family = extras.map(({ text }) => /^cuda(\d+)/.exec(text)?.[1]).find((each) => each !== undefined);
  const common = { title, python: release.python, asOf: asOf('jaxReleases') };
  if (family === undefined) return { ...common, note: 'none: it runs on the CPU without an extra such as `[cuda12]`' };
  const lowest = lowestCapabilityOfJax(family);
  const cudnn = release.cudnn[family];
  return {
    ...common,
    cuda: family,
    note: ' (in separate wheels)',
    ...(cudnn && { cudnn }),
    ...(lowest && { lowest }),
  };
}

function onnxruntime({ name, specifier, pin }: Requirement): ProvidedCuda | undefined {
  const release = onnxruntimeReleases().find((each) =>
    pin ? `${pin.text}.`.startsWith(`${each.onnxruntime}.`) : admits(specifier, `${each.onnxruntime}.0`),
  );
  if (release === undefined) return undefined;
  const { cuda, python, extras } = release;
  return {
    title: `${name} ${pin?.text ?? release.onnxruntime}`,
    cuda,
    note: extras ? ' (installed by its extras `[cuda,cudnn]`)' : ' (install separately)',
    lowest: lowestCapabilityOfOnnxruntime(cuda),
    python,
    asOf: asOf('onnxruntimeReleases'),
  };
}

/** NVIDIA's wheels contain a part of CUDA, or cuDNN, and are named after the CUDA version. */
function nvidiaWheel({ name, pin }: Requirement): ProvidedCuda | undefined {
  const family = /^nvidia-.*-cu(\d\d)$/.exec(name)?.[1];
  if (family === undefined) return undefined;
  const cudnn = name.includes('-cudnn-') && pin ? pin.text.split('.').slice(0, 3).join('.') : undefined;
  return { title: `${name}${pin ? ` ${pin.text}` : ''}`, cuda: family, ...(cudnn && { cudnn }), needsGpu: true };
}

/**
 * Returns the CUDA version of a package with GPU code, based on its file in the catalogue: its torch, CUDA and GPUs.
 */
function gpuPackage(requirement: Requirement): ProvidedCuda | undefined {
  const { name, specifier, pin } = requirement;
  const file = gpuPackageFiles()[name];
  const version = pin?.text ?? publishedReleases(name)?.findLast((each) => admits(specifier, each.version))?.version;
  if (file === undefined || version === undefined) return undefined;
  const of = <T extends { name: string; versions: string }>(rows: readonly T[]) =>
    rows.find((row) => row.name === name && admits(row.versions, version));
  const { gpus, torch: pinned, wheels, libraries } = gpuPackages();
  const ranges = gpus.filter((row) => row.name === name && row.part === undefined && admits(row.versions, version));
  const lowest = ranges.flatMap(({ capability }) => capability ?? [])[0];
  const highest = ranges.flatMap((row) => row.highest ?? [])[0];
  const needed = of(pinned)?.needs;
  const newest = of(wheels)?.newest;
  const library = of(libraries);
  const ofTorch = needed === undefined ? undefined : torch({ ...requirement, specifier: needed });
  const cuda = ofTorch?.cuda ?? library?.cuda ?? file.family;
  const only = ranges.some((row) => row.only === 'cuda') || file.family !== undefined;
  if (cuda === undefined && lowest === undefined && newest === undefined) return undefined;
  return {
    title: `${name} ${version}`,
    ...(cuda !== undefined && { cuda, note: ofTorch === undefined ? ' (install separately)' : ' (from its torch)' }),
    ...(ofTorch?.cudnn && { cudnn: ofTorch.cudnn }),
    ...(library?.cudnn && { cudnn: library.cudnn }),
    ...(ofTorch?.architectures && name !== 'vllm' && { architectures: ofTorch.architectures }),
    lowest,
    highest,
    ...(only && { needsGpu: true }),
    ...(ofTorch ? { others: ofTorch.title } : newest !== undefined && { others: `torch up to ${newest}` }),
    asOf: file.as_of,
  };
}

/** Conda packages that select a CUDA version for other packages, or install one. */
const CONDA_CUDA = ['pytorch-cuda', 'cudatoolkit', 'cuda-version', 'cuda-toolkit', 'cuda'];

function cudaOfCondaRequirement(requirement: Requirement, installation: Installation): ProvidedCuda | undefined {
  const { name, pin } = requirement;
  const cuda = /^\d+\.\d+/.exec(pin?.text ?? '')?.[0];
  if (CONDA_CUDA.includes(name)) return cuda === undefined ? undefined : { title: `CUDA ${cuda}`, cuda };
  if (!condaNamesOf('torch').includes(name)) return undefined;
  const known = torch({ ...requirement, name: 'torch' });
  if (known === undefined) return undefined;
  const { title, python, others, asOf: month } = known;
  const common = { title, python, ...(others && { others }), ...(month && { asOf: month }) };
  const tag = torchBuildOf(requirement)?.tag;
  const isForCpu =
    name === 'pytorch-cpu' || tag === 'cpu' || installation.requirements.some((each) => each.name === 'cpuonly');
  if (isForCpu) return { ...common, note: 'none: it runs only on the CPU' };
  const beside = installation.requirements.find((each) => CONDA_CUDA.includes(each.name) && each.pin);
  const chosen = tag?.startsWith('cu') ? cudaOfTag(tag) : /^\d+\.\d+/.exec(beside?.pin?.text ?? '')?.[0];
  if (chosen === undefined) return { ...common, note: 'conda selects one that the driver supports' };
  return { ...common, cuda: chosen };
}
