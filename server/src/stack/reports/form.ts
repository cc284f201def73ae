import { boardIn } from './board.ts';
import { gpuNamed, type ListedPackage, labelled, type Report, versionIn, yesOrNo } from './report.ts';
import { systemOf } from './system.ts';

/** What a form or a bare list calls the parts of an environment; their versions may follow without a colon. */
const TORCH = 'py ?torch(?: version)?|torch(?: version|\\.__version__)?';
const TENSORFLOW = 'tensorflow(?: version|-gpu)?|tf(?: version|\\.__version__)';
const PYTHON = 'python(?: version)?';
const SYSTEM = 'os(?: platform(?: and distribution)?| version)?|operating system(?: and version)?|system|platform';
const DRIVER = '(?:nvidia |gpu |cuda )?drivers?(?: version)?';
const GPU = 'gpus?(?: models?| type| name)?(?: and memory)?|graphics card|video card';

/** Packages whose versions people name beside torch's. */
const BESIDE = [
  'torchvision',
  'torchaudio',
  'xformers',
  'flash[-_]attn',
  'numpy',
  'vllm',
  'bitsandbytes',
  'transformers',
  'accelerate',
  'deepspeed',
  'triton',
];

/**
 * The versions that somebody has written into a form of an issue, or below each other: the framework and at least one other
 * of the system, the Python, the GPU and the packages beside it, or alone `besideOthers` that programs have printed, or with
 * the tag of its build.
 */
export function readForm(text: string, besideOthers: boolean): Report | undefined {
  const tagged = taggedTorch(text);
  const torch = version(text, TORCH) ?? tagged;
  const tensorflow = version(text, TENSORFLOW);
  const python = version(text, PYTHON);
  const system = systemOf(answer(text, SYSTEM), undefined);
  const gpu = gpuIn(answer(text, GPU));
  const driver = answer(text, DRIVER)?.match(/^v?(\d{3}\.\d[\d.]*)/)?.[1];
  const jax = version(text, 'jax(?: version)?');
  if (torch === undefined && tensorflow === undefined && jax === undefined) return undefined;
  const others = [...BESIDE, 'jax', 'jaxlib'].flatMap((name): ListedPackage[] => {
    const told = version(text, `${name}(?: version)?`);
    return told === undefined ? [] : [{ name: name.replace('[-_]', '-'), version: told }];
  });
  const isAlone =
    !python &&
    !gpu &&
    !driver &&
    !system.os &&
    boardIn(text) === undefined &&
    others.every(({ name }) => name === 'jax');
  if (isAlone && !besideOthers && tagged === undefined) return undefined;
  const available = yesOrNo(labelled(text, '(?:torch\\.)?cuda\\.is_available(?:\\(\\))?|cuda available'));
  return {
    program: 'the versions',
    // Whatever a program has printed counts before what somebody wrote.
    at: text.length,
    ...system,
    ...(python && { python }),
    ...(gpu && { gpus: [gpu] }),
    ...(driver && { driver }),
    ...(others.length > 0 && { packages: others }),
    builds: {
      ...(torch && { torch: { version: torch } }),
      ...(tensorflow && { tensorflow: { version: tensorflow } }),
    },
    ...(torch && available === false && { runtime: { torch: { version: torch, available, devices: [] } } }),
  };
}

/** Behind a colon, behind the name alone, or below it. */
function answer(text: string, label: string): string | undefined {
  const bare = new RegExp(
    `^[ \\t>*•-]*[\`*_]*(?:${label})[\`*_]*[ \\t]+(?=[A-Za-z]*[ -]?\\d)(\\S[^\\n]{0,60})$`,
    'im',
  ).exec(text)?.[1];
  return labelled(text, label) ?? bare ?? below(text, label);
}

/** What a form has below a heading of that name. */
function below(text: string, label: string): string | undefined {
  return new RegExp(`^#{1,6}[ \\t]*[\`*_]*(?:${label})[\`*_?]*[ \\t]*\\n\\s*([^\\s#][^\\n]{0,80})`, 'im').exec(
    text,
  )?.[1];
}

function version(text: string, label: string): string | undefined {
  const said =
    labelled(text, label) ??
    new RegExp(`^[ \\t>*•-]*[\`*_]*(?:${label})[\`*_]*[ \\t]+v?(?=\\d)(\\S+)`, 'im').exec(text)?.[1] ??
    below(text, label);
  // A pin of a requirement is a wish.
  return said?.startsWith('=') ? undefined : versionIn(said?.replace(/^(?:py)?(?:thon|torch)?[ =]*v?(?=\d)/i, ''));
}

/** The only torch of which a text has the version with the tag of its build, which nobody but a program makes up. */
function taggedTorch(text: string): string | undefined {
  const named = /\b(?:py)?torch(?: version)?["'`*: ]{1,4}v?(\d+\.\d+\.\d+\+(?:cpu|cu\d+|rocm\d[\d.]*))\b/gi;
  const versions = new Set([...text.matchAll(named)].map(([, told]) => told));
  return versions.size === 1 ? [...versions][0] : undefined;
}

const MODEL =
  /(?:NVIDIA |GeForce |Tesla |Quadro |TITAN )*(?:(?:RTX|GTX|GT|MX|Titan)\s?(?:PRO )?A?\w?\d{1,4}\w*|G[BH]\d{2,3}|[AKPVTLHB]\d{1,3}\w?)\b(?:[ -](?:Ti|Super|SXM\d|PCIE|Laptop))*/i;

/** A GeForce by its number alone: "1050ti 4 GB", "Nvidia GeForce 1060 3GB". */
const NUMBER = /^(?:\d ?x )?(?:NVIDIA |GeForce )*(9[5-8]0|1[06]\d0|[2-5]0[5-9]0)(?= ?(?:ti|super)?\b(?! ?[MG]i?B))/i;

/** The GPU that somebody names, as its maker would write it: "RTX 3090" of "1x rtx3090 24GB". */
export function gpuIn(said: string | undefined) {
  const number = said && NUMBER.exec(said)?.[1];
  const full = number ? said.replace(NUMBER, `${Number(number) >= 2000 ? 'RTX' : 'GTX'} ${number}`) : said;
  const name = full && MODEL.exec(full)?.[0];
  if (!name) return undefined;
  const spaced = name.replace(/\b(RTX|GTX|GT|MX)(?=\d)/i, '$1 ').replace(/(\d)(?=(?:ti|super)\b)/i, '$1 ');
  return gpuNamed(
    spaced.replace(/\b(?:rtx|gtx|gt|mx|titan|ti)\b/gi, (each) => (/ti$/i.test(each) ? 'Ti' : each.toUpperCase())),
    0,
  );
}
