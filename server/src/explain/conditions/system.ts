import { boardIn } from '../../pasted/board.ts';
import { printedSigns } from '../../pasted/printedSigns.ts';
import { readProjectCommands } from '../../pasted/projectTool.ts';
import { SYSTEM_SIGNS } from '../../pasted/systemSigns.ts';
import { type Fact, knownValue } from '../../stack/facts/facts.ts';
import { type PackageTool, packageToolNamedIn } from '../../stack/facts/packageTool.ts';
import { type Condition, onFacts, type ShownFact, shown } from './condition.ts';

/** NVIDIA's own build of torch, for its boards and containers. */
const TORCH_OF_NVIDIA =
  /\btorch\S{0,12}?\d\+(?:[0-9a-f]{6,10}\.)?nv\d\d\.\d{1,2}\b|\+(?:[0-9a-f]{6,10}\.)nv\d\d\.\d{1,2}\b/i;

/** Evidence of a board, or of another Arm machine. */
const MAY_BE_JETSON = /aarch64|arm64|libcudss|libcudla|libnvdla/;

const FAMILIES = Object.keys(SYSTEM_SIGNS) as (keyof typeof SYSTEM_SIGNS)[];

/** Evidence of a system in a text. */
function signOf(family: keyof typeof SYSTEM_SIGNS, text: string): string | undefined {
  return SYSTEM_SIGNS[family].exec(text)?.[0];
}

/** The machine with known facts, or the one to which the paths in the text belong. */
function isOn(family: keyof typeof SYSTEM_SIGNS): Condition {
  return ({ facts, text }) => {
    const os = facts && knownValue(facts.os);
    if (os && facts) return shown(os.family === family, `${os.name ?? os.family} (${facts.os.source})`);
    const own = signOf(family, text);
    const sign = own ?? FAMILIES.map((other) => signOf(other, text)).find((found) => found !== undefined);
    return sign === undefined ? undefined : shown(own !== undefined, `the text describes that system: ${sign.trim()}`);
  };
}

const reportedMac = isOn('macos');

/** No Mac that runs torch has an NVIDIA GPU. */
export const onMac: Condition = (situation) => {
  const reported = reportedMac(situation);
  if (reported) return reported;
  const gpu = situation.facts && knownValue(situation.facts.gpus)?.[0]?.name;
  const sign =
    gpu ?? /\bNVIDIA-SMI \d|\bGeForce\b|\b[RG]TX ?\d{3,4}|\bG[BH]\d00\b|\baarch64\b/.exec(situation.text)?.[0];
  return sign === undefined ? undefined : shown(false, `the text names ${sign}`);
};

export const onJetson: Condition = ({ facts, text }) => {
  if (facts) {
    const { board, os, gpus } = facts;
    const known = knownValue(board);
    if (known) return shown(true, `this is ${known.model ?? 'a Jetson'} (${board.source})`);
    const chip = knownValue(gpus)?.find(({ name }) => /Orin|Xavier|Tegra|Jetson|Thor/.test(name));
    if (chip) return shown(true, `${chip.name} is a Jetson's GPU (${gpus.source})`);
    const { kernel } = knownValue(os) ?? {};
    if (kernel) return shown(/tegra/i.test(kernel), `the kernel ${kernel} is that of a Jetson (${os.source})`);
  }
  const sign =
    boardIn(text)?.board.model ?? TORCH_OF_NVIDIA.exec(text)?.[0] ?? /\b\d[\d.]*-tegra\b|\/tegra\//.exec(text)?.[0];
  if (sign === undefined && MAY_BE_JETSON.test(text)) return undefined;
  return shown(sign !== undefined, `the text names ${sign}`);
};

const torchOfJetpack: Condition = ({ facts, text }) => {
  const torch = facts && knownValue(facts.frameworks.torch);
  if (torch) return shown(/\bnv\d\d\.\d/.test(torch.version));
  return TORCH_OF_NVIDIA.test(text) ? shown(true) : undefined;
};

const onJetsonWithoutItsTorch: Condition = (situation) =>
  torchOfJetpack(situation)?.holds ? undefined : onJetson(situation);

