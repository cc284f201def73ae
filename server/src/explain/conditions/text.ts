import { knownValue } from '../../stack/facts/facts.ts';
import { compareVersions } from '../../stack/releases/cudaDriver.ts';
import { type Condition, type Shown, shown } from './condition.ts';
import { onJetson } from './system.ts';

/** What torch says of a GPU's memory when it runs out, in GiB; what it does not say is undefined. */
interface SaidMemory {
  readonly asked?: number;
  readonly total: number;
  readonly free: number;
  /** By tensors of this program. */
  readonly allocated?: number;
  /** By this program, with what its allocator keeps for later. */
  readonly held: number;
}

const GIB: Readonly<Record<string, number>> = { B: 2 ** -30, K: 2 ** -20, M: 2 ** -10, G: 1, T: 1024 };
const AMOUNT = '([\\d.]+) ?([KMGT]?)i?B(?:ytes)?';

/** What CUDA itself takes of a GPU for a program, beside what torch counts before 2.1. */
const CONTEXT = 0.5;

/** The forms of torch up to 2.0, and from 2.1 on. */
function memoryIn(text: string): SaidMemory | undefined {
  const amount = (pattern: string): number | undefined => {
    const [, value, unit] = new RegExp(pattern.replace('#', AMOUNT), 'i').exec(text) ?? [];
    return value === undefined ? undefined : Number(value) * (GIB[(unit ?? '').toUpperCase() || 'B'] ?? 0);
  };
  const total = amount('# total capacity') ?? amount('total capacity of #');
  const free = amount('; # free') ?? amount('of which # is free');
  if (total === undefined || free === undefined) return undefined;
  const allocated = amount('# already allocated') ?? amount('allocated memory # is allocated by PyTorch');
  const reserved = amount('# reserved in total');
  const cached = amount('; # cached');
  const counted = reserved ?? (allocated === undefined ? undefined : allocated + (cached ?? 0));
  const held = amount('this process has # memory in use') ?? (counted === undefined ? undefined : counted + CONTEXT);
  if (held === undefined) return undefined;
  return { asked: amount('tried to allocate #'), total, free, allocated, held };
}

const gib = (amount: number): string => `${amount.toFixed(1)} GiB`;

function onMemory(look: (memory: SaidMemory) => Shown | undefined): Condition {
  return ({ text }) => {
    const memory = memoryIn(text);
    return memory && look(memory);
  };
}

/** Of the whole memory, what others have to hold, or to lie idle, so that it is worth telling. */
const MUCH = 0.2;

/** How torch tells the compute capability of the GPU and those that a build has code for, as "sm_86", "(7.5) - (12.0)" or in rows. */
const LISTED =
  /CUDA capability sm_(\d+) is not compatible[\s\S]{0,200}?supports CUDA capabilities((?: (?:sm|compute)_\d+)+)/;
