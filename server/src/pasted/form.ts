import { normalized } from '../published/packageName.ts';
import { isRelatedPackage } from '../stack/readers/packages.ts';
import { boardIn } from './board.ts';
import { fieldsIn, type ReportField } from './fields.ts';
import { gpuIn } from './namedGpu.ts';
import { cudaVersion, FORM, type ListedPackage, leadingVersion, type Report, SAYS_NOTHING, yesOrNo } from './report.ts';
import { systemOf } from './system.ts';

/** The fields of issue forms and lists, with their possible labels and the parser of each answer. */
const QUESTIONS = {
  torch: { label: /^(?:py ?)?torch(?: or caffe2)?$/, read: release },
  tensorflow: { label: /^(?:tensorflow(?:-gpu)?|tf(?: gpu)?)$/, read: tensorflowRelease },
  jax: { label: /^jax$/, read: release },
  onnxruntime: { label: /^(?:onnx ?runtime|ort)$/, read: release },
  python: { label: /^(?:python3?|sys)$/, read: pythonRelease },
  system: {
    label:
      /^(?:host )?os(?: name| platform(?: and distribution)?)?$|^(?:operating )?system(?: and)?$|^description$|^pretty name$|^(?:操作)?系统$/,
    read: systemNamed,
  },
  platform: { label: /^platform$/, read: systemNamed },
  gpu: {
    label:
      /^(?:nvidia )?gpus?$|^gpu (?:[01]|type|name|models?(?: and (?:memory|configuration))?)$|^(?:graphics|video) card$|^(?:cuda )?device$|^device name$|^hardware$|^显卡$/,
    read: gpuNamedIn,
  },
  driver: { label: /^(?:(?:nvidia(?: gpu)?|gpu|cuda) )?drivers?$|^nvidia$/, read: driverRelease },
  cuda: { label: /^cuda(?: toolkit| runtime)?$/, read: cudaVersion },
  nvcc: { label: /^nvcc$/, read: leadingVersion },
  cudnn: { label: /^cu ?dnn$/, read: onlyVersion },
  cudaAndCudnn: { label: /^cuda ?(?:\/|and|&) ?cudnn$/, read: plainAnswer },
  available: { label: /^(?:is )?cuda available$|^torch cuda is available\(\)$/, read: yesOrNoIn },
} as const satisfies Record<string, { label: RegExp; read(value: string): string | undefined }>;

interface Answer {
  readonly question: string;
  readonly value: string;
}

/**
 * The facts that an author entered into an issue form or a list: the framework and at least one of the system, the
 * Python version, the GPU, CUDA, cuDNN and related packages, or two facts about the machine; any single fact if
 * `besideOthers` from program output exist. An answer that contradicts an earlier one starts another machine.
 */
export function readForm(text: string, besideOthers: boolean): Report | undefined {
  const reported = answersIn(text);
  const { torch, tensorflow, jax, onnxruntime, python, driver, nvcc, available } = Object.fromEntries(reported);
  const system = { ...systemOf(reported.get('system'), reported.get('platform')) };
  const gpu = gpuIn(reported.get('gpu'));
  const packages = [...reported].flatMap(([name, version]): ListedPackage[] =>
    name in QUESTIONS && name !== 'jax' ? [] : [{ name, version }],
  );
  const framework = torch ?? tensorflow ?? jax ?? onnxruntime;
  const ofMachine = [python, gpu, driver, nvcc, system.os, boardIn(text)].filter(Boolean).length;
  const cuda = toolkitOf(reported);
  const cudnn = reported.get('cudnn') ?? cudnnRelease(reported.get('cudaAndCudnn'));
  const isAlone = ofMachine === 0 && !cuda && !cudnn && packages.every(({ name }) => name === 'jax');
  if (framework === undefined ? ofMachine < (besideOthers ? 1 : 2) : isAlone && !besideOthers) return undefined;
  return {
    program: FORM,
    isWritten: true,
    // Program output takes precedence over the author's words.
    at: text.length,
    ...system,
    ...(python && { python }),
    ...(gpu && { gpus: [gpu] }),
    ...(driver && { driver }),
    ...(packages.length > 0 && { packages }),
    ...(cuda && { cudaNamed: cuda }),
    // TensorFlow loads the system's CUDA, while torch includes its own.
    ...(nvcc
      ? { toolkit: { version: nvcc, root: 'nvcc on PATH' } }
      : cuda && tensorflow && { toolkit: { version: cuda, root: 'the CUDA that the form names' } }),
    ...(cudnn && { cudnn }),
    builds: {
      ...(torch && { torch: { version: torch } }),
      ...(tensorflow && { tensorflow: { version: tensorflow } }),
      ...(onnxruntime && { onnxruntime: { version: onnxruntime } }),
    },
    ...(torch && available === 'no' && { runtime: { torch: { version: torch, available: false, devices: [] } } }),
  };
}

