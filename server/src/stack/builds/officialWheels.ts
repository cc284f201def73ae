import { jaxReleaseOf } from '../../published/releases/jaxReleases.ts';
import { tensorflowReleaseOf } from '../../published/releases/tensorflowReleases.ts';
import {
  armArchitectures,
  type TorchBuild,
  tagOfCuda,
  torchHas,
  torchReleaseOf,
} from '../../published/releases/torchReleases.ts';
import { compareVersions } from '../../published/versions.ts';
import type { FrameworkBuild, OperatingSystem, Package } from '../facts/facts.ts';

/** What the publisher says of a wheel that its own files do not tell. */
export interface OfficialWheel {
  /** The cuDNN that it was built with. */
  cudnn: string | null;
  /** The GPU code in it, such as "sm_80" and, for code that any later GPU can compile, "compute_90". */
  architectures: string[] | null;
}

/** What is published of this torch, where it is a wheel of PyTorch's or of PyPI. */
export function officialTorchWheel(torch: FrameworkBuild, os: OperatingSystem | undefined): OfficialWheel | undefined {
  const build = torchBuildOf(torch);
  if (build === undefined || os === undefined || torch.installer === 'conda') return undefined;
  const { tag, cudnn, architectures } = build;
  if (os.architecture === 'x64') return { cudnn, architectures };
  return os.architecture === 'arm64' ? { cudnn, architectures: armArchitectures(tag) } : undefined;
}

/** Its build, by the local tag ("2.5.1+cu124"), which PyPI's wheels have in their files, too, from 1.8 on. */
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

/** Names under which PyPI has, or had, a TensorFlow for CUDA. */
const TENSORFLOW_NAMES = ['tensorflow', 'tensorflow-gpu'];

/** What is published of this TensorFlow, where it is one of PyPI's. */
export function officialTensorflowWheel(tensorflow: FrameworkBuild): OfficialWheel | undefined {
  const { version, target, installer, name, cudnn: recorded } = tensorflow;
  const row = /^\d+\.\d+\.\d+(\.post\d+)?$/.test(version) ? tensorflowReleaseOf(version) : undefined;
  if (row === undefined || target !== 'cuda' || installer === 'conda' || !TENSORFLOW_NAMES.includes(name)) {
    return undefined;
  }
  // A build of somebody's own records another one.
  if (recorded !== null && recorded.split('.')[0] !== row.cudnn.split('.')[0]) return undefined;
  return { cudnn: row.cudnn, architectures: row.architectures };
}

/**
 * The cuDNN of ONNX Runtime's wheels for CUDA, by the major version of their CUDA.
 * Source: its requirements for CUDA (https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html#requirements).
 */
export function officialOnnxruntimeWheel(onnxruntime: FrameworkBuild): OfficialWheel | undefined {
  const { version, name, target, cuda } = onnxruntime;
  if (name !== 'onnxruntime-gpu' || target !== 'cuda' || cuda === null || compareVersions(version, '1.14') < 0)
    return undefined;
  const isNine = Number(cuda.split('.')[0]) >= 12 && compareVersions(version, '1.18.1') >= 0;
  return { cudnn: isNine ? '9' : '8', architectures: null };
}

/** What is published of JAX's plug-in for CUDA, where there is one. */
export function officialJaxPlugin(packages: readonly Package[]): OfficialWheel | undefined {
  const plugin = packages.find(({ name }) => /^jax-cuda\d+-plugin$/.test(name));
  const family = plugin?.name.match(/\d+/)?.[0] ?? '';
  const cudnn = plugin && jaxReleaseOf(plugin.version)?.cudnn[family]?.match(/\d+(\.\d+)*/)?.[0];
  return cudnn === undefined ? undefined : { cudnn, architectures: null };
}
