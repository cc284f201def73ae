import { countVisibleGpus } from '../facts/cudaVisibleDevices.ts';
import { type FrameworkBuild, isPending, isUnknown, knownValue, type StackFacts } from '../facts/facts.ts';

/** The number of devices of one kind that torch finds here, with the reason as a clause: "this machine has 1 GPU". */
export interface DeviceCount {
  readonly count: number;
  readonly because: string;
}

/** By torch's name for the kind of device. Kinds without certain information are omitted. */
export type TorchDevices = Readonly<Partial<Record<'cuda' | 'mps' | 'xpu', DeviceCount>>>;

/** The devices on which the selected interpreter's torch can put tensors. */
export function torchDevices(facts: StackFacts): TorchDevices {
  const torch = knownValue(facts.frameworks.torch) ?? undefined;
  return { cuda: cudaDevices(facts, torch), mps: mpsDevices(facts, torch), xpu: xpuDevices(torch) };
}

function cudaDevices(facts: StackFacts, torch: FrameworkBuild | undefined): DeviceCount | undefined {
  if (torch?.target === 'cpu' || torch?.target === 'mps' || torch?.target === 'xpu')
    return { count: 0, because: `torch ${torch.version} is built without CUDA` };
  // A ROCm build of torch calls AMD GPUs `cuda`; those are not counted here.
  if (torch?.target === 'rocm') return undefined;
  const others = knownValue(facts.otherAccelerators);
  if (others === undefined || (torch?.target !== 'cuda' && others.some(({ api }) => api === 'rocm'))) return undefined;
  return nvidiaGpus(facts);
}

function nvidiaGpus({ gpus, variables }: StackFacts): DeviceCount | undefined {
  if (isPending(gpus)) return undefined;
  if (isUnknown(gpus)) {
    if (['driverNotRunning', 'driverMismatch'].includes(gpus.cause))
      return { count: 0, because: "this machine's NVIDIA driver does not work" };
    const isNone = ['absent', 'notApplicable'].includes(gpus.cause);
    return isNone ? { count: 0, because: 'this machine has no NVIDIA GPU' } : undefined;
  }
  // A program sees only the MIG instance of a GPU that is assigned to it.
  if (gpus.value.some(({ mig }) => mig)) return undefined;
  const all = gpus.value.length;
  const named = knownValue(variables)?.CUDA_VISIBLE_DEVICES;
  const visible = countVisibleGpus(named, gpus.value);
  if (visible === undefined) return undefined;
  const has = `this machine has ${all === 0 ? 'no GPU' : all === 1 ? '1 GPU' : `${all} GPUs`}`;
  if (visible === all) return { count: all, because: has };
  return { count: visible, because: `${has}, of which \`CUDA_VISIBLE_DEVICES="${named}"\` shows ${visible || 'none'}` };
}

/** Metal. Intel Macs support it with some GPUs and some versions of torch. */
function mpsDevices({ os }: StackFacts, torch: FrameworkBuild | undefined): DeviceCount | undefined {
  const system = knownValue(os);
  if (!system) return undefined;
  if (system.family !== 'macos') return { count: 0, because: 'this machine is not a Mac' };
  return torch?.target === 'mps' ? { count: 1, because: 'this machine is a Mac with a GPU' } : undefined;
}

/** Intel GPUs are not counted. */
function xpuDevices(torch: FrameworkBuild | undefined): DeviceCount | undefined {
  if (!torch?.target || torch.target === 'xpu') return undefined;
  return { count: 0, because: `torch ${torch.version} is built without XPU` };
}
