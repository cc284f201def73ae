import type { FrameworkBuild, OperatingSystem } from '../facts/facts.ts';
import { compareVersions } from './cudaDriver.ts';

/** What the publisher says of a wheel that its own files do not tell. */
export interface OfficialWheel {
  /** The cuDNN that it was built with. */
  cudnn: string | null;
  /** The GPU code in it, such as "sm_80" and, for code that any later GPU can compile, "compute_90". */
  architectures: string[] | null;
}

const sm = (list: string): string[] => list.split(' ').map((each) => `sm_${each}`);
const KEPLER_TO_VOLTA = sm('37 50 60 70');
const KEPLER_TO_AMPERE = sm('37 50 60 70 75 80 86');
const KEPLER_TO_HOPPER = sm('37 50 60 70 75 80 86 90');
const MAXWELL_TO_HOPPER = sm('50 60 70 75 80 86 90');
const VOLTA_TO_BLACKWELL = sm('70 75 80 86 90 100 120');
const TURING_TO_BLACKWELL = sm('75 80 86 90 100 120');
/** Where it is not published whether later GPUs can compile a wheel's code, they are taken to. */
const AND_LATER = [...TURING_TO_BLACKWELL, 'compute_120'];

/**
 * Wheels of PyTorch's own index for Linux on x86-64: releases, the tag of their CUDA, cuDNN, GPU code. Those of PyPI
 * are the same ones.
 * Sources: PyTorch's RELEASE.md (compatibility matrix), its build scripts (`.ci/manywheel`), and the wheels' metadata.
 */
const TORCH_WHEELS: [releases: string, tag: string, cudnn: string | null, architectures: string[]][] = [
  ['1.8 1.9 1.10 1.11 1.12', 'cu102', '7.6.5', KEPLER_TO_VOLTA],
  ['1.8 1.9 1.10', 'cu111', '8.0.5', KEPLER_TO_AMPERE],
  ['1.10 1.11', 'cu113', '8.2.0', KEPLER_TO_AMPERE],
  ['1.11', 'cu115', '8.3.2', KEPLER_TO_AMPERE],
  ['1.12', 'cu113', '8.3.2', KEPLER_TO_AMPERE],
  ['1.12 1.13', 'cu116', '8.3.2', KEPLER_TO_AMPERE],
  ['1.13 2.0', 'cu117', '8.5.0', KEPLER_TO_AMPERE],
  ['2.0 2.1 2.2 2.3', 'cu118', '8.7.0', KEPLER_TO_HOPPER],
  ['2.1 2.2 2.3', 'cu121', '8.9.2', MAXWELL_TO_HOPPER],
  ['2.4 2.5 2.6 2.7', 'cu118', '9.1.0', KEPLER_TO_HOPPER],
  ['2.4 2.5', 'cu121', '9.1.0', MAXWELL_TO_HOPPER],
  ['2.4 2.5 2.6', 'cu124', '9.1.0', MAXWELL_TO_HOPPER],
  ['2.6 2.7', 'cu126', '9.5.1', MAXWELL_TO_HOPPER],
  ['2.7', 'cu128', '9.7.1', AND_LATER],
  ['2.8 2.9 2.10 2.11 2.12 2.13 2.14', 'cu126', '9.10.2', MAXWELL_TO_HOPPER],
  ['2.8 2.9 2.10', 'cu128', '9.10.2', VOLTA_TO_BLACKWELL],
  ['2.8', 'cu129', '9.10.2', [...VOLTA_TO_BLACKWELL, 'compute_120']],
  ['2.9', 'cu130', '9.13.0', AND_LATER],
  ['2.10', 'cu130', '9.15.1', AND_LATER],
  ['2.11', 'cu128', null, AND_LATER],
  ['2.11', 'cu130', '9.19.0', AND_LATER],
  ['2.12', 'cu130', '9.20.0', TURING_TO_BLACKWELL],
  ['2.12', 'cu132', '9.20.0', AND_LATER],
  ['2.13', 'cu129', null, AND_LATER],
  ['2.13', 'cu130', '9.20.0', TURING_TO_BLACKWELL],
  ['2.13', 'cu132', '9.20.0', TURING_TO_BLACKWELL],
  ['2.14', 'cu130', '9.24.0', TURING_TO_BLACKWELL],
  ['2.14', 'cu132', '9.24.0', TURING_TO_BLACKWELL],
  ['2.14', 'cu134', null, AND_LATER],
];

/** What is published of this torch, where its version ("2.5.1+cu124") is that of a wheel of PyTorch's. */
export function officialTorchWheel(torch: FrameworkBuild, os: OperatingSystem | undefined): OfficialWheel | undefined {
  const [, release = '', tag = ''] = torch.version.match(/^(\d+\.\d+)\.\d+\+(cu\d+)$/) ?? [];
  const row = TORCH_WHEELS.find(([releases, each]) => each === tag && releases.split(' ').includes(release));
  if (row === undefined || os === undefined || torch.installer === 'conda') return undefined;
  const [, , cudnn, architectures] = row;
  if (os.architecture === 'x64') return { cudnn, architectures };
  return os.architecture === 'arm64' ? { cudnn, architectures: armArchitectures(tag) } : undefined;
}

/** Wheels for Arm leave out what no Arm machine holds, and from CUDA 13 on they add Thor. */
function armArchitectures(tag: string): string[] | null {
  const cuda = Number(tag.slice(2));
  if (cuda >= 130) return [...sm('80 90 100 110 120'), 'compute_120'];
  if (cuda >= 128) return [...sm('80 90 100 120'), 'compute_120'];
  return cuda === 126 ? sm('80 90') : null;
}

/**
 * The cuDNN of TensorFlow's wheels, whose files tell only its major version.
 * Source: tested build configurations (https://www.tensorflow.org/install/source#gpu).
 */
const TENSORFLOW_CUDNN: [releases: string, cudnn: string][] = [
  ['2.18 2.19 2.20 2.21', '9.3'],
  ['2.15 2.16 2.17', '8.9'],
  ['2.14', '8.7'],
  ['2.12 2.13', '8.6'],
  ['2.5 2.6 2.7 2.8 2.9 2.10 2.11', '8.1'],
  ['2.4', '8.0'],
];

/** What is published of this TensorFlow, where it is one of PyPI's. */
export function officialTensorflowWheel(tensorflow: FrameworkBuild): OfficialWheel | undefined {
  const { version, target, installer, name, cudnn: recorded } = tensorflow;
  const release = version.match(/^(\d+\.\d+)\.\d+(\.post\d+)?$/)?.[1] ?? '';
  const cudnn = TENSORFLOW_CUDNN.find(([releases]) => releases.split(' ').includes(release))?.[1];
  if (cudnn === undefined || target !== 'cuda' || installer === 'conda' || name !== 'tensorflow') return undefined;
  // A build of somebody's own records another one.
  if (recorded !== null && recorded.split('.')[0] !== cudnn.split('.')[0]) return undefined;
  return { cudnn, architectures: null };
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