function answersIn(text: string): Map<string, string> {
  const reported = new Map<string, string>();
  let isTheirs = false;
  for (const field of fieldsIn(text, (each) => answerOf(each) !== undefined)) {
    const answer = answerOf(field);
    if (answer === undefined) {
      isTheirs = REQUIREMENTS.test(`${field.label} ${field.value}`);
      continue;
    }
    if (isTheirs) continue;
    const earlier = reported.get(answer.question);
    if (earlier !== undefined && !isAlike(answer.question, earlier, answer.value)) break;
    if (earlier === undefined) reported.set(answer.question, answer.value);
  }
  return reported;
}

/** A heading of what a project asks for, instead of what its reader has. */
const REQUIREMENTS =
  /\brequire(?:s|d|ments?)\b|\brecommend|\bprerequisites?\b|\bdependencies\b|\btested (?:on|with)\b/i;

/** Text without a label is shorter; longer lines are prose. */
const LONGEST_ALONE = 80;

/** A system and a GPU need no label; everything else does. */
function answerOf({ label, value }: ReportField): Answer | undefined {
  if (value.length > LONGEST_ALONE && label === '') return undefined;
  if (SAYS_NOTHING.test(value)) return undefined;
  for (const [question, { label: known, read }] of Object.entries(QUESTIONS)) {
    if (!known.test(label)) continue;
    const answer = read(value);
    return answer === undefined ? undefined : { question, value: answer };
  }
  const whole = `${label} ${value}`.trim();
  if (SYSTEM_ALONE.test(whole)) return { question: 'system', value: whole };
  if (GPU_ALONE.test(whole)) return { question: 'gpu', value: whole };
  const version = label === '' ? undefined : release(value);
  if (version === undefined) return undefined;
  const name = normalized(label.replaceAll(' ', '-'));
  return isRelatedPackage(name) || BESIDE.includes(name) ? { question: name, value: version } : undefined;
}

/** Frameworks that are only packages here. */
const BESIDE: readonly string[] = ['torchvision', 'torchaudio', 'keras', 'tf-keras'];

const SYSTEM_ALONE =
  /^(?:(?:linux )?(?:ubuntu|debian|centos|fedora|rhel|red hat|rocky|linux ?mint|kali)[\w /]{0,20}? ?\d[\w.]*|win(?:dows)? ?(?:7|8|10|11|server)|mac ?os ?\w{0,12} ?\d[\d.]*)(?: (?:lts|x64|x86_64|64[ -]?bits?|home|pro|\([^)]*\)))*$/i;
const GPU_ALONE =
  /^(?:\d ?x ?)?(?:nvidia |geforce |tesla |quadro )*(?:(?:rtx|gtx|titan) ?\w{0,6}|tesla \w+|quadro (?:rtx )?\w+|[avpht]\d{2,3}\w?)(?: ?(?:ti|super|max-q|laptop|gpu|pcie|sxm\d?|\d+ ?gi?b|\([^)]*\)))*$/i;