const RANGED =
  /which is of (?:cuda capability|compute capability \(CC\)) (\d+\.\d)[\s\S]{0,400}?(?:[Mm]inimum (?:and Maximum )?cuda capability[^(\d]{0,80}(\(?\d+\.\d\)?(?: - \(\d+\.\d\))?)|built for[^\n]*((?:\s*- \d+\.\d which supports[^\n]*)+))/;
const TOO_OLD = /which is of cuda capability (\d+\.\d)\.?\s*PyTorch no longer supports this GPU/;

interface SaidCapability {
  readonly own: number;
  /** Of the build, as far as the message tells. */
  readonly built: readonly number[];
}

/** In tens: 86 is 8.6. */
function capabilityIn(text: string): SaidCapability | undefined {
  const [, listed, list = ''] = LISTED.exec(text) ?? [];
  if (listed !== undefined)
    return { own: Number(listed), built: [...list.matchAll(/_(\d+)/g)].map(([, each]) => Number(each)) };
  const [, ranged, range = '', rows = ''] = RANGED.exec(text) ?? [];
  const tens = (version: string) => Math.round(Number(version) * 10);
  if (ranged !== undefined) {
    const built = range ? range.matchAll(/(\d+\.\d)/g) : rows.matchAll(/- (\d+\.\d) which/g);
    return { own: tens(ranged), built: [...built].map(([, each = '']) => tens(each)) };
  }
  const old = TOO_OLD.exec(text)?.[1];
  // What it supports begins above it.
  return old === undefined ? undefined : { own: tens(old), built: [tens(old) + 1] };
}

function onCapability(isSo: (own: number, built: readonly number[]) => boolean): Condition {
  return ({ text }) => {
    const { own, built = [] } = capabilityIn(text) ?? {};
    if (own === undefined || built.length === 0) return undefined;
    return shown(
      isSo(own, built),
      built.length === 1
        ? `by the message the GPU is of compute capability ${(own / 10).toFixed(1)}, and the build begins above it`
        : `by the message the GPU is sm_${own}, and the build has code from sm_${Math.min(...built)} to sm_${Math.max(...built)}`,
    );
  };
}

/** Names of GPUs of compute capability 3.x, beside what a message tells of theirs. */
const KEPLER =
  /\bTesla K\d+\w?\b|\bK(?:20|40|80)[a-z]?\b|\bGTX? (?:6[1-9]0|7[0-4]0|760|770|780)(?:M|MX)?\b|\bTITAN (?:Black|Z)\b|\bQuadro K\d{3,4}\b|\bsm_3\d\b|\b3\.[0257]\b(?= GPU)/i;

const ofKepler: Condition = ({ text }) => {
  const { own } = capabilityIn(text) ?? {};
  const name = KEPLER.exec(text)?.[0];
  const isOne = own === undefined ? name !== undefined : own >= 35 && own < 50;
  return shown(isOne, own === undefined ? `the text names ${name ?? 'no such GPU'}` : `the GPU is of ${own / 10}`);
};

/** On the version of CUDA that a message says the driver runs. */
function onDriver(isSo: (major: number) => boolean): Condition {
  return ({ parts: { driverCuda } }) =>
    driverCuda === undefined
      ? undefined
      : shown(isSo(Number.parseInt(driverCuda, 10)), `by the message the driver runs CUDA ${driverCuda}`);
}

/** How programs say which library they could not load; what else a text names is there, or was tried. */
const NOT_LOADED = /(?:Could not load library|Unable to load any of|Could not locate)[^\n]{0,200}/;

/** Whether a library that the text names is of a major version; the one that was not loaded counts before others. */
function names(library: RegExp, major: string): Condition {
  return ({ text }) => {
    const [said, linux, windows] = library.exec(NOT_LOADED.exec(text)?.[0] ?? '') ?? library.exec(text) ?? [];
    return said === undefined ? undefined : shown((linux ?? windows) === major, `the text names ${said}`);
  };
}

/** How TensorFlow tells of the loaded kernel module and of the libcuda that it has opened, and how the kernel does. */
const VERSIONS =
  /kernel version (?<module>\d[\d.]*\d)\S* does not match DSO version (?<library>\d[\d.]*\d)|client has the version (?<client>\d[\d.]*\d), but[\s\S]{0,24}?this kernel module has the version (?<loaded>\d[\d.]*\d)/;

/** On the opened libcuda and the kernel module. */
function onLibcuda(isSo: (library: string, module: string) => boolean): Condition {
  return ({ text }) => {
    const found = VERSIONS.exec(text)?.groups ?? {};
    const { module = found.loaded, library = found.client } = found;
    if (module === undefined || library === undefined) return undefined;
    return shown(isSo(library, module), `by the message libcuda is of ${library}, and the kernel module of ${module}`);
  };
}

/** The GPUs that Keras lists, by whatever name; those of XLA are the same once more. */
const GPUS_OF_KERAS = /this machine only has: \[([^\]]*)/;

/** AMD's generations of which ROCm takes one chip for another; 3.5 is in processors alone. */
const RDNA3 = /\bRDNA ?3\b|\bRX ?7[3-9]00\b|\b7[6-9]00 ?(?:XTX?|GRE)\b|\b7[48]0M\b|\bgfx110[0-3]\b/i;
const RDNA35 = /\bgfx115\d\b|\bStrix\b|\b80[456]0S\b|\b8[89]0M\b/i;
const RDNA4 = /\bRDNA ?4\b|\bRX ?90[67]0\b|\b90[67]0 ?(?:XTX?|GRE)\b|\bgfx120[01]\b/i;
const VEGA = /\bgfx90[0-9c]\b|\bVega\b|\bRadeon VII\b|\b(?:Renoir|Lucienne|Cezanne|Barcelo)\b/i;
/** Polaris and older. */
const BEFORE_VEGA =
  /\bgfx80\d\b|\bRX ?(?:4[678]0|5[5-9]0)X?\b|\bWX ?[2-7]1\d0\b|\bR9 (?:Fury|Nano|[23]\d0X?)\b|\bPolaris\b/i;

function namesGpu(gpu: RegExp): Condition {
  return ({ text }) => {
    const found = gpu.exec(text)?.[0];
    return shown(found !== undefined, found === undefined ? 'the text names no such GPU' : `the text names ${found}`);
  };
}

/** How texts show Python's version: in folders, in tags of wheels and conda's builds, and in words. */
const PYTHON =
  /\bpython(?:[ -]|={1,2})?3\.(\d{1,2})\b|\bpy(?:thon)?3\.?([5-9]|1\d)_|\bcp3(\d{1,2})-|[/\\]Python3(\d{1,2})[/\\]|\b3\.(\d{1,2})\.\d+ \((?:default|main)\b/i;

/** On the minor version of Python 3 that runs, or that the text shows. */
function onPython(isSo: (minor: number) => boolean): Condition {
  return ({ facts, text }) => {
    const known = facts && knownValue(facts.interpreter)?.version;
    const [, ...told] = PYTHON.exec(text) ?? [];
    const minor = known?.match(/^3\.(\d+)/)?.[1] ?? told.find((each) => each !== undefined);
    return shown(
      minor !== undefined && isSo(Number(minor)),
      minor === undefined ? "Python's version is not known" : `this is Python 3.${minor}`,
    );
  };
}

const beforePython39 = onPython((minor) => minor < 9);

/** Conditions on what a message tells in numbers, by name. */
export const textConditions = {
  'others-hold-memory': onMemory(({ total, free, held }) => {
    const others = total - free - held;
    return shown(
      others > MUCH * total,
      `by the message ${gib(Math.max(others, 0))} of ${gib(total)} are held by other programs`,
    );
  }),
  /** TensorFlow 1 tells it before it takes any itself. */
  'little-free-at-start': ({ text }) => {
    const [, total, free, unit] = /Total memory: ([\d.]+) ?GiB\s+Free memory: ([\d.]+) ?([MG])iB/.exec(text) ?? [];
    if (free === undefined) return undefined;
    const isLittle = Number(free) * (GIB[unit ?? ''] ?? 0) < MUCH * Number(total);
    return isLittle ? shown(true, `by the log ${free} ${unit}iB of ${total} GiB were free at the start`) : undefined;
  },
  'memory-lies-idle': onMemory(({ asked = 0, total, allocated, held }) => {
    if (allocated === undefined) return undefined;
    const idle = held - allocated - CONTEXT;
    return shown(
      idle > MUCH * total && idle > asked,
      `by the message ${gib(Math.max(idle, 0))} are reserved and not allocated`,
    );
  }),
  'program-fills-memory': onMemory(({ total, free, held }) =>
    shown(
      held > (1 - 2 * MUCH) * total && total - free - held <= MUCH * total,
      `by the message this program itself holds ${gib(held)} of ${gib(total)}`,
    ),
  ),
  'on-python-3-8': onPython((minor) => minor === 8),
  'on-python-before-3-8': onPython((minor) => minor < 8),
  'on-python-before-3-9': beforePython39,
  /** For a Jetson, and for a Python as old, PyTorch's indexes of today hold nothing. */
  'without-newest-builds': (situation) => (onJetson(situation)?.holds ? onJetson : beforePython39)(situation),
  'asks-for-cudnn-8': names(/libcudnn\w*\.so\.(\d)|cudnn\w*64_(\d)/, '8'),
  'asks-for-tensorrt-8': names(/libnvinfer\w*\.so\.(\d+)|nvinfer\w*_(\d+)\.dll/, '8'),
  'asks-for-cuda-11': names(/lib(?:cublas|cublasLt|cudart)\.so\.(\d+)|cublas(?:Lt)?64_(\d+)/, '11'),
  /** A library of before CUDA 11 carries the minor version in its name, and its cuDNN is 7 or older. */
  'library-before-cuda-11': ({ parts: { library } }) =>
    library === undefined
      ? undefined
      : shown(
          /\.so\.(?:[789]|10)\.\d|libcudnn\.so\.[4-7]\b|64_(?:[5-7]|80|9[0-2]|10[0-2]?)\.dll/.test(library),
          `the text names ${library}`,
        ),
  /** Of a CUDA for which there are wheels of torch with its tag. */
  'driver-of-old-wheels': ({ parts: { olderTorch } }) =>
    shown(olderTorch !== undefined, `the last torch for that CUDA is ${olderTorch}`),
  'driver-runs-cuda-11': onDriver((major) => major === 11),
  'driver-runs-cuda-12': onDriver((major) => major >= 12),
  /** TensorFlow and JAX for CUDA 12, which load cuDNN from wheels, are built with 8.8 and newer. */
  'cudnn-of-wheels': ({ parts: { builtCudnn } }) => {
    const [major = 0, minor = 0] = builtCudnn?.split('.').map(Number) ?? [];
    return builtCudnn === undefined
      ? undefined
      : shown(major > 8 || (major === 8 && minor >= 8), `by the message it is built with cuDNN ${builtCudnn}`);
  },
  'libcuda-older-than-module': onLibcuda((library, module) => compareVersions(library, module) < 0),
  /** An update of the driver, and no `cuda-compat`, which is of a branch of its own. */
  'libcuda-of-same-branch': onLibcuda((library, module) => library.split('.')[0] === module.split('.')[0]),
  'reads-a-model': ({ text }) => {
    const sign = /deserializ\w*|from_config|load_model|model_from_\w+/.exec(text)?.[0];
    return shown(sign !== undefined, sign === undefined ? 'the text reads no model' : `the text names ${sign}`);
  },
  'gpus-are-enough': ({ text, parts: { wanted } }) => {
    const list = GPUS_OF_KERAS.exec(text)?.[1];
    if (list === undefined || wanted === undefined) return undefined;
    const count = list.match(/[/:]gpu:\d+/gi)?.length ?? 0;
    return shown(count >= Number(wanted), `by the message there are ${count} GPUs`);
  },
  'cudnn-is-newer': ({ parts: { builtCudnn, foundCudnn } }) =>
    builtCudnn === undefined || foundCudnn === undefined
      ? undefined
      : shown(
          compareVersions(foundCudnn, builtCudnn) > 0,
          `by the message cuDNN ${foundCudnn} is found, and it is built with ${builtCudnn}`,
        ),
  /** Between the copies of a model that DataParallel runs; before torch 1.8 GPUs are named by number alone. */
  'differs-between-replicas': ({ text }) => {
    const [gpus] = /cuda:(\d+)\b[^\n]{1,60}cuda:(?!\1\b)\d+/.exec(text) ?? [];
    const [numbers] = /device \d+ does not equal \d+/.exec(text) ?? [];
    const [replicas] = /(?<!distributed)data ?parallel\b|data_parallel\.py|replica \d+ on device/i.exec(text) ?? [];
    const differing = gpus ?? numbers;
    if (differing === undefined) return shown(false, 'the message names no two GPUs');
    if (replicas !== undefined) return shown(true, `the text names ${replicas} and "${differing}"`);
    return numbers === undefined ? shown(false, 'the text names no DataParallel') : undefined;
  },
  'names-keras-file': ({ parts: { path } }) =>
    path === undefined ? undefined : shown(/\.(?:h5|hdf5|keras)$/.test(path), ''),
  'wants-tf-contrib': ({ text }) => {
    const [asked] = /tensorflow[\w.' ]{0,30}contrib/.exec(text) ?? [];
    return shown(asked !== undefined, asked === undefined ? 'the text names no contrib' : `the text says ${asked}`);
  },
  /** Their GPUs are NVIDIA's, whatever the machine has on which the browser runs. */
  'on-notebook-service': ({ text }) => {
    const [found] = /(?<![\w/])\/(?:content|kaggle)\/[\w.-]+|\b(?:google[- ]?|in |on )coll?ab\b/i.exec(text) ?? [];
    return found === undefined ? undefined : shown(true, `the text names ${found}, a service for notebooks`);
  },
  /** That GPUs are there, and the one program is told to use others. */
  'gpu-seen-elsewhere': ({ text }) => {
    const [found] =
      /CUDA_VISIBLE_DEVICES['"\]\s]{1,4}= ?['"]?[1-9]|is_available\b[^\n]{0,60}\bTrue\b|\bTrue\b[^\n]{0,60}is_available|\bGPU runtime (?:is |was )?(?:selected|chosen|enabled|set)|\b(?:selected|chose|enabled) (?:the |a )?GPU runtime/i.exec(
        text,
      ) ?? [];
    return found === undefined ? undefined : shown(true, `the text has "${found}"`);
  },
  'gpu-of-kepler': ofKepler,
  /** All but the K80, for which wheels were built to the end. */
  'gpu-of-kepler-without-wheel': (situation) => {
    const told = ofKepler(situation);
    const { own } = capabilityIn(situation.text) ?? {};
    const isK80 = own === undefined ? /\bK80\b|\b3\.7\b/.test(situation.text) : own >= 37;
    return told && shown(told.holds && !isK80, told.evidence);
  },
  'names-rdna3': namesGpu(RDNA3),
  'names-rdna3-or-4': namesGpu(new RegExp(`${RDNA3.source}|${RDNA4.source}`, 'i')),
  'names-rdna35': namesGpu(RDNA35),
  'names-rdna4': namesGpu(RDNA4),
  'names-vega': namesGpu(VEGA),
  'names-polaris': namesGpu(BEFORE_VEGA),
  'names-before-vega': (situation) => {
    const other = /\bgfx\d{3,4}[a-f]?\b|\bRX ?\d{3,4}\b|\bInstinct\b/i.test(situation.text);
    const named = namesGpu(BEFORE_VEGA)(situation);
    return named?.holds || other ? named : undefined;
  },
  'names-other-than-rdna2': namesGpu(
    new RegExp([RDNA3, RDNA35, RDNA4, VEGA, BEFORE_VEGA].map(({ source }) => source).join('|'), 'i'),
  ),
  /** Older than all that torch 1.0 and newer were built for. */
  'gpu-before-torch-1': ({ text }) => {
    const { own } = capabilityIn(text) ?? {};
    return shown(own !== undefined && own < 35, `by the message the GPU is of compute capability ${(own ?? 0) / 10}`);
  },
  'too-old-for-cu126': (situation) => {
    const { own } = capabilityIn(situation.text) ?? {};
    return own === undefined ? ofKepler(situation) : shown(own < 50, `the GPU is of ${own / 10}`);
  },
  /** Code of one generation runs on all that came later in it: that for 12.0 on 12.1. */
  'gpu-above-build': onCapability((own, built) => Math.floor(own / 10) > Math.floor(Math.max(...built) / 10)),
  'gpu-below-build': onCapability((own, built) => own < Math.min(...built)),
  /** Turing and newer GPUs: every build that does not know one is older than it. */
  'gpu-never-dropped': ({ text }) => {
    const own = /with CUDA capability sm_(\d+)a? is not compatible/.exec(text)?.[1];
    return Number(own) >= 75
      ? shown(true, `by the message the GPU is sm_${own}, which no newer build has dropped`)
      : undefined;
  },
} satisfies Record<string, Condition>;
