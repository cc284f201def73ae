import { NAMES_NVIDIA } from '../../pasted/namedGpu.ts';
import { knownValue } from '../../stack/facts/facts.ts';
import { type Condition, type Situation, shown } from './condition.ts';
import { reportedBuild } from './reportedBuild.ts';
import { textConditions } from './text.ts';

/** Names of GPUs with compute capability 3.x, in addition to capabilities in a message. */
const KEPLER =
  /\bTesla K\d+\w?\b|\bK(?:20|40|80)[a-z]?\b|\bGTX? (?:6[1-9]0|7[0-4]0|760|770|780)(?:M|MX)?\b|\bTITAN (?:Black|Z)\b|\bQuadro K\d{3,4}\b|\bsm_3\d\b|\b3\.[0257]\b(?= GPU)/i;

const ofKepler: Condition = (situation) => {
  const own = Number(reportedBuild(situation)?.capability ?? Number.NaN);
  return shown(Number.isNaN(own) ? KEPLER.test(gpusIn(situation)) : own >= 3.5 && own < 5);
};

/** AMD generations in which ROCm treats one chip as another; 3.5 exists only in integrated GPUs. */
const RDNA2 = /\bRDNA ?2\b|\bRX ?6[4-9]\d0(?: ?XT)?\b|\b6[4-9][05]0 ?(?:XT)\b|\b6[68]0M\b|\bgfx103\d\b/i;
const RDNA3 = /\bRDNA ?3\b|\bRX ?7[3-9]00\b|\b7[6-9]00 ?(?:XTX?|GRE)\b|\b7[48]0M\b|\bgfx110[0-3]\b/i;
const RDNA35 = /\bgfx115\d\b|\bStrix\b|\b80[456]0S\b|\b8[89]0M\b/i;
const RDNA4 = /\bRDNA ?4\b|\bRX ?90[67]0\b|\b90[67]0 ?(?:XTX?|GRE)\b|\bgfx120[01]\b/i;
const VEGA = /\bgfx90[0-9c]\b|\bVega\b|\bRadeon VII\b|\b(?:Renoir|Lucienne|Cezanne|Barcelo)\b/i;
/** Polaris and older. */
const BEFORE_VEGA =
  /\bgfx80\d\b|\bRX ?(?:4[678]0|5[5-9]0)X?\b|\bWX ?[2-7]1\d0\b|\bR9 (?:Fury|Nano|[23]\d0X?)\b|\bPolaris\b/i;

/** NVIDIA GPUs with compute capability 5.0; similarly named ones differ. */
const FIRST_MAXWELL =
  /\bGTX? ?(?:745|750|[89]50M|[89]60M)\b|\b(?:GeForce|GT) ?(?:8[34][05]M|9[34]0MX?)\b|\bMX ?1[13]0\b|\bQuadro (?:K620|K1200|K2200|M[56]00M|M1[02]00M?|M2000M)\b|\bTesla M10\b|\bcompute capability:? 5\.0\b/i;

/** How rocminfo, hipBLAS, torch and the loader of kernels print a chip. */
const CHIP =
  /^ *Name: +(gfx\w+)|(?:gcnArchName|arch(?:itecture)?|amdgcn-amd-amdhsa-?\w*|ISA|Library)\W[^\n]{0,80}?\b(gfx\d\w+)/gm;

/** The GPUs of the machine, those in the message, and the chips that rocminfo lists. */
function gpusIn({ text, message = '', facts }: Situation): string {
  const nvidia = (facts && knownValue(facts.gpus)) ?? [];
  const others = ((facts && knownValue(facts.otherAccelerators)) ?? []).flatMap(({ devices }) => devices);
  const chips = [...text.matchAll(CHIP)].flatMap(([, ...found]) => found);
  return [
    ...nvidia.map(({ name }) => name),
    ...others.flatMap(({ name, architecture }) => [name, architecture]),
    message,
    ...chips,
  ].join('\n');
}

