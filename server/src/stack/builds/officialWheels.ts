import { jaxReleaseOf } from '../../published/releases/jaxReleases.ts';
import { cudnnOfOnnxruntime } from '../../published/releases/onnxruntimeReleases.ts';
import { tensorflowReleaseOf } from '../../published/releases/tensorflowReleases.ts';
import {
  armArchitectures,
  type TorchBuild,
  tagOfCuda,
  torchHas,
  torchReleaseOf,
} from '../../published/releases/torchReleases.ts';
import type { FrameworkBuild, OperatingSystem, Package } from '../facts/facts.ts';

/** Published facts about a wheel that its files lack. */
export interface OfficialWheel {
  /** The cuDNN that it was built with. */
  cudnn: string | null;
  /** Its GPU architectures, such as "sm_80" and, for code that later GPUs can compile, "compute_90". */
  architectures: string[] | null;
}

/** The published facts about this torch, if it is a wheel from PyTorch's index or PyPI. */
export function officialTorchWheel(torch: FrameworkBuild, os: OperatingSystem | undefined): OfficialWheel | undefined {
  const build = torchBuildOf(torch);
  if (build === undefined || os === undefined || torch.installer === 'conda') return undefined;
  const { tag, cudnn, architectures } = build;
  if (os.architecture === 'x64') return { cudnn, architectures };
  return os.architecture === 'arm64' ? { cudnn, architectures: armArchitectures(tag) } : undefined;
}

/** Its build, from the local tag ("2.5.1+cu124"), which PyPI's wheels also contain from 1.8 on. */
function torchBuildOf({ version, cuda, installer }: FrameworkBuild): (TorchBuild & { tag: string }) | undefined {
  const [, release = '', tagged] = version.match(/^(\d+\.\d+\.\d+)(?:\+(cu\d+))?$/) ?? [];
  const row = torchReleaseOf(release);
  const tag =
    tagged ??
    (cuda !== null && installer !== null && isUntagged(release) && row?.pypi === tagOfCuda(cuda)
      ? row.pypi
      : undefined);
  const build = tag === undefined ? undefined : row?.builds.get(tag);
  return tag === undefined || build === undefined ? undefined : { ...build, tag };
}

function isUntagged(release: string): boolean {
  return release.startsWith('1.') && !torchHas('local_tags', release);
}

/** Names of TensorFlow packages for CUDA on PyPI, past and present. */
const TENSORFLOW_NAMES = ['tensorflow', 'tensorflow-gpu'];

/** The published facts about this TensorFlow, if it is from PyPI. */
export function officialTensorflowWheel(tensorflow: FrameworkBuild): OfficialWheel | undefined {
  const { version, target, installer, name, cudnn: recorded } = tensorflow;
  const row = /^\d+\.\d+\.\d+(\.post\d+)?$/.test(version) ? tensorflowReleaseOf(version) : undefined;
  if (row === undefined || target !== 'cuda' || installer === 'conda' || !TENSORFLOW_NAMES.includes(name)) {
    return undefined;
  }
  // A custom build records another cuDNN.
  if (recorded !== null && recorded.split('.')[0] !== row.cudnn.split('.')[0]) return undefined;
  return { cudnn: row.cudnn, architectures: row.architectures };
}

/** The cuDNN of ONNX Runtime's CUDA wheels. */
export function officialOnnxruntimeWheel(onnxruntime: FrameworkBuild): OfficialWheel | undefined {
  const { version, name, target, cuda } = onnxruntime;
  if (name !== 'onnxruntime-gpu' || target !== 'cuda' || cuda === null) return undefined;
  const cudnn = cudnnOfOnnxruntime(version, cuda);
  return cudnn === undefined ? undefined : { cudnn, architectures: null };
}

/** The published facts about JAX's CUDA plug-in, if it is installed. */
export function officialJaxPlugin(packages: readonly Package[]): OfficialWheel | undefined {
  const plugin = packages.find(({ name }) => /^jax-cuda\d+-plugin$/.test(name));
  const family = plugin?.name.match(/\d+/)?.[0] ?? '';
  const cudnn = plugin && jaxReleaseOf(plugin.version)?.cudnn[family]?.match(/\d+(\.\d+)*/)?.[0];
  return cudnn === undefined ? undefined : { cudnn, architectures: null };
}
