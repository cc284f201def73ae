import { meansNoGpu } from '../../diagnosis/readout/summary.ts';
import { isWrittenSource } from '../../pasted/report.ts';
import { lastDriverBranch } from '../../published/releases/cudaDriver.ts';
import { isUnknown, knownValue } from '../../stack/facts/facts.ts';
import { nameGpus } from '../../stack/facts/gpuName.ts';
import { type Condition, onFacts, shown } from './condition.ts';
import { namedGpuConditions, namesBlackwell, reportedAmd } from './namedGpus.ts';
import { onJetson, onMac, systemConditions } from './system.ts';
import { textConditions } from './text.ts';

/** GPUs that support MIG; nothing is reported about MIG for others. */
const CAN_BE_SPLIT = /\b(?:A30|A100|A800|H20|H800|G?[HB][123]00|RTX PRO [56]000)\b/;

function hasOther(vendor: 'amd' | 'apple' | 'intel'): Condition {
  return onFacts(({ otherAccelerators }) => {
    const all = knownValue(otherAccelerators);
    const found = all?.find((each) => each.vendor === vendor);
    return all && shown(found !== undefined, `${found?.devices[0]?.name ?? vendor} is there (${found?.sign})`);
  });
}

/** Containers that show their host's bus: their `/sys` is the host's. */
const SHARING_SYSFS: ReadonlySet<string> = new Set(['Docker', 'Podman', 'containerd']);

/** Neither a working GPU nor one on the bus. */
const noNvidiaGpu: Condition = onFacts(({ gpus, pciGpus, os, container, wsl }) => {
  const found = knownValue(gpus);
  const onBus = knownValue(pciGpus);
  if (found?.length || onBus?.some(({ vendor }) => vendor === 'nvidia')) return shown(false);
  if (knownValue(os)?.family === 'macos') return shown(true, 'no Mac that runs this system has an NVIDIA GPU');
  // A Jetson's GPU is not on a bus, and WSL and virtual machines for containers show no bus.
  if (knownValue(wsl) || /tegra/i.test(knownValue(os)?.kernel ?? '')) return undefined;
  const kind = knownValue(container);
  if (kind && !SHARING_SYSFS.has(kind)) return undefined;
  return onBus && shown(true, `no NVIDIA device found${kind ? ' on the host' : ''} (${pciGpus.source})`);
});

/**
 * This machine has no NVIDIA GPU that programs can use. That is known even without information about its bus if it has
 * neither nvidia-smi nor a driver. A text says too little about its machine to conclude this.
 */
const noUsableNvidiaGpu: Condition = (situation) => {
  const onBus = noNvidiaGpu(situation);
  if (onBus !== undefined || situation.facts === undefined) return onBus;
  const { gpus, pciGpus } = situation.facts;
  const wasAsked = !(isUnknown(pciGpus) && pciGpus.cause === 'notAsked');
  if (!wasAsked || !isUnknown(gpus) || isWrittenSource(gpus.source) || !meansNoGpu(situation.facts)) return undefined;
  return shown(true, `no NVIDIA GPU is usable here: ${gpus.unknown} (${gpus.source})`);
};

/** An AMD GPU next to an NVIDIA GPU explains nothing: it is usually integrated in the CPU. */
const amdGpu: Condition = (situation) => {
  const found = hasOther('amd')(situation) ?? reportedAmd(situation);
  const nvidia = noNvidiaGpu(situation);
  if (nvidia?.holds !== false) return found;
  return found?.holds ? undefined : (found ?? nvidia);
};

/** Based on the major version of the newest CUDA release that the driver supports. */
function onDriverCuda(isSo: (major: number) => boolean): Condition {
  return ({ facts }) => {
    const cuda = facts && knownValue(facts.driverCuda);
    return shown(cuda !== undefined && isSo(Number.parseInt(cuda, 10)));
  };
}

const driverStopsAtCuda11 = onDriverCuda((major) => major === 11);
const driverBeforeCuda12 = onDriverCuda((major) => major < 12);

/** The first condition that holds, otherwise the result of another one. */
function firstThatHolds(those: readonly Condition[], otherwise: Condition): Condition {
  return (situation) => those.map((each) => each(situation)).find((each) => each?.holds) ?? otherwise(situation);
}

/** Based on the facts; without any, also true on a Mac and for an AMD GPU. */
const withoutNvidiaGpu: Condition = (situation) => {
  const reported = [onMac(situation), reportedAmd(situation)].find((each) => each?.holds);
  return noUsableNvidiaGpu(situation) ?? reported;
};

const withoutWheel = firstThatHolds([onJetson], withoutNvidiaGpu);

/** A package that nvidia-detect prints for old GPUs. */
const LEGACY = /\bnvidia-legacy-\d{3}xx-driver\b/;

/** No newer driver branch supports any of the GPUs. */
const driverIsTheLast: Condition = ({ facts, text }) => {
  const driver = facts && knownValue(facts.driver);
  const gpus = (facts && knownValue(facts.gpus)) ?? [];
  const ends = gpus.map(({ computeCapability }) => computeCapability && lastDriverBranch(computeCapability));
  if (gpus.length === 0) return shown(LEGACY.test(text));
  return shown(ends.every((end) => end && driver !== undefined && Number.parseInt(driver, 10) >= end));
};

const gpuWorks: Condition = onFacts(({ gpus, driver, driverCuda }) => {
  const found = knownValue(gpus);
  const version = knownValue(driver);
  // A GPU that the author mentions may not work; only nvidia-smi shows that it does, if it finds libcuda.
  if (!found?.length || isWrittenSource(gpus.source) || (isUnknown(driverCuda) && driverCuda.cause === 'failed'))
    return undefined;
  return shown(true, `${nameGpus(found)} works${version ? ` with driver ${version}` : ''} (${gpus.source})`);
});