/** nvidia-smi on Windows gives no sign of WSL, but does not rule it out if the text names WSL. */
const inWsl: Condition = (situation) => {
  const { facts, text } = situation;
  if (!facts) return undefined;
  const shownWsl = isThere(facts.wsl, 'this is WSL');
  const isOfWindows = knownValue(facts.os)?.family === 'windows';
  return shownWsl?.holds === false && isOfWindows && /\bWSL|microsoft-standard/.test(text) ? undefined : shownWsl;
};

/** A command of kubectl at a prompt, or the GPU in a description of a pod. */
const POD = /^[^\n$#>]{0,60}[$#>] ?kubectl |\bnvidia\.com\/gpu["']?: ?["']?\d/m;

const inKubernetes: Condition = ({ facts, text }) => {
  const container = facts && knownValue(facts.container);
  return shown((container ?? printedSigns(text).container) === 'Kubernetes' || (!container && POD.test(text)));
};

/** Based on a nullable fact; `named` precedes its value. */
function isThere(fact: Fact<string | number | null>, named: string): ShownFact | undefined {
  const found = knownValue(fact);
  return found === undefined ? undefined : shown(found !== null, `${named} ${found} (${fact.source})`);
}

/** The package manager of the system. */
function installsWith(isSo: (tool: PackageTool | undefined) => boolean): Condition {
  return ({ facts, text }) => {
    const name = (facts && knownValue(facts.os)?.name) ?? printedSigns(text).os?.name;
    return shown(isSo(packageToolNamedIn(name ?? '')));
  };
}

/** Based on the installer of a framework, which its metadata or a list of packages shows. */
function comesFromConda(framework: 'torch' | 'jax'): Condition {
  return ({ facts }) => {
    return shown((facts && knownValue(facts.frameworks[framework]))?.installer === 'conda');
  };
}

/** A folder of conda's in a traceback or a command, or in the facts. */
const CONDA_FOLDER = /[\\/](?:(?:ana|mini)conda\d?|miniforge\d?|mambaforge)[\\/]/;

/** Based on the folders that a program prints. */
function inFolder(folder: RegExp): Condition {
  return ({ facts, text }) =>
    shown(folder.test(text) || folder.test((facts && knownValue(facts.interpreter)?.path) ?? ''));
}

const installsWithUv: Condition = ({ facts, text }) => {
  const tool = (facts && knownValue(facts.projectTool)) ?? [readProjectCommands(text) ?? []].flat()[0]?.projectTool;
  return shown(tool === 'uv' || /No solution found when resolving\b/.test(text));
};

/** Conditions on the program's system, by name. */
export const systemConditions = {
  'on-jetson': onJetson,
  'on-jetson-without-its-torch': onJetsonWithoutItsTorch,
  /** The text does not show that the torch in use sees the GPU. */
  'on-jetson-without-cuda': (situation) =>
    /cuda\.is_availa\w{2,4}\(\)(?: is)?:?\s{1,8}(?:Out ?\[\d+\]: ?)?True\b/.test(situation.text)
      ? undefined
      : onJetson(situation),
  'torch-of-jetpack': torchOfJetpack,
  'on-linux': isOn('linux'),
  'on-windows': isOn('windows'),
  /** Known to be false if nothing mentions a system. */
  'surely-on-windows': (situation) => isOn('windows')(situation) ?? shown(false),
  'on-mac': onMac,
  'on-arch': installsWith((tool) => tool === 'pacman'),
  'on-fedora': installsWith((tool) => tool === 'dnf'),
  'without-apt': installsWith((tool) => tool !== undefined && tool !== 'apt'),
  /** A project of uv's, or uv's own message. */
  'installs-with-uv': installsWithUv,
  'installed-with-conda': inFolder(CONDA_FOLDER),
  'jax-from-conda': comesFromConda('jax'),
  'torch-from-conda': comesFromConda('torch'),
  /** ComfyUI's portable folders name their own Python; a pip elsewhere does not change that Python. */
  'in-portable-folder': inFolder(/[\\/]python_embeded[\\/]/),
  'without-avx': onFacts(({ os }) => {
    const { avx, processor } = knownValue(os) ?? {};
    return avx === undefined ? undefined : shown(!avx, `${processor ?? 'The processor'} has no AVX (${os.source})`);
  }),
  'in-wsl': inWsl,
  'in-container': onFacts(({ container }) => isThere(container, 'this is a container:')),
  'in-kubernetes': inKubernetes,
} satisfies Record<string, Condition>;
