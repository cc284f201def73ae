import { readData } from '../../dataFiles.ts';
import { minorOf } from '../versions.ts';
import { architecturesOf } from './releaseData.ts';

/** A release of torch as PyTorch publishes it. */
export interface TorchRelease {
  /** "2.6". */
  torch: string;
  /** "2.6.0" and so on, the newest last. */
  versions: string[];
  /** The oldest and the newest Python that it has wheels for, such as "3.9" and "3.13". */
  python: [oldest: string, newest: string];
  /** What PyPI has for Linux on x86-64, such as "cu124". */
  pypi: string;
  /** What is released with it: "0.21" and "2.6". */
  torchvision: string;
  torchaudio: string;
  /** The versions of ROCm that it has wheels for. */
  rocm: string[];
  /** Its builds for CUDA by their tag, such as "cu124". */
  builds: ReadonlyMap<string, TorchBuild>;
}

export interface TorchBuild {
  /** The cuDNN that it was built with; null where that is not known. */
  cudnn: string | null;
  /** The GPU code in it on Linux with x86-64, such as "sm_80" and, for what later GPUs can compile, "compute_90". */
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
  cuda: Record<string, { cudnn: string | null; code: string }>;
}

let table: readonly TorchRelease[] | undefined;

/** All releases from 1.0 on, the oldest first. */
export function torchReleases(): readonly TorchRelease[] {
  table ??= readData<{ releases: Row[] }>(import.meta.dirname, 'torchReleases').releases.map(
    ({ patches, cuda, rocm = [], ...row }) => ({
      ...row,
      rocm,
      versions: patches.map((patch) => `${row.torch}.${patch}`),
      builds: new Map(
        Object.entries(cuda).map(([tag, { cudnn, code }]) => [tag, { cudnn, architectures: architecturesOf(code) }]),
      ),
    }),
  );
  return table;
}

/** The release of a version such as "2.6.0+cu124". */
export function torchReleaseOf(version: string): TorchRelease | undefined {
  const release = minorOf(version);
  return torchReleases().find(({ torch }) => torch === release);
}

/** Whether a version of torch or of what is released with it is one of theirs: NVIDIA's own and those from source follow no table. */
export function isRelease(version: string): boolean {
  return /^\d+\.\d+\.\d+(\+(cpu|cu\d+|rocm[\d.]+|xpu))?$/.test(version);
}

/** "12.4" of "cu124" and "9.2" of "cu92". */
export function cudaOfTag(tag: string): string {
  const digits = tag.replace(/^cu/, '');
  return `${digits.slice(0, -1)}.${digits.slice(-1)}`;
}

/** "cu124" of "12.4" and "12.4.1". */
export function tagOfCuda(cuda: string): string {
  return `cu${minorOf(cuda).replace('.', '')}`;
}

const sm = (list: string): string[] => list.split(' ').map((each) => `sm_${each}`);

/** Wheels for Arm leave out what no Arm machine holds, and from CUDA 13 on they add Thor. */
export function armArchitectures(tag: string): string[] | null {
  const cuda = Number(tag.slice(2));
  if (cuda >= 130) return [...sm('80 90 100 110 120'), 'compute_120'];
  if (cuda >= 128) return [...sm('80 90 100 120'), 'compute_120'];
  return cuda === 126 ? sm('80 90') : null;
}
