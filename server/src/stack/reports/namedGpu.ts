import { gpuIn } from './form.ts';
import type { Report } from './report.ts';

/** A GPU as its maker writes it; numbers alone, and letters that other things are called by, name none. */
const MODEL =
  /\b(?:(?:RTX|GTX)[ -]?(?:PRO[ -]?|A)?\d{3,4}(?:[ -]?(?:Ti|SUPER|Ada))*|(?:Tesla[ -]?)?(?:[VP]100|A100|[PA]40|K80|K40|T4|L40S?|L4|M40|M60|A10G?|A30)|H100|H200|B200|Quadro [A-Z]{1,3} ?\d{4}|TITAN (?:RTX|V|Xp?))\b/gi;

/** Words before a GPU by which it is not, or may not be, that of the machine that fails. */
const ELSEWHERE =
  /\b(?:trained|tested|works?|worked|working|runs|ran|fine|well|successful\w*|other|another|different|authors?|paper|colleague|friend|e\.g\.|such as|like|than|instead of|unlike|not|no|upgrad\w+ to|buy\w*|or)\b[^.\n]{0,40}$/i;

/** The GPU that people write of beside what programs print: the only one that a text names, and as theirs. */
export function namedGpu(text: string): Pick<Report, 'gpus'> {
  const found = [...text.matchAll(MODEL)];
  const models = new Set(found.map(([name]) => name.replace(/Tesla|[ -]/gi, '').toLowerCase()));
  const [first] = found;
  if (first === undefined || models.size !== 1) return {};
  if (found.every(({ index }) => ELSEWHERE.test(text.slice(Math.max(0, index - 80), index)))) return {};
  const gpu = gpuIn(first[0].replace(/(?<=[A-Za-z])-(?=\d)/g, ' '));
  return gpu?.computeCapability ? { gpus: [gpu] } : {};
}