/** Conditions on the GPUs and their driver, by name. */
export const gpuConditions = {
  'gpu-works': gpuWorks,
  'no-nvidia-gpu': noNvidiaGpu,
  'no-usable-nvidia-gpu': noUsableNvidiaGpu,
  'without-nvidia-gpu': withoutNvidiaGpu,
  /** PyTorch's CUDA wheels do not work on these GPUs. */
  'without-wheel-for-gpu': withoutWheel,
  'without-jax-for-cuda-12': firstThatHolds([systemConditions['on-windows']], driverBeforeCuda12),
  /** Nor do the wheels for CUDA 12.6. */
  'without-cu126-for-gpu': firstThatHolds(
    [namesBlackwell, driverStopsAtCuda11, textConditions['on-python-before-3-9']],
    withoutWheel,
  ),
  'without-rocm-wheel': firstThatHolds([namedGpuConditions['names-polaris'], onJetson], systemConditions['on-windows']),
  /** Known to be false if nothing mentions such a GPU, or Windows. */
  'amd-in-windows': (situation) =>
    amdGpu(situation)?.holds ? systemConditions['surely-on-windows'](situation) : shown(false),
  'driver-is-the-last': driverIsTheLast,
  'driver-of-others': firstThatHolds([driverIsTheLast], textConditions['on-notebook-service']),
  'driver-before-cuda-12': driverBeforeCuda12,
  'without-gpu-for-cuda-12': firstThatHolds([driverBeforeCuda12], withoutNvidiaGpu),
  'in-container-without-gpu': onFacts(({ container, gpus }, situation) => {
    const kind = knownValue(container);
    const none = noNvidiaGpu(situation);
    if (kind && none?.holds) return shown(false);
    return kind && !knownValue(gpus)?.length
      ? shown(true, `this is a container: ${kind} (${container.source})`)
      : undefined;
  }),
  'driver-mismatch-in-container': onFacts(({ container, gpus }) =>
    knownValue(container) && isUnknown(gpus) && gpus.cause === 'driverMismatch'
      ? shown(true, `${gpus.unknown}, in a container (${gpus.source})`)
      : undefined,
  ),
  'in-container-without-libcuda': onFacts(({ container, driverCuda }) =>
    knownValue(container) && isUnknown(driverCuda) && driverCuda.cause === 'failed'
      ? shown(true, `${driverCuda.unknown} (${driverCuda.source})`)
      : undefined,
  ),
  'one-gpu': onFacts(({ gpus }) => {
    const found = isWrittenSource(gpus.source) ? undefined : knownValue(gpus);
    return found && shown(found.length === 1, `1 GPU: ${nameGpus(found)} (${gpus.source})`);
  }),
  /** The message contains an index that no GPU of the machine has. */
  'index-missing': onFacts(({ gpus }, { parts }) => {
    const found = isWrittenSource(gpus.source) ? undefined : knownValue(gpus);
    if (!found || parts.index === undefined) return undefined;
    return shown(
      Number(parts.index) >= found.length,
      `the machine has ${found.length}: ${nameGpus(found)} (${gpus.source})`,
    );
  }),
  'gpu-before-ampere': onFacts(({ gpus }) => {
    const old = knownValue(gpus)?.filter(({ computeCapability }) => computeCapability !== null);
    if (!old?.length) return undefined;
    const lowest = old.reduce((a, b) => (Number(a.computeCapability) < Number(b.computeCapability) ? a : b));
    return shown(
      Number(lowest.computeCapability) < 8,
      `${lowest.name} has compute capability ${lowest.computeCapability} (${gpus.source})`,
    );
  }),
  'mig-enabled': onFacts(({ gpus }) => {
    const found = knownValue(gpus);
    if (found?.some(({ mig }) => mig === true)) return shown(true, `MIG is on (${gpus.source})`);
    const isOff = found?.every(({ mig, name }) => mig === false || !CAN_BE_SPLIT.test(name));
    return isOff ? shown(false) : undefined;
  }),
  'gpu-memory-taken': onFacts(({ gpus }) => {
    const known = knownValue(gpus)?.filter(({ memoryTotal, memoryUsed }) => memoryTotal && memoryUsed !== null);
    if (!known?.length) return undefined;
    const fullest = known.reduce((a, b) => (shareOf(a) > shareOf(b) ? a : b));
    return shown(
      shareOf(fullest) > 0.5,
      `${fullest.memoryUsed} of ${fullest.memoryTotal} MiB of the ${fullest.name} are in use (${gpus.source})`,
    );
  }),
  'driver-stops-at-cuda-11': driverStopsAtCuda11,
  'amd-gpu': amdGpu,
  'amd-gpu-without-rocm': (situation) => {
    const sign = /hipError[A-Z]\w+|\bHIP error\b|rocBLAS error|MIOpen\(HIP\)|No HIP GPUs/.exec(situation.text)?.[0];
    return sign === undefined ? amdGpu(situation) : shown(false, `the text mentions ROCm: ${sign}`);
  },
  'apple-gpu': hasOther('apple'),
  'intel-gpu': hasOther('intel'),
} satisfies Record<string, Condition>;

function shareOf({ memoryUsed, memoryTotal }: { memoryUsed: number | null; memoryTotal: number | null }): number {
  return (memoryUsed ?? 0) / (memoryTotal ?? 1);
}
