import { isElsewhere, isOfAnother } from './elsewhere.ts';
import { GPU_MENTIONED, gpuIn } from './namedGpu.ts';
import { type Report, WRITTEN } from './report.ts';

/** A line in the first person; program output contains no such words, except "we". */
const OWN = /\b(?:I|I'm|I've|i(?= (?:am|have|run|ran|use|used|get|got|installed)\b)|[Mm]y|[Mm]ine)\b|我/;

/**
 * A sentence next to one in the first person is about the same machine, unless it reports other people's words or a
 * requirement.
 */
const OF_OTHERS =
  /\b(?:they|docs?|documentation|readme|manual|guide|tutorial|website|page|release notes|issue|requires?|needs?|supports?)\b/i;

/** Output of programs and terminals, code, and quotations. */
const PRINTED =
  /^\s*(?:[$>#%|+]|\d{4}-\d\d-\d\d|[IWEF]\d{4} |File "|\w*(?:[Ee]rror|Warning|Exception):|\[|In ?\[|(?:import|from|pip3?|conda|python3?|export) )|\bI (?:tensorflow|external)\/|You (?:can|may|should)\b|\bwe (?:changed the default value|now require users)\b/;

const IS = '(?:[\\s:=,\'"`*(]|\\bversions?\\b|\\b(?:is|are|at)\\b|\\bof\\b|版本|是|为|v(?=\\d)){0,6}';
const RELEASE =
  '(\\d{1,2}\\.\\d{1,2}(?:\\.\\w+)*(?:\\+\\w+)?)(?!\\w|\\s?(?:x\\b|以上|以下|或更高|or (?:higher|newer|later|above|older|lower)\\b))';

const MENTIONS = {
  torch: new RegExp(`\\b(?:py)?torch${IS}${RELEASE}`, 'gi'),
  tensorflow: new RegExp(`\\b(?:tensorflow(?:[- ]gpu)?|tf)-?${IS}${RELEASE}`, 'gi'),
  jax: new RegExp(`\\bjax${IS}${RELEASE}`, 'gi'),
  python: new RegExp(`\\bpython${IS}([23]\\.\\d{1,2}(?:\\.\\d{1,2})?)\\b(?!\\+)`, 'gi'),
  driver: new RegExp(
    `\\b(?:nvidia|gpu)?[- ]?drivers?${IS}(\\d{3}(?:\\.\\d[\\d.]*\\d)?)\\b|\\bnvidia-(\\d{3})\\b`,
    'gi',
  ),
  /** nvidia-smi shows the newest CUDA that the driver supports; any other version belongs to a toolkit or a build. */
  driverCuda: new RegExp(`\\bnvidia-smi\\b[^\\n.]{0,60}?\\bcuda${IS}(\\d{1,2}\\.\\d)\\b`, 'gi'),
  cuda: new RegExp(`(?<!\\bnvidia-smi\\b[^\\n.]{0,60})\\bcuda(?: ?toolkit)?${IS}${RELEASE}`, 'gi'),
  cudnn: new RegExp(`\\bcu ?dnn${IS}${RELEASE}`, 'gi'),
  gpu: GPU_MENTIONED,
  /** A GeForce by its number, if the words before it show that it is a GPU. */
  geforce:
    /(?<=\b(?:a|an|my|on|with|mobile|new) )((?:10[5-8]0|16[56]0|20[6-8]0|30[5-9]0|40[5-9]0|50[5-9]0)(?: ?(?:ti|super))?)(?! ?(?:steps|images|epochs|x \d))\b/gi,
} as const;

/**
 * The facts that the author's own sentences state about the machine, if they name exactly one of each kind, without
 * sentences about another time or machine.
 */
export function readWords(text: string): Report | undefined {
  const sentences = ownSentences(text);
  const torch = taggedTorch(text) ?? onlyOne(MENTIONS.torch, sentences);
  const tensorflow = onlyOne(MENTIONS.tensorflow, sentences);
  const jax = onlyOne(MENTIONS.jax, sentences);
  const python = onlyOne(MENTIONS.python, sentences);
  const driver = onlyOne(MENTIONS.driver, sentences);
  const driverCuda = onlyOne(MENTIONS.driverCuda, sentences);
  const cuda = onlyOne(MENTIONS.cuda, sentences);
  const cudnn = onlyOne(MENTIONS.cudnn, sentences);
  const model = onlyOne(MENTIONS.gpu, sentences) ?? onlyOne(MENTIONS.geforce, sentences);
  const gpu = gpuIn(model?.replace(/(?<=[A-Za-z])-(?=\d)/g, ' '));
  if (!torch && !tensorflow && !jax && !driver && !driverCuda && !gpu && !python) return undefined;
  return {
    program: WRITTEN.words,
    isWritten: true,
    at: text.length,
    ...(python && { python }),
    ...(driver && { driver }),
    ...(driverCuda && { driverCuda }),
    ...(cuda && { cudaNamed: cuda }),
    // TensorFlow loads the system's CUDA, while torch includes its own.
    ...(cuda && tensorflow && !torch && { toolkit: { version: cuda, root: 'the CUDA that the author names' } }),
    ...(cudnn && { cudnn }),
    ...(gpu?.computeCapability && { gpus: [gpu] }),
    ...(jax && { packages: [{ name: 'jax', version: jax }] }),
    builds: {
      ...(torch && { torch: { version: torch } }),
      ...(tensorflow && { tensorflow: { version: tensorflow } }),
    },
  };
}

function ownSentences(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.length < 800 && OWN.test(line) && !PRINTED.test(line))
    .flatMap((line) =>
      line
        .replace(/`[^`]*\b(?:pip3?|conda) [^`]*`|\([^()]*\btried\b[^()]*\)/g, '')
        .split(/(?<=[\w)"'])[.!?;。](?=\s+[A-Z]|$|[^\x20-\x7f])/),
    )
    .filter((sentence) => (OWN.test(sentence) || !OF_OTHERS.test(sentence)) && !isOfAnother(sentence));
}

/** Uses the text after the last first-person word: "I cannot build it, my torch is 1.12". */
function isOfElsewhere(before: string): boolean {
  const clause = before.split(CONTRAST).at(-1) ?? '';
  return /\b(?:when|if)\b/i.test(before) || isElsewhere(clause.split(OWN).at(-1) ?? '');
}

/** Words that start another clause: "torch cannot see it, although nvidia-smi shows CUDA 11.4". */
const CONTRAST = /\b(?:although|though|but|while|whereas|however|yet)\b/i;

/** A second clause after "and" or "or": "3.7 on my laptop, and 3.9 on my PC". */
const ANOTHER = /^[^.;]{0,25}\b(?:and|or)\s+(?:with\s+)?v?\d+\.\d/;

function onlyOne(mention: RegExp, sentences: readonly string[]): string | undefined {
  const found = sentences.flatMap((sentence) =>
    [...sentence.matchAll(mention)].map(({ index, 0: whole, 1: one, 2: other }, at, all) => ({
      value: one ?? other ?? '',
      // Text between two mentions belongs to the second one.
      isOwn:
        !isOfElsewhere(sentence.slice(at > 0 ? (all[at - 1]?.index ?? 0) : 0, index)) &&
        !ANOTHER.test(sentence.slice(index + whole.length)),
    })),
  );
  const own = found.filter(({ isOwn }) => isOwn).map(({ value }) => value);
  return new Set(own.map((value) => value.toLowerCase().replace(/[\s-]/g, ''))).size === 1 ? own[0] : undefined;
}

/**
 * The only torch version with a build tag in a text, which only a program prints. In a quotation or on a separate line
 * it needs no name, because the packages around torch have versions below 1.
 */
function taggedTorch(text: string): string | undefined {
  const named =
    /(?:\b(?:py)?torch(?: version)?["'`*: ]{1,4}v?|^[ \t]*|["'])([1-9]\.\d+\.\d+\+(?:cpu|cu\d+|rocm\d[\d.]*))\b/gim;
  const versions = new Set([...text.matchAll(named)].map(([, reported]) => reported));
  return versions.size === 1 ? [...versions][0] : undefined;
}
