import { cudaOfNumber } from '../published/releases/versionNumbers.ts';
import type { OperatingSystem } from '../stack/facts/facts.ts';
import { boardIn } from './board.ts';
import { gpuNamed, type Report } from './report.ts';
import { systemOf } from './system.ts';
import { SYSTEM_SIGNS } from './systemSigns.ts';

/**
 * Facts that tracebacks, prompts and warnings of frameworks show: folders, the Python in them, and the GPU. They have
 * the lowest precedence.
 */
export function printedSigns(text: string): Report {
  const container =
    /\/content\/(?:drive|sample_data)|google\.colab/.test(text) ||
    (/\/usr\/local\/lib\/python3\.\d+\/dist-packages/.test(text) && /\/content\/|ipython-input|ipykernel_/.test(text))
      ? 'Google Colab'
      : /\/kaggle\/(?:input|working)/.test(text)
        ? 'Kaggle'
        : /\broot@[0-9a-f]{12}:|\/\.dockerenv\b/.test(text)
          ? 'Docker'
          : // JupyterHub's names for its users' pods.
            /^[ \t]*(?:\([\w.-]+\) )?[\w.-]+@jupyter-[\w-]+:/m.test(text)
            ? 'Kubernetes'
            : undefined;
  const failure = text
    .match(/UserWarning: (CUDA initialization: [^\n]{10,400})/)?.[1]
    ?.replace(/ \(Triggered internally.*$/, '');
  const architectures = text
    .match(/supports CUDA capabilities((?: (?:sm|compute)_\d+[af]?)+)/)?.[1]
    ?.trim()
    .split(' ');
  const tooOld = Number(text.match(/driver on your system is too old\s+\(found version (\d{4,5})\)/)?.[1] ?? 0);
  const found = boardIn(text);
  const system = systemOf(undefined, found ? `Linux-${found.kernel}-aarch64` : platformIn(text));
  const python = pythonIn(text);
  return {
    program: 'other parts of the text',
    at: text.length,
    ...system,
    ...(python && { python }),
    ...(found && { board: found.board }),
    ...(container && { container }),
    ...warnedGpu(text),
    ...(tooOld && { driverCuda: cudaOfNumber(tooOld) }),
    ...((failure || architectures) && {
      runtime: { torch: { ...(failure && { failure }), ...(architectures && { architectures }) } },
    }),
  };
}

/** The Python version of the folders and modules in a text, if they all agree. */
function pythonIn(text: string): string | undefined {
  const found = [...text.matchAll(PYTHON_FOLDER)].map(
    ([, dotted, module, folder]) => dotted ?? (module ?? folder)?.replace(/^(\d)/, '$1.'),
  );
  return new Set(found).size === 1 ? found[0] : undefined;
}

const PYTHON_FOLDER =
  /\blib(?:64)?\/python([23]\.\d{1,2})\/(?:site|dist)-packages|\.cpython-([23]\d{1,2})-|[\\/]Python([23]\d{1,2})[\\/]lib\b/gi;

/** The GPU that torch reports as unsupported, with its compute capability. */
function warnedGpu(text: string): Pick<Report, 'gpus'> {
  const [, name, major, minor] =
    /^[^\n]*?((?:NVIDIA|Tesla|GeForce|Quadro|TITAN|[AL]\d)[^\n|]{0,60}?) with CUDA capability sm_(\d{1,2})(\d) is not compatible/m.exec(
      text,
    ) ??
    /Found GPU0 (\S[^\n]{0,60}?) which is of (?:cuda|compute) capability (\d+)\.(\d)/i.exec(text) ??
    [];
  return name === undefined ? {} : { gpus: [{ ...gpuNamed(name, 0), computeCapability: `${major}.${minor}` }] };
}

/** Python's names of systems. */
const PLATFORMS: Readonly<Record<string, string>> = { linux: 'linux', windows: 'win32', macos: 'darwin' };

/** Python's name of the system: from its startup line, or from the folders in tracebacks and commands. */
function platformIn(text: string): string | undefined {
  const reported = BANNER.exec(text)?.[1];
  const first =
    reported ??
    Object.entries(SYSTEM_SIGNS)
      .map(([family, sign]) => ({ platform: PLATFORMS[family], at: text.search(sign) }))
      .filter(({ at }) => at >= 0)
      .sort((left, right) => left.at - right.at)[0]?.platform;
  if (first === 'darwin') return APPLE_ARM.test(text) ? 'darwin arm64' : first;
  return first === 'linux' && isOnArm(text) ? 'linux aarch64' : first;
}

/** The system that the folders in a text belong to. */
export function systemPrinted(text: string): OperatingSystem['family'] | undefined {
  return systemOf(undefined, platformIn(text)).os?.family;
}

/** "[GCC 13.3.0] on linux", "[MSC v.1916 64 bit (AMD64)] :: Anaconda, Inc. on win32". */
const BANNER = /^\[(?:GCC|Clang|MSC)[^\n]{1,60}\](?: :: [^\n]{1,40})? on (linux|win32|darwin)\b/m;

/** Arm processors, and NVIDIA's GPUs beside them. */
const ARM = /\b(?:linux-|linux_|manylinux\w*_)?aarch64\b|\bGB10\b|\bGH200\b|\bGB[23]00\b/;

/** True if a text shows an Arm processor. */
export function isOnArm(text: string): boolean {
  return ARM.test(text);
}

/** Homebrew's folder on Apple silicon. */
const APPLE_ARM = /\/opt\/homebrew\//;

/** True if TensorFlow searches for CUDA, as only CUDA builds do. */
export function tensorflowLooksForCuda(text: string): boolean {
  return /dso_loader\.cc|cuda_gpu_executor\.cc|gpu_device\.cc|cudart_stub\.cc/.test(text);
}

/** True if JAX reports that its jaxlib has no CUDA, in the wording of any release. */
export function jaxLacksCuda(text: string): boolean {
  return /\ba CUDA-enabled jaxlib is not installed\b/.test(text);
}
