import { cudnnOfNumber } from '../published/releases/versionNumbers.ts';
import { cudaVersion, gpuNamed, type Report, type ReportReader, torchSays, versionIn, yesOrNo } from './report.ts';
import { systemOf } from './system.ts';

/** Questions to torch, TensorFlow, Keras and JAX in Python, and the form of their answers. */
const QUESTIONS: readonly (readonly [name: string, asked: RegExp, answer: RegExp])[] = [
  ['torch', /^torch\.__version__$/, /^\d+\.\d/],
  ['torchCuda', /^torch\.version\.cuda$/, /^(?:None|\d+\.\d+)$/],
  ['torchAvailable', /^torch\.cuda\.is_available\(\)$/, /^(?:True|False)$/],
  ['torchCudnn', /^torch\.backends\.cudnn\.version\(\)$/, /^(?:None|\d{4,5})$/],
  ['torchGpu', /^torch\.cuda\.get_device_name\((?:0|device|torch\.cuda\.current_device\(\))?\)$/, /^[A-Z].*\d|^TITAN/],
  ['torchCode', /^torch\.cuda\.get_arch_list\(\)$/, /^\[.*\bsm_\d+.*\]$/],
  [
    'torchCapability',
    /^torch\.cuda\.get_device_capability\((?:0|device|torch\.cuda\.current_device\(\))?\)$/,
    /^\(\d{1,2}, ?\d\)$/,
  ],
  ['torchCount', /^torch\.cuda\.(?:device_count|current_device)\(\)$/, /^\d+$/],
  ['torchvision', /^torchvision\.__version__$/, /^\d+\.\d/],
  ['tensorflow', /^(?:tf|tensorflow)\.(?:__version__|version\.VERSION)$/, /^\d+\.\d/],
  ['tensorflowBuilt', /^tf\.test\.is_built_with_cuda\(\)$/, /^(?:True|False)$/],
  ['tensorflowAvailable', /^tf\.test\.is_gpu_available\(\)$/, /^(?:True|False)$/],
  [
    'tensorflowGpus',
    /^(?:len\()?tf\.config\.(?:experimental\.)?list_(?:physical|logical)_devices\(["']GPU["']\)\)?$/,
    /^(?:\[.*\]|\d+)$/,
  ],
  ['keras', /^(?:tf\.)?keras\.__version__$/, /^\d+\.\d/],
  ['jax', /^jax\.__version__$/, /^\d+\.\d/],
  ['jaxDevices', /^jax\.devices\(\)$/, /^\[.*\]$/],
];

/** Prompts before a line of Python; quotation marks look the same, and prompts may be missing. */
const PROMPT = /^\s*(?:>>>|In ?\[\d*\]:)?\s*/;
const ANSWER = /^\s*(?:Out ?\[\d*\]:|>)?\s*/;
const COMMAND = /^.*?\bpython3?(?:\.exe)? -c\s*(["'])(.+)\1\s*$/;

/** Lines that may appear between questions and answers. */
const BETWEEN =
  /^\s*(?:`{3}.*|>>>|(?:>>> ?|In ?\[\d*\]: ?)?(?:import|from) .*|(?:the )?(?:outputs?|results?|returns?|gives|prints)\b.{0,20}|)$/i;

/** Questions to frameworks in Python with the answers below them. */
export const readSession: ReportReader = (text) => {
  const banner = BANNER.exec(text);
  const { answers, at } = answersIn(text);
  const torch = versionIn(answers.get('torch'));
  const tensorflow = versionIn(answers.get('tensorflow'));
  const jax = versionIn(answers.get('jax'));
  if (!torch && !tensorflow && !jax && banner === null) return undefined;
  const reported = answers.get('torchCuda');
  const cuda = reported === 'None' ? null : cudaVersion(reported);
  const name = answers.get('torchGpu');
  const others = ['keras', 'jax', 'torchvision'].flatMap((each) => {
    const version = versionIn(answers.get(each));
    return version === undefined ? [] : [{ name: each, version }];
  });
  return {
    program: 'a Python session',
    at: at < 0 ? (banner?.index ?? 0) : at,
    ...(banner?.[1] && { python: banner[1], ...systemOf(undefined, banner[3] ?? (banner[2] && 'win32')) }),
    ...(others.length > 0 && { packages: others }),
    builds: {
      ...(torch && { torch: { version: torch, ...(cuda !== undefined && { cuda }) } }),
      ...(tensorflow && {
        tensorflow: { version: tensorflow, ...(answers.get('tensorflowBuilt') === 'False' && { cuda: null }) },
      }),
    },
    ...gpuIn(answers),
    ...said(answers, torch, tensorflow, name),
  };
};

/** torch's answer about its CUDA build, if the text asks for it: "11.7"; undefined without an answer. */
export function torchCudaIn(text: string): string | undefined {
  return cudaVersion(answersIn(text).answers.get('torchCuda')) ?? undefined;
}

/** "Python 3.7.5 (default, ...)" with "[GCC 7.3.0] :: Anaconda, Inc. on linux" on its line or below. */
const BANNER =
  /^[ \t]*Python (\d\.\d+\.\d+) [^\n]*(?:\n[ \t]*)?\[(?:GCC|Clang|(MSC)) [^\n]*?\](?:[^\n]*\bon (linux|win32|darwin)\b)?/m;

/** The GPU whose name or compute capability torch reported. */
function gpuIn(answers: ReadonlyMap<string, string>): Pick<Report, 'gpus'> {
  const name = answers.get('torchGpu');
  const capability = answers.get('torchCapability')?.match(/\d+/g)?.join('.');
  if (name === undefined && capability === undefined) return {};
  const gpu = gpuNamed(name ?? 'GPU', 0);
  return { gpus: [{ ...gpu, computeCapability: capability ?? gpu.computeCapability }] };
}

function said(
  answers: ReadonlyMap<string, string>,
  torch: string | undefined,
  tensorflow: string | undefined,
  name: string | undefined,
): Pick<Report, 'runtime'> {
  const ofTorch = torchSays(yesOrNo(answers.get('torchAvailable')), torch, name ? [gpuNamed(name, 0)] : []).runtime;
  const digits = answers.get('torchCudnn');
  const cudnn = digits && digits !== 'None' ? cudnnOfNumber(Number(digits)) : undefined;
  const architectures = answers.get('torchCode')?.match(/(?:sm|compute)_\d+[af]?/g);
  const runtime = {
    ...((ofTorch?.torch || architectures) && {
      torch: { ...ofTorch?.torch, ...(ofTorch?.torch && cudnn && { cudnn }), ...(architectures && { architectures }) },
    }),
    ...(tensorflow && seesNone(answers) && { tensorflow: { version: tensorflow, available: false, devices: [] } }),
  };
  return Object.keys(runtime).length > 0 ? { runtime } : {};
}

/** True if TensorFlow reported that it sees no GPU. */
function seesNone(answers: ReadonlyMap<string, string>): boolean {
  return /^(?:\[\]|0|False)$/.test(answers.get('tensorflowGpus') ?? answers.get('tensorflowAvailable') ?? '');
}

/** Answers from the same time; a different version means that something was installed in between. */
type Answers = Map<string, string>;

/** The answers from the time when a framework saw no GPU, or the first ones. */
function answersIn(text: string): { answers: ReadonlyMap<string, string>; at: number } {
  const times: [Answers, ...Answers[]] = [new Map()];
  let asked: (readonly string[])[] = [];
  let first = -1;
  let at = 0;
  for (const line of text.split('\n')) {
    const questions = line.length > 400 ? undefined : questionsIn(line);
    if (questions !== undefined) {
      // An expression without print has its answer before the next question, or None, which prints nothing.
      if (!/\bprint\b/.test(line)) asked = [];
      asked.push(questions);
      if (first < 0) first = at;
    } else if (asked.length > 0 && !BETWEEN.test(line)) {
      asked = answered(asked, line.replace(ANSWER, ''), times) ? asked.slice(1) : [];
    }
    at += line.length + 1;
  }
  const answers = times.find(isWithoutGpu) ?? times[0];
  return { answers, at: answers.size > 0 ? first : -1 };
}

function isWithoutGpu(answers: Answers): boolean {
  return answers.get('torchAvailable') === 'False' || seesNone(answers);
}

/** True if a line answers the first question; the first answer to a question at its time counts. */
function answered(asked: readonly (readonly string[])[], line: string, times: Answers[]): boolean {
  const [names = []] = asked;
  const values = names.length === 1 ? [line.trim()] : line.trim().split(/\s+/);
  const plain = values.map((value) => value.replace(/^['"]|['"]$/g, ''));
  const fits = names.every((name, place) => QUESTIONS.find(([own]) => own === name)?.[2].test(plain[place] ?? ''));
  if (!fits || plain.length !== names.length) return false;
  names.forEach((name, place) => {
    const reported = plain[place] ?? '';
    const known = times.at(-1)?.get(name);
    if (known === undefined) times.at(-1)?.set(name, reported);
    else if (VERSIONS.includes(name) && known !== reported) times.push(new Map([[name, reported]]));
  });
  return true;
}

const VERSIONS: readonly string[] = ['torch', 'tensorflow', 'jax'];

/** The questions on one line, printed or not; undefined if it also contains an unknown one, or none. */
function questionsIn(line: string): string[] | undefined {
  const command = COMMAND.exec(line)?.[2]?.split(';').at(-1)?.trim();
  const code =
    command ??
    line
      .replace(PROMPT, '')
      .replace(/\s*#.*$/, '')
      .trim();
  const printed = /^print ?\((.*)\)$/.exec(code)?.[1] ?? (/^print (.*)$/.exec(code)?.[1] || code);
  const names = printed
    .split(/,\s*(?![^()]*\))/)
    .map((each) => QUESTIONS.find(([, asked]) => asked.test(each.trim()))?.[0]);
  return names.some((name) => name === undefined) ? undefined : (names as string[]);
}
