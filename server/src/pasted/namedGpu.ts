import { gpuOfCloudMachine } from './cloudMachines.ts';
import { isElsewhere, isOfAnother } from './elsewhere.ts';
import { gpuNamed, type Report } from './report.ts';

/** A GPU as people write it in sentences. Other bare numbers, and letters with other meanings, do not name a GPU. */
export const GPU_MENTIONED =
  /\b((?:\d ?x ?)?(?:(?:RTX|GTX)[ -]?(?:PRO[ -]?|A)?\d{3,4}(?:[ -]?(?:Ti|SUPER|Ada|M)\b)*|(?:Tesla[ -]?)?(?:[VP]100|A100|[PA]40|[KM][2468]0[mcxXs]?|T4|L40S?|L4|A10G?|A30)|H100|H200|B200|Quadro [A-Z]{1,3} ?\d{4}M?|TITAN (?:RTX|V|Xp?)|(?:GeForce|NVIDIA) \d{3,4}m?(?: ?(?:ti|super)\b)?))\b/gi;

/** A question of a form, whose answers are read separately. */
const QUESTION = /^\W*(?:gpu|graphics|video|device|hardware)[^:=\n]{0,40}[:=]\W*$/i;

/** An AMD graphics card; integrated graphics have other names, or only a number. */
const CARD_OF_AMD =
  /\b(?:(?:AMD )?Radeon )?RX[ -]?(?:Vega ?(?:56|64)|\d{3,4})(?: ?(?:XTX?|GRE|[MS])\b)?|\bRadeon (?:VII|(?:AI )?PRO [WV]\d{4})\b|\bInstinct MI\d{2,3}X?\b/gi;

/**
 * The GPU in the author's own words, in addition to program output: the only one in the text, and described as theirs.
 */
export function namedGpu(text: string): Pick<Report, 'gpus'> {
  const own = mentionedAsOwn(text, GPU_MENTIONED);
  const gpu = gpuIn(own?.replace(/(?<=[A-Za-z])-(?=\d)/g, ' '));
  if (gpu?.computeCapability) return { gpus: [gpu] };
  const card = NAMES_NVIDIA.test(text) ? undefined : mentionedAsOwn(text, CARD_OF_AMD);
  if (card !== undefined) return { gpus: [gpuNamed(cardOfAmd(card), 0)] };
  const rented = new RegExp(GPU_MENTIONED.source, 'i').test(text) ? undefined : gpuOfCloudMachine(text);
  return rented === undefined ? {} : { gpus: [gpuNamed(rented, 0)] };
}

/** Words that refer to an NVIDIA GPU itself, not to a framework's build or requirements. */
export const NAMES_NVIDIA = /\bGeForce\b|\b[RG]TX ?\d|\bTesla\b|\bQuadro\b|NVIDIA-SMI/i;

/** The first match, if all matches are one model and one of them is the author's. */
function mentionedAsOwn(text: string, mention: RegExp): string | undefined {
  const found = [...text.matchAll(mention)];
  const models = new Set(found.map(([name]) => name.replace(/^\d ?x ?|Tesla|AMD|Radeon|[ -]/gi, '').toLowerCase()));
  const [first] = found;
  if (first === undefined || models.size !== 1) return undefined;
  const before = found.map(
    ({ index }) =>
      text
        .slice(Math.max(0, index - 80), index)
        .split(/[.!?]\s|\n/)
        .at(-1) ?? '',
  );
  const isTheirs = before.some((words) => !(isElsewhere(words) || isOfAnother(words) || QUESTION.test(words)));
  return isTheirs ? first[0] : undefined;
}

/** AMD's spelling: "Radeon RX 6700 XT" for "rx6700xt". */
function cardOfAmd(said: string): string {
  const name = said.replace(/^(?:AMD )?(?:Radeon )?/i, '').toUpperCase();
  const spaced = name.replace(/^RX[ -]?/, 'RX ').replace(/(?<=\d) ?(?=XTX?$|GRE$)/, ' ');
  return spaced.startsWith('INSTINCT') ? spaced.replace('INSTINCT', 'Instinct') : `Radeon ${spaced}`;
}

const MODEL =
  /(?:NVIDIA |GeForce |Tesla |Quadro |TITAN )*(?:(?:RTX|GTX|GT|MX|Titan)\s?(?:PRO )?A?\w?\d{1,4}\w*|G[BH]\d{2,3}|(?<=Quadro )[KMP]\d{3,4}M?|[AKPVTLHB]\d{1,3}\w?)\b(?:[ -](?:Ti|Super|SXM\d|PCIE|Laptop|Ada))*/i;

/** A GeForce by its bare number: "1050ti 4 GB", "Nvidia GeForce 1060 3GB". */
const NUMBER = /^(?:\d ?x )?(?:NVIDIA |GeForce )*(9[3-8]0M?|1[06]\d0|[2-5]0[5-9]0)(?= ?(?:ti|super)?\b(?! ?[MG]i?B))/i;

/** Returns a GPU name in its vendor's spelling: "RTX 3090" for "1x rtx3090 24GB". */
export function gpuIn(said: string | undefined) {
  const number = said && NUMBER.exec(said)?.[1];
  const full = number ? said.replace(NUMBER, `${Number.parseInt(number, 10) >= 2000 ? 'RTX' : 'GTX'} ${number}`) : said;
  const name = full && MODEL.exec(full)?.[0]?.replace(/\bGTX(?= ?[2-5]0\d0)/i, 'RTX');
  if (!name) return undefined;
  const spaced = name
    .replace(/\b(RTX|GTX|GT|MX)(?=\d)/i, '$1 ')
    .replace(/(\d)(?=(?:ti|super)\b)/i, '$1 ')
    .replace(/(?<=\d{3})m\b/, 'M');
  return gpuNamed(
    spaced.replace(/\b(?:rtx|gtx|gt|mx|titan|ti)\b/gi, (each) => (/ti$/i.test(each) ? 'Ti' : each.toUpperCase())),
    0,
  );
}
