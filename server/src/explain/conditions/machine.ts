import { type Fact, isUnknown, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { nameGpus } from '../../stack/facts/gpuName.ts';
import { builtForCuda } from '../../stack/facts/installed.ts';
import { visibleGpus } from '../../stack/facts/usableGpus.ts';
import { driverSystem } from '../../stack/plan/torchFamily.ts';
import { compareVersions, lowestDriver } from '../../stack/releases/cudaDriver.ts';
import { codeFits, gpuCodeOf } from '../../stack/releases/gpuCode.ts';
import { isRelease, torchReleaseOf } from '../../stack/releases/torchReleases.ts';
import { type Condition, isOf, type Shown, type Situation, shown } from './condition.ts';
import { textConditions } from './text.ts';

/** A condition on the facts of the machine. */
function onFacts(look: (facts: StackFacts, situation: Situation) => Shown | undefined): Condition {
  return (situation) => situation.facts && look(situation.facts, situation);
}

type Target = 'cpu' | 'cuda' | 'rocm';

function torchIsFor(target: Target): Condition {
  return onFacts(({ frameworks: { torch } }, situation) => {
    const build = knownValue(torch);
    if (!build?.target || !isOf('torch', situation)) return undefined;
    const made = build.cuda ? `CUDA ${build.cuda}` : build.rocm ? `ROCm ${build.rocm}` : build.target;
    return shown(
      build.target === target,
      `torch ${build.version} is built for ${made === 'cpu' ? 'the CPU' : made} (${torch.source})`,
    );
  });
}

function frameworkIsAtLeast(
  name: 'torch' | 'tensorflow' | 'keras',
  title: string,
  major: number,
  minor: number,
): Condition {
  return onFacts(({ frameworks }) => {
    const fact: Fact<{ readonly version: string } | null> = frameworks[name];
    const build = knownValue(fact);
    return build
      ? shown(isAtLeast(build.version, major, minor), `${title} ${build.version} is installed (${fact.source})`)
      : undefined;
  });
}

function packageIsAtLeast(name: string, major: number, minor: number): Condition {
  return onFacts(({ packages }) => {
    const found = knownValue(packages)?.find((each) => each.name.toLowerCase() === name);
    return (
      found &&
      shown(isAtLeast(found.version, major, minor), `${found.name} ${found.version} is installed (${found.folder})`)
    );
  });
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [itsMajor = 0, itsMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return itsMajor > major || (itsMajor === major && itsMinor >= minor);
}

/** How texts name NVIDIA's boards, and the torch that is built for them ("2.1.0a0+41361538.nv23.06"). */
const JETSON = /\b(?:Jetson|JetPack|L4T|Xavier|Orin|tegra)\b|\d\+(?:[0-9a-f]{6,10}\.)?nv\d\d\.\d{1,2}\b/i;

/** What may be of one, and of another machine with a processor of Arm. */
const MAY_BE_JETSON = /aarch64|arm64|libcudss|libcudla|libnvdla/;

/** GPUs that MIG can split; of the others nothing is told of it. */
const CAN_BE_SPLIT = /\b(?:A30|A100|A800|H20|H800|G?[HB][123]00|RTX PRO [56]000)\b/;

/** How a text shows the system, most often by its paths. */
const SYSTEMS = {
  linux:
    /(?:^|[\s"'(])\/(?:home|usr|opt|root|workspace)\/(?!homebrew|(?:local\/)?(?:(?:ana|mini)conda3|miniforge3|Cellar|Caskroom|opt\/))[\w.-]+/m,
  windows: /\b[A-Za-z]:\\{1,2}[\w.-]+|\.dll\b/,
  macos:
    /(?<!\w:)\/(?:Users|opt\/homebrew|Applications)\/[\w.-]+|\bMacBook\b|\bOS ?X\b|\bMac M[1-5]\b|\bM[1-5] Mac\b|\bmac ?OS:? ?\d\d|\bApple M\d\b|\bdevice["']?\s{0,2}[:=]\s{0,2}["']?mps\b/i,
};

/** Of the machine whose facts are known, or else of the one that the paths of the text are of. */
function isOn(family: keyof typeof SYSTEMS): Condition {
  return ({ facts, text }) => {
    const os = facts && knownValue(facts.os);
    if (os && facts) return shown(os.family === family, `${os.name ?? os.family} (${facts.os.source})`);
    const own = SYSTEMS[family].exec(text)?.[0];
    const sign = own ?? others(family, text);
    return sign === undefined
      ? undefined
      : shown(own !== undefined, `the text tells of ${own === undefined ? 'another' : 'that'} system: ${sign.trim()}`);
  };
}

/** What shows another system. */
function others(family: keyof typeof SYSTEMS, text: string): string | undefined {
  return Object.entries(SYSTEMS)
    .filter(([name]) => name !== family)
    .map(([, paths]) => paths.exec(text)?.[0])
    .find((found) => found !== undefined);
}

function hasOther(vendor: 'amd' | 'apple' | 'intel'): Condition {
  return onFacts(({ otherAccelerators }) => {
    const all = knownValue(otherAccelerators);
    const found = all?.find((each) => each.vendor === vendor);
    if (found) return shown(true, `${found.devices[0]?.name ?? vendor} is there (${found.sign})`);
    return all && shown(false, `no GPU of that maker was found (${otherAccelerators.source})`);
  });
}

const torchFrom26 = frameworkIsAtLeast('torch', 'torch', 2, 6);
const tensorflowFrom211 = frameworkIsAtLeast('tensorflow', 'TensorFlow', 2, 11);
const tensorflowFrom21 = frameworkIsAtLeast('tensorflow', 'TensorFlow', 2, 1);
const kerasFrom3 = frameworkIsAtLeast('keras', 'Keras', 3, 0);

/** Whether the stack was found to be so: what excludes another cause. */
function byVerdict(name: string): Condition {
  return (situation) => {
    const found = situation.verdicts?.find(({ id, framework }) => id === name && isOf(framework, situation));
    return found && shown(true, found.finding);
  };
}

function not(condition: Condition): Condition {
  return (situation) => {
    const found = condition(situation);
    return found && shown(!found.holds, found.evidence);
  };
}

/** A GPU of AMD's that the text names, none of NVIDIA's beside it, and no service whose machine is another one. */
const amdTold: Condition = (situation) => {
  const { text } = situation;
  const sign =
    /\bRadeon\b|\b(?:RX )?(?:[67][6789]|90[67])\d?0 ?(?:XTX?|GRE)\b|\bgfx\d{3,4}[a-f]?\b|\bInstinct MI\d|\bROCm System Management\b|\brocminfo\b/i.exec(
      text,
    )?.[0];
  const isBesideNvidia = /\bGeForce\b|\b[RG]TX ?\d|\bTesla\b|\bQuadro\b|NVIDIA-SMI/i.test(text);
  const isElsewhere = textConditions['on-notebook-service'](situation)?.holds;
  return sign === undefined || isBesideNvidia || isElsewhere ? undefined : shown(true, `the text names ${sign}`);
};

const amdGpu: Condition = (situation) => hasOther('amd')(situation) ?? amdTold(situation);

/** Neither a GPU that works nor one on the bus. */
const noNvidiaGpu: Condition = onFacts(({ gpus, pciGpus, os, container, wsl }) => {
  const found = knownValue(gpus);
  if (found?.length) return shown(false, `${nameGpus(found)} is there (${gpus.source})`);
  const onBus = knownValue(pciGpus);
  const nvidia = onBus?.find(({ vendor }) => vendor === 'nvidia');
  if (nvidia) return shown(false, `an NVIDIA device is on the bus at ${nvidia.address} (${pciGpus.source})`);
  if (knownValue(os)?.family === 'macos') return shown(true, 'no Mac that runs this system has an NVIDIA GPU');
  // A Jetson's GPU is on no bus, and containers and WSL show none of it.
  if (knownValue(container) || knownValue(wsl) || /tegra/i.test(knownValue(os)?.kernel ?? '')) return undefined;
  return onBus && shown(true, `no NVIDIA device is on the bus (${pciGpus.source})`);
});

const toldMac = isOn('macos');

/** No Mac that runs torch has a driver of NVIDIA's. */
const onMac: Condition = (situation) =>
  toldMac(situation) ??
  (/\bNVIDIA-SMI \d/.test(situation.text) ? shown(false, 'the text has the output of nvidia-smi') : undefined);

const driverStopsAtCuda11: Condition = ({ facts }) => {
  const cuda = facts && knownValue(facts.driverCuda);
  return shown(
    cuda !== undefined && Number.parseInt(cuda, 10) === 11,
    cuda === undefined ? 'what the driver runs is not known' : `the driver runs CUDA up to ${cuda}`,
  );
};

const onJetson: Condition = ({ facts, text }) => {
  if (facts) {
    const { board, os, gpus } = facts;
    const known = knownValue(board);
    if (known) return shown(true, `this is ${known.model ?? 'a Jetson'} (${board.source})`);
    const chip = knownValue(gpus)?.find(({ name }) => /Orin|Xavier|Tegra|Jetson|Thor/.test(name));
    if (chip) return shown(true, `${chip.name} is a Jetson's GPU (${gpus.source})`);
    const { kernel } = knownValue(os) ?? {};
    const isOne = /tegra/i.test(kernel ?? '');
    if (kernel) return shown(isOne, `the kernel ${kernel} is ${isOne ? 'that' : 'none'} of a Jetson (${os.source})`);
  }
  const sign = JETSON.exec(text)?.[0];
  if (sign === undefined && MAY_BE_JETSON.test(text)) return undefined;
  return shown(sign !== undefined, sign === undefined ? 'the text names no Jetson' : `the text names ${sign}`);
};

/** On a Mac, and where the GPU is AMD's, also where only the text tells of it. */
const withoutNvidiaGpu: Condition = (situation) => {
  const told = [onMac(situation), amdTold(situation)].find((each) => each?.holds);
  return noNvidiaGpu(situation) ?? told;
};

const withoutWheel: Condition = (situation) => {
  const jetson = onJetson(situation);
  return jetson?.holds ? jetson : withoutNvidiaGpu(situation);
};

const inKubernetes: Condition = ({ facts, text }) => {
  const container = facts && knownValue(facts.container);
  if (container)
    return shown(container === 'Kubernetes', `this is a container: ${container} (${facts.container.source})`);
  const sign = /\b(?:kubectl|kubelet|microk8s|k3s|k8s|Kubernetes)\b|\bnvidia\.com\/gpu: ?\d/i.exec(text)?.[0];
  return shown(sign !== undefined, sign === undefined ? 'the text tells of no pod' : `the text names ${sign}`);
};

/** GPUs for which only builds for CUDA 12.8 and newer have code. */
const BLACKWELL =
  /\bRTX ?50[5-9]0\b|\bRTX PRO \d{4}\b|\bG?B[1-3]00\b|\bGB10\b|\bDGX Spark\b|\bBlackwell\b|\bsm_1[0-2]\d\b/i;

const namesBlackwell: Condition = ({ text }) => {
  const name = BLACKWELL.exec(text)?.[0];
  return shown(name !== undefined, name === undefined ? 'the text names no such GPU' : `the text names ${name}`);
};

/** Conditions on the machine, by name. */
export const machineConditions = {
  'torch-for-cpu': torchIsFor('cpu'),
  'torch-for-cuda': torchIsFor('cuda'),
  'torch-for-rocm': torchIsFor('rocm'),
  'torch-pins-cudnn': onFacts(({ frameworks: { torch } }) => {
    const build = knownValue(torch);
    const pinned = build?.pinned.find(({ name }) => name.startsWith('nvidia-cudnn'));
    if (!build || (!pinned && build.target !== 'cuda'))
      return build === undefined ? undefined : shown(false, 'torch asks for no cuDNN');
    return shown(
      true,
      `torch ${build.version} asks for ${pinned ? `${pinned.name} ${pinned.version}` : 'a cuDNN of its own'} (${torch.source})`,
    );
  }),
  /** Where torch alone computes on GPUs here: it holds finished code for all that it sees. */
  'torch-has-code': onFacts((facts) => {
    const gpus = visibleGpus(facts).filter(({ computeCapability }) => computeCapability !== null);
    const [torch, ...others] = builtForCuda(facts);
    const code = gpuCodeOf(facts, 'torch');
    if (torch?.framework !== 'torch' || others.length > 0 || code === undefined || gpus.length === 0) return undefined;
    return shown(
      gpus.every(({ computeCapability }) => codeFits(code.value, computeCapability ?? '') === 'native'),
      `${torch.title} holds code for ${nameGpus(gpus)} (${code.source})`,
    );
  }),
  'gpu-is-newer': byVerdict('gpu-newer-than-build'),
  'gpu-is-older': byVerdict('gpu-older-than-build'),
  'torchvision-fits': onFacts(({ frameworks: { torch, torchvision } }, { verdicts = [] }) => {
    const [own, other] = [knownValue(torch), knownValue(torchvision)];
    const release = own && isRelease(own.version) ? torchReleaseOf(own.version) : undefined;
    if (!other || !release || !isRelease(other.version)) return undefined;
    return shown(
      other.version.startsWith(`${release.torchvision}.`) && !verdicts.some(({ id }) => id.startsWith('torchvision-')),
      `torchvision ${other.version} goes with torch ${own?.version} (${torchvision.source})`,
    );
  }),
  /** The library that is missing is of the version that TensorFlow is built for: nothing else is wrong with it. */
  'tensorflow-asks-for-it': onFacts(({ frameworks: { tensorflow } }, { parts: { library = '' } }) => {
    const build = knownValue(tensorflow);
    const number = library
      .match(/\.so\.(\d+)|64_(\d+)\.dll$/)
      ?.slice(1)
      .find(Boolean);
    if (build?.target !== 'cuda' || number === undefined) return undefined;
    const [part, version] = /cudnn/.test(library) ? ['cuDNN', build.cudnn] : ['CUDA', build.cuda];
    if (!version) return undefined;
    const [major = '', minor = ''] = version.split('.');
    const isIt = [major, `${major}${minor}`, `${major}0`].includes(number);
    return shown(isIt, `${build.name} ${build.version} is built for ${part} ${version} (${tensorflow.source})`);
  }),
  'tensorflow-before-2-11': not(tensorflowFrom211),
  /** Whatever GPU there is: from 2.11 on there is no build with CUDA for Windows itself. */
  'tensorflow-without-windows-cuda': (situation) => {
    const system = situation.facts && knownValue(situation.facts.os);
    const found = tensorflowFrom211(situation);
    return system && found && shown(system.family === 'windows' && found.holds, found.evidence);
  },
  'tensorflow-before-2-1': not(tensorflowFrom21),
  'tensorflow-from-2-1': tensorflowFrom21,
  'tensorflow-from-2-4': frameworkIsAtLeast('tensorflow', 'TensorFlow', 2, 4),
  'torch-from-2-6': torchFrom26,
  'torch-before-2-6': not(torchFrom26),
  'numpy-2': packageIsAtLeast('numpy', 2, 0),
  'numpy-1': not(packageIsAtLeast('numpy', 2, 0)),
  'keras-3': kerasFrom3,
  'keras-2': not(kerasFrom3),

  /** For each framework that the error may be of and that is built for CUDA. */
  'driver-new-enough': onFacts((facts, situation) => {
    const driver = knownValue(facts.driver);
    const system = driverSystem(facts);
    const builds = builtForCuda(facts).filter(({ framework }) => isOf(framework, situation));
    if (driver === undefined || system === undefined || builds.length === 0) return undefined;
    const needs = builds.map(({ title, build }) => ({ title, lowest: build.cuda && lowestDriver(build.cuda, system) }));
    const [first] = needs;
    if (!first || needs.some(({ lowest }) => !lowest)) return undefined;
    return shown(
      needs.every(({ lowest }) => compareVersions(driver, lowest || '') >= 0),
      `driver ${driver} is new enough for ${first.title}, which needs ${first.lowest} (${facts.driver.source})`,
    );
  }),
  'gpu-works': onFacts(({ gpus, driver }) => {
    const found = knownValue(gpus);
    const version = knownValue(driver);
    if (!found?.length) return undefined;
    return shown(true, `${nameGpus(found)} works${version ? ` with driver ${version}` : ''} (${gpus.source})`);
  }),
  'no-nvidia-gpu': noNvidiaGpu,
  'without-nvidia-gpu': withoutNvidiaGpu,
  'on-jetson': onJetson,
  /** PyTorch's wheels for CUDA are of no use there. */
  'without-wheel-for-gpu': withoutWheel,
  'names-blackwell': namesBlackwell,
  /** Those for CUDA 12.6 neither. */
  'without-cu126-for-gpu': (situation) => {
    const [told] = [namesBlackwell(situation), driverStopsAtCuda11(situation)].filter((each) => each?.holds);
    return told ?? withoutWheel(situation);
  },
  'driver-missing': onFacts(({ gpus, kernelModule }) => {
    if (knownValue(gpus)?.length) return shown(false, `the driver answers (${gpus.source})`);
    if (!isUnknown(gpus) || knownValue(kernelModule)) return undefined;
    return gpus.cause === 'absent' || gpus.cause === 'driverNotRunning'
      ? shown(true, `${gpus.unknown} (${gpus.source})`)
      : undefined;
  }),
  'one-gpu': onFacts(({ gpus }) => {
    const found = knownValue(gpus);
    return (
      found &&
      shown(
        found.length === 1,
        `${found.length} GPU${found.length === 1 ? '' : 's'}: ${nameGpus(found)} (${gpus.source})`,
      )
    );
  }),
  /** The message has an index that no GPU of the machine has. */
  'index-missing': onFacts(({ gpus }, { parts }) => {
    const found = knownValue(gpus);
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
    return isOff ? shown(false, `MIG is off (${gpus.source})`) : undefined;
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
  'gpus-hidden': onFacts(({ variables }) => {
    const value = knownValue(variables);
    if (!value) return undefined;
    const name = ['CUDA_VISIBLE_DEVICES', 'NVIDIA_VISIBLE_DEVICES', 'HIP_VISIBLE_DEVICES'].find(
      (each) => value[each] !== undefined,
    );
    return name === undefined
      ? shown(false, `CUDA_VISIBLE_DEVICES is not set (${variables.source})`)
      : shown(true, `${name}=${value[name]} (${variables.source})`);
  }),
  'library-path-set': onFacts(({ libraryPath }) => {
    const folders = knownValue(libraryPath);
    if (!folders) return undefined;
    const [first] = folders;
    if (!first)
      return shown(false, `no folder of the library path holds libraries of NVIDIA's (${libraryPath.source})`);
    return shown(
      true,
      `${first.variable} leads to ${first.folder}, which holds ${first.libraries.slice(0, 3).join(', ')}`,
    );
  }),
  'no-toolkit': onFacts(({ toolkits }) => {
    const found = knownValue(toolkits);
    const [first] = found ?? [];
    return (
      found &&
      shown(
        !first,
        first
          ? `CUDA ${first.version ?? 'of unknown version'} is in ${first.root} (${first.namedBy})`
          : `no CUDA toolkit was found (${toolkits.source})`,
      )
    );
  }),

  'on-linux': isOn('linux'),
  'on-windows': isOn('windows'),
  'on-mac': onMac,
  'driver-stops-at-cuda-11': driverStopsAtCuda11,
  'in-wsl': onFacts(({ wsl }) => {
    const found = knownValue(wsl);
    return found === undefined
      ? undefined
      : shown(
          found !== null,
          found === null ? `this is no WSL (${wsl.source})` : `this is WSL ${found} (${wsl.source})`,
        );
  }),
  'in-container': onFacts(({ container }) => {
    const found = knownValue(container);
    return found === undefined
      ? undefined
      : shown(
          found !== null,
          found === null
            ? `nothing points to a container (${container.source})`
            : `this is a container: ${found} (${container.source})`,
        );
  }),
  'in-kubernetes': inKubernetes,
  'amd-gpu': amdGpu,
  'apple-gpu': hasOther('apple'),
  'intel-gpu': hasOther('intel'),
} satisfies Record<string, Condition>;

function shareOf({ memoryUsed, memoryTotal }: { memoryUsed: number | null; memoryTotal: number | null }): number {
  return (memoryUsed ?? 0) / (memoryTotal ?? 1);
}