function isAlike(question: string, one: string, other: string): boolean {
  if (question === 'system' || question === 'platform') {
    const [left, right] = [one, other].map((each) => systemOf(each, undefined).os?.family);
    return left === right;
  }
  const [left, right] = [one, other].map((each) =>
    each
      .toLowerCase()
      .replace(/\+.*$/, '')
      .replace(/[^a-z0-9.]/g, ''),
  );
  return Boolean(left && right && (left.startsWith(right) || right.startsWith(left)));
}

/** "2.5 or 2.7" and ">=3.8" are unknown; a requirement's pin is a wish. */
function release(value: string | undefined): string | undefined {
  const plain = value?.replace(/^(?:py)?torch[ =:-]*|^v(?=\d)/i, '');
  return plain === undefined || /^\S+\s*(?:\/|or|and|,|&|~|to)\s*v?\d+\.\d/i.test(plain)
    ? undefined
    : leadingVersion(plain);
}

function pythonRelease(value: string): string | undefined {
  // conda reports its own Python: "3.10.6.final.0".
  if (/\.final\.\d$/.test(value)) return undefined;
  const version = release(value.replace(/^(?:anaconda |conda )?py(?:thon)?[ =:-]*(?=\d)/i, ''));
  return version && /^[23]\.\d/.test(version) ? version : undefined;
}

/**
 * The form asks for `tf.version.GIT_VERSION` and `tf.version.VERSION` on one line: "v2.12.0-rc1-12-g0db597d0d75
 * 2.12.0".
 */
function tensorflowRelease(value: string): string | undefined {
  return release(value.replace(/^.*-g[0-9a-f]{7,}[\s,]+|^(?:tf|v|tensorflow)(?:-gpu)?[\s:=-]*/i, ''));
}

function driverRelease(value: string): string | undefined {
  return value.match(/^(?:nvidia[- ]?(?:driver)?[- ]?|driver[- ]?|v)?(\d{3}(?:\.\d[\d.]*)?)(?![\d])/i)?.[1];
}

/** The cuDNN of "11.2 / 8.1", "cuda 10 cudnn 7.6.0" and "cudnn-11.2-windows-x64-v8.1.0.77". */
function cudnnRelease(value: string | undefined): string | undefined {
  return (value?.match(/cudnn-\S*?x(?:64|86_64)-v?(\d{1,2}\.\d[\d.]*)/i) ??
    value?.match(/cu ?dnn(?:[ -]?(?:version|sdk))?[\s:=v-]*(\d{1,2}\.\d[\d.]*)(?![\s\S]*\d\.\d)/i) ??
    value?.match(/^\D{0,8}\d{1,2}(?:\.\d[\d.]*)?\s*[/,&]\s*v?(\d{1,2}\.\d[\d.]*)$/))?.[1];
}

function onlyVersion(value: string): string | undefined {
  return value.match(/^v?(\d{1,2}\.\d[\d.]*)$/)?.[1];
}

/** A release without a name means Ubuntu, which has releases in April and October: "20.04". */
function systemNamed(value: string): string | undefined {
  const named = /^[12]\d\.(?:04|10)(?:\.\d)?(?: LTS)?$/.test(value) ? `Ubuntu ${value}` : value;
  return systemOf(named, undefined).os && named;
}

function gpuNamedIn(value: string): string | undefined {
  return gpuIn(value) && value;
}

function plainAnswer(value: string): string | undefined {
  return value;
}

function yesOrNoIn(value: string): string | undefined {
  const said = yesOrNo(value);
  return said === undefined ? undefined : said ? 'yes' : 'no';
}

function toolkitOf(reported: ReadonlyMap<string, string>): string | undefined {
  // Three digits before the dot mean a driver.
  const both = reported.get('cudaAndCudnn')?.match(/(?<![\d.])\d{1,2}\.\d(?:\.\d+)?/)?.[0];
  // CUDA 7.1 to 7.4, 7.6 and 8.1 do not exist, so the number is a cuDNN version.
  const isCudnn = /^(?:7\.[1-46-9]|8\.[1-9])/.test(both ?? '');
  return (isCudnn ? undefined : cudaVersion(both)) ?? reported.get('cuda');
}
