import { lowestCapabilityOfOnnxruntime, onnxruntimeReleases } from '../../published/releases/onnxruntimeReleases.ts';
import type { Target } from '../target.ts';
import type { Build, Builds } from './build.ts';

/**
 * The ONNX Runtime builds for that kind of GPU and platform, the newest first. With a torch for the same CUDA, it uses
 * torch's libraries and needs none of its own.
 */
export function onnxruntimeBuilds({ os, architecture, gpu }: Target, besideTorch: boolean): Builds {
  if (gpu.kind === 'rocm' || gpu.kind === 'xpu')
    return { none: `ONNX Runtime has no current wheels for ${gpu.kind === 'rocm' ? 'AMD' : 'Intel'} GPUs on PyPI.` };
  if (gpu.kind !== 'cuda') return [forProcessor(os)];
  return onnxruntimeForCuda({ architecture }, besideTorch);
}

/** The CUDA builds, the newest first. */
export function onnxruntimeForCuda({ architecture }: Pick<Target, 'architecture'>, besideTorch: boolean): Build[] {
  return onnxruntimeReleases()
    .filter(({ arm }) => architecture === 'x64' || arm)
    .map(({ onnxruntime, python, cuda, extras }) => ({
      name: 'onnxruntime-gpu',
      asked: extras && !besideTorch ? 'onnxruntime-gpu[cuda,cudnn]' : 'onnxruntime-gpu',
      versions: `==${onnxruntime}.*`,
      python,
      cuda,
      // As its extra requires; for releases from 1.21 on.
      cudnn: extras && !besideTorch ? '>=9,<10' : null,
      title: `ONNX Runtime ${onnxruntime} for CUDA ${cuda}`,
      runsOn: (capability: string) => Number(capability) >= Number(lowestCapabilityOfOnnxruntime(cuda)),
      ...(!extras &&
        !besideTorch && { wants: { cuda: cuda === '11' ? '11.8' : cuda, cudnn: cuda === '11' ? '8' : '9' } }),
    }));
}

/** On Macs, the only build also supports Core ML. */
function forProcessor(os: Target['os']): Build {
  return {
    name: 'onnxruntime',
    asked: 'onnxruntime',
    versions: '>=1.15',
    python: null,
    cuda: null,
    cudnn: null,
    title: `ONNX Runtime ${os === 'macos' ? 'with Core ML' : 'for the CPU'}`,
    runsOn: () => true,
  };
}
