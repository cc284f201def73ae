import {
  highestCompiledByDriver,
  releaseBringsCuda,
  type TensorflowRelease,
  tensorflowHas,
  tensorflowReleases,
  tensorflowStillHas,
} from '../../published/releases/tensorflowReleases.ts';
import type { Builds, PublishedBuild } from '../build.ts';
import type { PlanTarget } from '../target.ts';

/** A CUDA build of TensorFlow. */
export interface TensorflowBuild extends PublishedBuild {
  readonly release: TensorflowRelease;
}

/**
 * The TensorFlow builds for that kind of GPU and platform, the newest first; those that include CUDA precede all
 * others.
 */
export function tensorflowBuilds({ os, architecture, gpu }: PlanTarget): Builds {
  switch (gpu.kind) {
    case 'cuda':
      if (os === 'linux' && architecture === 'arm64')
        return { none: 'TensorFlow has no CUDA wheels for Linux on Arm: NVIDIA has containers with it.' };
      return tensorflowForCuda(os);
    case 'mps':
      return METAL.map(([release, plugin]) => ({
        ...forCpu(release, 'tensorflow'),
        title: `TensorFlow ${release.tensorflow}, and Apple's plug-in that computes with Metal`,
        also: [`tensorflow-metal==${plugin}`],
      }));
    case 'rocm':
    case 'xpu':
      return { none: `TensorFlow has no current wheels for ${gpu.kind === 'rocm' ? 'AMD' : 'Intel'} GPUs on PyPI.` };
    case 'cpu': {
      const isIntelMac = os === 'macos' && architecture === 'x64';
      const asked = os === 'macos' || architecture === 'arm64' ? 'tensorflow' : 'tensorflow-cpu';
      return tensorflowReleases()
        .filter(({ tensorflow }) =>
          asked === 'tensorflow-cpu'
            ? tensorflowHas('cpu_package', tensorflow)
            : tensorflowHas('arm', tensorflow) && (!isIntelMac || tensorflowStillHas('intel_macs', tensorflow)),
        )
        .map((release) => forCpu(release, asked));
    }
  }
}

/** The CUDA builds for x86-64, the newest first; those that include CUDA precede all others. */
export function tensorflowForCuda(os: PlanTarget['os']): TensorflowBuild[] {
  const releases = tensorflowReleases().filter(({ windows }) => os === 'linux' || windows);
  const complete = releases.filter((each) => releaseBringsCuda(each));
  return [...complete, ...releases.filter((each) => !complete.includes(each))].map(withCuda);
}

/** Releases with their plug-in. */
const METAL = tensorflowReleases().flatMap((release): [TensorflowRelease, string][] =>
  release.metal === undefined ? [] : [[release, release.metal]],
);

function withCuda(release: TensorflowRelease): TensorflowBuild {
  const { tensorflow, cuda, cudnn, architectures, andCuda, noAndCuda, wheelCudnn, nccl, cudaPackage } = release;
  const cpu = forCpu(release, andCuda ? 'tensorflow[and-cuda]' : cudaPackage);
  const python = andCuda ? ([release.python[0], release.andCudaUntil] as const) : release.python;
  return {
    ...cpu,
    versions: noAndCuda === undefined ? cpu.versions : `${cpu.versions},!=${noAndCuda}`,
    release,
    python,
    title: `TensorFlow ${tensorflow} for CUDA ${cuda}`,
    cuda,
    cudnn: andCuda ? (wheelCudnn ?? null) : null,
    ...(nccl !== undefined && { nccl }),
    code: architectures,
    compiledUpTo: highestCompiledByDriver(cuda) ?? '0',
    ...(!releaseBringsCuda(release) && { wants: { cuda, cudnn } }),
  };
}

function forCpu({ tensorflow, python }: TensorflowRelease, asked: string): PublishedBuild {
  return {
    name: 'tensorflow',
    asked,
    versions: `==${tensorflow}.*`,
    python,
    cuda: null,
    cudnn: null,
    title: `TensorFlow ${tensorflow} for the CPU`,
  };
}
