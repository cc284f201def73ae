import {
  cudaForOnnxruntime,
  cudnnOfOnnxruntime,
  lowestCapabilityOfOnnxruntime,
  onnxruntimeReleases,
} from '../../published/releases/onnxruntimeReleases.ts';
import type { Builds, PublishedBuild } from '../build.ts';
import type { PlanTarget } from '../target.ts';

/**
 * The ONNX Runtime builds for that kind of GPU and platform, the newest first. With a torch for the same CUDA, it uses
 * torch's libraries and needs none of its own.
 */
export function onnxruntimeBuilds({ os, architecture, gpu }: PlanTarget, besideTorch: boolean): Builds {
  if (gpu.kind === 'rocm' || gpu.kind === 'xpu')
    return { none: `ONNX Runtime has no current wheels for ${gpu.kind === 'rocm' ? 'AMD' : 'Intel'} GPUs on PyPI.` };
  if (gpu.kind !== 'cuda') return [forProcessor(os)];
  return onnxruntimeForCuda({ architecture }, besideTorch, os);
}

/** The CUDA builds, the newest first. */
export function onnxruntimeForCuda(
  { architecture }: Pick<PlanTarget, 'architecture'>,
  besideTorch: boolean,
  os: PlanTarget['os'] = 'linux',
): PublishedBuild[] {
  return onnxruntimeReleases()
    .filter(({ arm }) => architecture === 'x64' || arm)
    .map(({ onnxruntime, python, cuda, extras }) => ({
      name: 'onnxruntime-gpu',
      asked: extras && !besideTorch ? 'onnxruntime-gpu[cuda,cudnn]' : 'onnxruntime-gpu',
      versions: `==${onnxruntime}.*`,
      python,
      cuda,
      // As its extra requires.
      cudnn: extras && !besideTorch ? withinMajor(cudnnOfOnnxruntime(onnxruntime, cuda)) : null,
      title: `ONNX Runtime ${onnxruntime} for CUDA ${cuda}`,
      lowest: lowestCapabilityOfOnnxruntime(cuda),
      ...(extras || besideTorch ? {} : librariesFor(cuda, cudnnOfOnnxruntime(onnxruntime, cuda) ?? '', os)),
    }));
}

/** On Linux, NVIDIA's wheels contain the libraries that it loads; elsewhere the system has to. */
function librariesFor(cuda: string, cudnn: string, os: PlanTarget['os']): Partial<PublishedBuild> {
  if (os !== 'linux') return { wants: { cuda: cudaForOnnxruntime(cuda), cudnn } };
  const family = `cu${cuda.split('.')[0]}`;
  return {
    also: [
      `nvidia-cudnn-${family}>=${cudnn},<${Number(cudnn.split('.')[0]) + 1}`,
      ...LOADED.map((each) => `nvidia-${each.replace('_', '-')}-${family}`),
    ],
    loads: ['cudnn', ...LOADED].map((each) => `nvidia/${each}/lib`),
  };
}

/** NVIDIA's libraries besides cuDNN that its CUDA provider is linked with. */
const LOADED = ['cublas', 'cufft', 'curand', 'cuda_runtime'];

/** The PEP 440 specifier for a major version: ">=9,<10" for "9". */
function withinMajor(major: string | undefined): string | null {
  return major === undefined ? null : `>=${major},<${Number(major) + 1}`;
}

/** On Macs, the only build also supports Core ML. */
function forProcessor(os: PlanTarget['os']): PublishedBuild {
  return {
    name: 'onnxruntime',
    asked: 'onnxruntime',
    versions: `>=${onnxruntimeReleases().at(-1)?.onnxruntime}`,
    python: null,
    cuda: null,
    cudnn: null,
    title: `ONNX Runtime ${os === 'macos' ? 'with Core ML' : 'for the CPU'}`,
  };
}
