import { codeOfRocm } from '../../published/releases/rocmReleases.ts';
import {
  armArchitectures,
  cudaOfTag,
  type TorchRelease,
  torchHas,
  torchReleases,
  torchStillHas,
} from '../../published/releases/torchReleases.ts';
import { firstTorchForXpu } from '../../published/releases/xpuReleases.ts';
import { compareVersions, majorOf } from '../../published/versions.ts';
import type { PublishedBuild } from '../build.ts';
import type { PlanTarget } from '../target.ts';

export interface TorchWheel extends PublishedBuild {
  readonly release: TorchRelease;
  /** Such as "2.9.1". */
  readonly version: string;
  /** Such as "cu126", "cpu", "rocm6.4"; "mps" for Macs with an Apple processor. */
  readonly tag: string;
  /** True if PyPI has it, so that no other index is needed. */
  readonly onPypi: boolean;
}

/** The builds for that kind of GPU and platform, newest first and, within a version, the best match first. */
export function torchBuilds(target: Omit<PlanTarget, 'words'>): TorchWheel[] {
  return torchReleases()
    .toReversed()
    .flatMap((release) => {
      const wheels = wheelsOf(target, release);
      return release.versions.toReversed().flatMap((version) => wheels.map((wheel) => built(version, wheel)));
    });
}

interface Wheel {
  readonly release: TorchRelease;
  readonly tag: string;
  readonly onPypi: boolean;
  readonly cuda: string | null;
  readonly code: readonly string[] | null;
}

function built(version: string, { code, ...wheel }: Wheel): TorchWheel {
  const { release, tag, onPypi, cuda } = wheel;
  const isListed = !torchHas('index', release.torch);
  // Before, one page listed all builds by their local tags.
  const local = isListed && !onPypi ? `+${tag}` : '';
  return {
    ...wheel,
    version,
    name: 'torch',
    asked: 'torch',
    versions: `==${version}${local}`,
    python: release.python,
    cudnn: cudnnOf(release, tag),
    ...ncclOf(release, tag),
    target: tag.startsWith('cu') ? 'cuda' : tag.startsWith('rocm') ? 'rocm' : (tag as 'cpu' | 'mps' | 'xpu'),
    rocm: tag.startsWith('rocm') ? tag.slice(4) : null,
    title: `torch ${version} ${cuda === null ? OTHER_TITLES(tag) : `for CUDA ${cuda}`}`,
    ...(code !== null && { code }),
    ...(!onPypi && (isListed ? { page: PAGE } : { index: `https://download.pytorch.org/whl/${tag}` })),
  };
}

const PAGE = 'https://download.pytorch.org/whl/torch_stable.html';

const OTHER_TITLES = (tag: string): string => {
  if (tag.startsWith('rocm')) return `for ROCm ${tag.slice(4)}`;
  return { mps: "with Metal, for Apple's GPUs", xpu: "for Intel's GPUs" }[tag] ?? 'for the CPU';
};

/** From 2.0 on, the cuDNN wheel that it pins exactly. */
function cudnnOf(release: TorchRelease, tag: string): string | null {
  const cudnn = release.builds.get(tag)?.cudnn;
  return cudnn && torchHas('cudnn_wheel', release.torch) ? `==${cudnn}.*` : null;
}

/** For CUDA 12 wheels. */
function ncclOf({ nccl }: TorchRelease, tag: string): { nccl?: string } {
  const version = tag.startsWith('cu12') ? nccl : undefined;
  return version === undefined ? {} : { nccl: `==${version}` };
}

function wheelsOf(target: Omit<PlanTarget, 'words'>, release: TorchRelease): Wheel[] {
  const { os, architecture, gpu } = target;
  const since = (first: string) => compareVersions(release.torch, first) >= 0;
  const plain = { release, cuda: null, code: null };
  switch (gpu.kind) {
    case 'cuda':
      return cudaWheels(target, release);
    case 'rocm':
      if (architecture === 'arm64') return [];
      return release.rocm
        .toReversed()
        .filter((rocm) => gpu.architectures.every((each) => codeOfRocm(release.torch, rocm)?.includes(each)))
        .map((rocm) => ({ ...plain, tag: `rocm${rocm}`, onPypi: false }));
    case 'xpu': {
      const first = firstTorchForXpu(os, gpu.name);
      return first !== undefined && since(first) ? [{ ...plain, tag: 'xpu', onPypi: false }] : [];
    }
    case 'mps':
      return torchHas('mps', release.torch) ? [{ ...plain, tag: 'mps', onPypi: true }] : [];
    case 'cpu': {
      if (os === 'macos' && !torchStillHas('intel_macs', release.torch)) return [];
      if (os === 'linux' && architecture === 'arm64' && !torchHas('arm', release.torch)) return [];
      return [{ ...plain, tag: 'cpu', onPypi: os !== 'linux' }];
    }
  }
}

function cudaWheels({ os, architecture, gpu }: Omit<PlanTarget, 'words'>, release: TorchRelease): Wheel[] {
  if (gpu.kind !== 'cuda') return [];
  const onArm = architecture === 'arm64';
  if (onArm && (os !== 'linux' || !torchHas('arm_cuda', release.torch))) return [];
  const hasPypi = os === 'linux' && (!onArm || torchHas('arm_cuda_pypi', release.torch));
  const wheels = [...release.builds].flatMap(([tag, { architectures }]) => {
    const code = onArm ? armArchitectures(tag) : architectures;
    const onPypi = hasPypi && tag === release.pypi;
    return code === null ? [] : [{ release, tag, cuda: cudaOfTag(tag), code, onPypi }];
  });
  // The publisher's own choice, which is PyPI's build for Linux, from CUDA 11 on and if the driver starts its major
  // version of CUDA; then the newest CUDA that the driver supports by itself; then any.
  const score = ({ cuda, tag }: (typeof wheels)[number]) => {
    const isStarted = gpu.cuda === undefined || Number(majorOf(cuda)) <= Number(majorOf(gpu.cuda));
    if (tag === release.pypi && Number(cuda) >= 11 && isStarted) return 1000;
    return gpu.cuda !== undefined && compareVersions(cuda, gpu.cuda) > 0 ? 0 : Number(cuda);
  };
  return wheels.sort((left, right) => score(right) - score(left));
}