function namesGpu(gpu: RegExp): Condition {
  return (situation) => {
    const found = gpu.exec(gpusIn(situation))?.[0];
    return shown(found !== undefined, `the text names ${found}`);
  };
}

/** An AMD GPU in the message or its chip in the text, without an NVIDIA GPU and without a hosted service. */
export const reportedAmd: Condition = (situation) => {
  const { text } = situation;
  const header = /ROCm System Management/.exec(text)?.[0] ?? '';
  const sign = /\bgfx\d{3,4}[a-f]?\b|\bROCm System Management\b|\bRadeon\b|\bInstinct MI\d/.exec(
    `${gpusIn(situation)}\n${header}`,
  )?.[0];
  if (textConditions['on-notebook-service'](situation)?.holds) return undefined;
  if (NAMES_NVIDIA.test(text)) return sign === undefined ? shown(false, '') : undefined;
  return sign === undefined ? undefined : shown(true, `the text names ${sign}`);
};

/** GPUs that only builds for CUDA 12.8 and newer support. */
const BLACKWELL =
  /\bRTX ?50[5-9]0\b|\bRTX PRO \d{4}\b|\bG?B[1-3]00\b|\bGB10\b|\bDGX Spark\b|\bBlackwell\b|\bsm_1[0-2]\d\b/i;

/** The text names one of these GPUs. */
export const namesBlackwell = namesGpu(BLACKWELL);

/** Common names of these GPUs, and names of older ones. */
const BLACKWELL_CARD = /\b(?:RTX ?)?50[5-9]0(?: ?Ti)?\b|\bRTX PRO \d{4}\b|\bG?B[23]00\b|\bGB10\b/i;
const OLDER_CARD = /\bGTX\b|\bRTX ?(?:[A-Z]\d|[2-4]0)|\b(?:Tesla|Quadro|TITAN)\b|\b[AVPH]\d{2,3}\b/i;

/** Conditions on the GPU in a text and the architectures in a message, by name. */
export const namedGpuConditions = {
  'names-blackwell': namesBlackwell,
  /** No other GPU is named. */
  'is-blackwell': (situation) => {
    const gpus = gpusIn(situation);
    const name = BLACKWELL_CARD.exec(gpus)?.[0];
    return name === undefined || OLDER_CARD.test(gpus) ? undefined : shown(true, `the text names ${name}`);
  },
  'gpu-of-kepler': ofKepler,
  /** All except the K80, for which wheels were built until the end. */
  'gpu-of-kepler-without-wheel': (situation) => {
    const reported = ofKepler(situation);
    const own = reportedBuild(situation)?.capability;
    const isK80 = own === undefined ? /\bK80\b|\b3\.7\b/.test(gpusIn(situation)) : Number(own) >= 3.7;
    return reported && shown(reported.holds && !isK80);
  },
  'names-rdna2': namesGpu(RDNA2),
  'names-rdna3': namesGpu(RDNA3),
  'names-rdna3-or-4': namesGpu(new RegExp(`${RDNA3.source}|${RDNA4.source}`, 'i')),
  'names-rdna35': namesGpu(RDNA35),
  'names-vega': namesGpu(VEGA),
  'names-polaris': namesGpu(BEFORE_VEGA),
  'names-first-maxwell': namesGpu(FIRST_MAXWELL),
  'names-before-vega': (situation) => {
    const other = /\bgfx\d{3,4}[a-f]?\b|\bRX ?\d{3,4}\b|\bInstinct\b/i.test(situation.text);
    const named = namesGpu(BEFORE_VEGA)(situation);
    return named?.holds || other ? named : undefined;
  },
  'names-other-than-rdna2': namesGpu(
    new RegExp([RDNA3, RDNA35, RDNA4, VEGA, BEFORE_VEGA].map(({ source }) => source).join('|'), 'i'),
  ),
  'too-old-for-cu126': (situation) => {
    const own = reportedBuild(situation)?.capability;
    return own === undefined ? ofKepler(situation) : shown(Number(own) < 5);
  },
} satisfies Record<string, Condition>;
