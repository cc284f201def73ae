import { dataOnUse } from '../dataOnUse.ts';
import { computedOnce } from '../remembering.ts';
import { compareVersions, isAtLeast, isAtMost, minorOf } from '../versions.ts';
import { architecturesOf } from './releaseData.ts';

/** A release of torch as published by PyTorch. */
export interface TorchRelease {
  /** "2.6". */
  torch: string;
  /** "2.6.0" and so on, the newest last. */
  versions: string[];
  /** The oldest and the newest Python with wheels, such as "3.9" and "3.13". */
  python: [oldest: string, newest: string];
  /** The build on PyPI for Linux on x86-64, such as "cu124". */
  pypi: string;
  /** Its companions: "0.21" and "2.6". */
  torchvision: string;
  torchaudio: string;
  /** The ROCm versions with wheels. */
  rocm: string[];
  /** The exact NCCL version that its CUDA 12 wheels on PyPI require. */
  nccl?: string;
  /** Its CUDA builds by their tag, such as "cu124". */
  builds: ReadonlyMap<string, TorchBuild>;
}

export interface TorchBuild {
  /** The cuDNN that it was built with; null if unknown. */
  cudnn: string | null;
  /** Its GPU code on Linux with x86-64, such as "sm_80" and, for code that later GPUs can compile, "compute_90". */
  architectures: string[];
}

interface Row {
  torch: string;
  patches: number[];
  python: [string, string];
  pypi: string;
  torchvision: string;
  torchaudio: string;
  rocm?: string[];
  nccl?: string;
  cuda: Record<string, { cudnn: string | null; code: string }>;
}

/** A feature of torch: a key under `first` in the table. */
type TorchFeature =
  | 'weights_only'
  | 'weights_only_default'
  | 'safe_globals'
  | 'safe_globals_aliases'
  | 'zip_files'
  | 'byte_order'
  | 'map_location_of_all'
  | 'safetensors'
  | 'accelerator'
  | 'mps'
  | 'xpu'
  | 'local_tags'
  | 'index'
  | 'cudnn_wheel'
  | 'own_libraries_first'
  | 'nvjitlink_by_path'
  | 'cxx11_abi'
  | 'arm'
  | 'arm_cuda'
  | 'arm_cuda_pypi'
  | 'pytorch_cuda';

/** A feature of torch that was removed: a key under `last` in the table. */
type EndedFeature = 'conda_channel' | 'intel_macs' | 'at_check';

interface Table {
  readonly first: Readonly<Record<TorchFeature, string>>;
  readonly first_index: string;
  readonly last: Readonly<Record<EndedFeature, string>>;
  readonly releases: readonly Row[];
}

const data = dataOnUse<Table>(import.meta.dirname, 'torchReleases');

/** The first release of torch with a feature, such as "2.6". */
export function firstTorchWith(feature: TorchFeature): string {
  return data().first[feature];
}

/** True if builds with a tag, such as "cu118", have an index of their own; older ones are on one page. */
export function hasIndex(tag: string): boolean {
  return !tag.startsWith('cu') || compareVersions(cudaOfTag(tag), cudaOfTag(data().first_index)) >= 0;
}

/** Returns the last release of torch with a feature that was removed, such as "2.5". */
export function lastTorchWith(feature: EndedFeature): string {
  return data().last[feature];
}

/** True if a version of torch, such as "2.6.0+cu124", has a feature. */
export function torchHas(feature: TorchFeature, version: string): boolean {
  return isAtLeast(version, firstTorchWith(feature));
}

/** True if a version of torch still has a feature that was removed. */
export function torchStillHas(feature: EndedFeature, version: string): boolean {
  return isAtMost(version, lastTorchWith(feature));
}

/** All releases from 1.0 on, the oldest first. */
export const torchReleases = computedOnce((): readonly TorchRelease[] =>
  data().releases.map(({ patches, cuda, rocm = [], ...row }) => ({
    ...row,
    rocm,
    versions: patches.map((patch) => `${row.torch}.${patch}`),
    builds: new Map(
      Object.entries(cuda).map(([tag, { cudnn, code }]) => [tag, { cudnn, architectures: architecturesOf(code) }]),
    ),
  })),
);

/** The release of a version such as "2.6.0+cu124". */
export function torchReleaseOf(version: string): TorchRelease | undefined {
  const release = minorOf(version);
  return torchReleases().find(({ torch }) => torch === release);
}

/** True if a version of torch or its companions is PyTorch's own; NVIDIA's builds and source builds are in no table. */
export function isRelease(version: string): boolean {
  return /^\d+\.\d+\.\d+(\+(cpu|cu\d+|rocm[\d.]+|xpu))?$/.test(version);
}

/** "12.4" for "cu124" and "9.2" for "cu92". */
export function cudaOfTag(tag: string): string {
  const digits = tag.replace(/^cu/, '');
  return `${digits.slice(0, -1)}.${digits.slice(-1)}`;
}

/** "cu124" for "12.4" and "12.4.1". */
export function tagOfCuda(cuda: string): string {
  return `cu${minorOf(cuda).replace('.', '')}`;
}

const sm = (list: string): string[] => list.split(' ').map((each) => `sm_${each}`);

/** Arm wheels omit code for GPUs that no Arm machine has, and from CUDA 13 on they add Thor. */
export function armArchitectures(tag: string): string[] | null {
  const cuda = Number(tag.slice(2));
  if (cuda >= 130) return [...sm('80 90 100 110 120'), 'compute_120'];
  if (cuda >= 128) return [...sm('80 90 100 120'), 'compute_120'];
  return cuda === 126 ? sm('80 90') : null;
}
