import { isElsewhere, isOfAnother } from './elsewhere.ts';
import { gpuNamed, type Report } from './report.ts';

/** A GPU as people write it in sentences; other numbers alone, and letters that other things are called by, name none. */
export const GPU_MENTIONED =
  /\b((?:\d ?x ?)?(?:(?:RTX|GTX)[ -]?(?:PRO[ -]?|A)?\d{3,4}(?:[ -]?(?:Ti|SUPER|Ada|M)\b)*|(?:Tesla[ -]?)?(?:[VP]100|A100|[PA]40|[KM][2468]0[mcxXs]?|T4|L40S?|L4|A10G?|A30)|H100|H200|B200|Quadro [A-Z]{1,3} ?\d{4}|TITAN (?:RTX|V|Xp?)|(?:GeForce|NVIDIA) \d{3,4}m?(?: ?(?:ti|super)\b)?))\b/gi;

/** A question of a form, whose answers are read by themselves. */
const QUESTION = /^\W*(?:gpu|graphics|video|device|hardware)[^:=\n]{0,40}[:=]\W*$/i;

/** The GPU that people write of beside what programs print: the only one that a text names, and as theirs. */
export function namedGpu(text: string): Pick<Report, 'gpus'> {
  const found = [...text.matchAll(GPU_MENTIONED)];
  const models = new Set(found.map(([name]) => name.replace(/^\d ?x ?|Tesla|[ -]/gi, '').toLowerCase()));
  const [first] = found;
  if (first === undefined || models.size !== 1) return {};
  const before = found.map(
    ({ index }) =>
      text
        .slice(Math.max(0, index - 80), index)
        .split(/[.!?]\s|\n/)
        .at(-1) ?? '',
  );
  if (before.every((words) => isElsewhere(words) || isOfAnother(words) || QUESTION.test(words))) return {};
  const gpu = gpuIn(first[0].replace(/(?<=[A-Za-z])-(?=\d)/g, ' '));
  return gpu?.computeCapability ? { gpus: [gpu] } : {};
}

const MODEL =
  /(?:NVIDIA |GeForce |Tesla |Quadro |TITAN )*(?:(?:RTX|GTX|GT|MX|Titan)\s?(?:PRO )?A?\w?\d{1,4}\w*|G[BH]\d{2,3}|[AKPVTLHB]\d{1,3}\w?)\b(?:[ -](?:Ti|Super|SXM\d|PCIE|Laptop|Ada))*/i;

/** A GeForce by its number alone: "1050ti 4 GB", "Nvidia GeForce 1060 3GB". */
const NUMBER = /^(?:\d ?x )?(?:NVIDIA |GeForce )*(9[3-8]0M?|1[06]\d0|[2-5]0[5-9]0)(?= ?(?:ti|super)?\b(?! ?[MG]i?B))/i;

/** The GPU that somebody names, as its maker would write it: "RTX 3090" of "1x rtx3090 24GB". */
export function gpuIn(said: string | undefined) {
  const number = said && NUMBER.exec(said)?.[1];
  const full = number ? said.replace(NUMBER, `${Number.parseInt(number, 10) >= 2000 ? 'RTX' : 'GTX'} ${number}`) : said;
  const name = full && MODEL.exec(full)?.[0]?.replace(/\bGTX(?= ?[2-5]0\d0)/i, 'RTX');
  if (!name) return undefined;
  const spaced = name
    .replace(/\b(RTX|GTX|GT|MX)(?=\d)/i, '$1 ')
    .replace(/(\d)(?=(?:ti|super)\b)/i, '$1 ')
    .replace(/(?<=\d)m\b/, 'M');
  return gpuNamed(
    spaced.replace(/\b(?:rtx|gtx|gt|mx|titan|ti)\b/gi, (each) => (/ti$/i.test(each) ? 'Ti' : each.toUpperCase())),
    0,
  );
}
