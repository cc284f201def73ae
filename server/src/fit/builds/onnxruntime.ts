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
  return onnxruntimeForCuda({ architecture }, besideTorch);
}

/** The CUDA builds, the newest first. */
export function onnxruntimeForCuda(
  { architecture }: Pick<PlanTarget, 'architecture'>,
  besideTorch: boolean,
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
      ...(!extras &&
        !besideTorch && {
          wants: { cuda: cudaForOnnxruntime(cuda), cudnn: cudnnOfOnnxruntime(onnxruntime, cuda) ?? '' },
        }),
    }));
}

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
