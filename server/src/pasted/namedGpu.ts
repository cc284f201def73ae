import { gpuNamed } from './report.ts';

/** Words that refer to an NVIDIA GPU itself, not to a framework's build or requirements. */
export const NAMES_NVIDIA = /\bGeForce\b|\b[RG]TX ?\d|\bTesla\b|\bQuadro\b|NVIDIA-SMI/i;

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
