/** What programs print of their environment, as people paste it: the contract of the readers in this folder. */
import type {
  Board,
  CondaPackage,
  FrameworkRuntime,
  Gpu,
  OperatingSystem,
  ProjectTool,
  RuntimeFramework,
  UnknownCause,
} from '../stack/facts/facts.ts';
import { capabilityOf } from '../stack/facts/gpuName.ts';

/** The reports that somebody has written, where the others are printed by programs. */
export const WRITTEN = {
  form: 'the versions',
  words: 'what its author says',
  command: 'the command of pip',
  image: 'the name of the image',
} as const;

/** Whether a fact was read from what somebody has written, by its source; who names a GPU so does not say how many there are. */
export function isWrittenSource(source: string): boolean {
  return Object.values(WRITTEN).some((program) => source.startsWith(program));
}

/** What one report tells of a machine. What it does not tell is left out: it is unknown, not absent. */
export interface Report {
  /** Whose output it is, as people call it, such as "nvidia-smi". */
  readonly program: string;
  /** Where it begins in the text. */
  readonly at: number;
  /** Somebody has written it, where the others are printed by programs. */
  readonly isWritten?: boolean;
  readonly os?: OperatingSystem;
  /** Null: it is known not to be WSL. */
  readonly wsl?: 1 | 2 | null;
  readonly container?: string;
  readonly board?: Board;
  readonly variables?: Readonly<Record<string, string>>;
  readonly gpus?: readonly Gpu[];
  /** Why it tells of no GPU, where it says so. */
  readonly noGpus?: { readonly cause: UnknownCause; readonly reason: string };
  readonly driver?: string;
  readonly driverCuda?: string;
  /** Why it tells no CUDA that the driver supports, where it says so. */
  readonly noDriverCuda?: { readonly cause: UnknownCause; readonly reason: string };
  readonly toolkit?: { readonly version: string; readonly root: string };
  /** A CUDA of which is not said whether it is the driver's, a toolkit or that of a build. */
  readonly cudaNamed?: string;
  /** The cuDNN that TensorFlow loads. */
  readonly cudnn?: string;
  readonly python?: string;
  readonly packages?: readonly ListedPackage[];
  /** The list is in alphabetical order and holds all that is installed, up to its last name. */
  readonly isWhole?: boolean;
  readonly conda?: CondaEnvironment;
  readonly projectTool?: ProjectTool;
  /** What frameworks say that they were built for, whatever the package is called. */
  readonly builds?: Partial<Readonly<Record<'torch' | 'tensorflow' | 'onnxruntime', ReportedBuild>>>;
  readonly runtime?: Partial<Readonly<Record<RuntimeFramework, Partial<FrameworkRuntime>>>>;
}

export interface ListedPackage {
  /** Normalised, as PEP 503 has it. */
  readonly name: string;
  readonly version: string;
  /** What its GPU code was compiled for, where the report is the package's own. */
  readonly builtFor?: { readonly torch: string | null; readonly cuda: string | null };
  /** It says that it was built without code for GPUs. */
  readonly hasNoGpuCode?: boolean;
}

export interface CondaEnvironment {
  /** Its folder; null where the list does not name it. */
  readonly prefix: string | null;
  readonly packages: readonly CondaPackage[];
}

export interface ReportedBuild {
  readonly version: string;
  /** Null: it says that it was built without; undefined: it does not say. */
  readonly cuda?: string | null | undefined;
  readonly rocm?: string | null;
  readonly cudnn?: string | null;
  /** Whether it is `torch.__version__`, which has the tag of its build, rather than what a list or a person says. */
  readonly isItsOwn?: boolean;
}

/** Finds the first report of its kind in a text, the lines of which are clean. It never throws. */
export type ReportReader = (text: string) => Report | undefined;

/** No report is longer. */
const LONGEST = 40_000;

/** The text of a report from where it begins, as far as one reaches. */
export function reportAt(text: string, at: number): string {
  return text.slice(at, at + LONGEST);
}

/** What stands behind a label on its line, in any of the ways in which such lists are written; undefined where nothing does. */
export function labelled(text: string, label: string): string | undefined {
  const line = new RegExp(
    `^[ \\t>*•|-]*["\`*_]*(?:${label})["\`*_]*[ \\t]*[:：=][ \\t]*["\`*_]*[ \\t]*(\\S.*?)[ \\t\`|",]*$`,
    'im',
  );
  const value = line.exec(text)?.[1];
  return value === undefined || SAYS_NOTHING.test(value) ? undefined : value;
}

/** What programs and templates print where they know nothing. */
export const SAYS_NOTHING =
  /^(?:N\/?A|None|_?No response_?|not installed|not available|unknown|could not collect|no cuda|<.*>|\[.*\]|-+)\.?$/i;

/** Whether a value says that something is so; undefined for other words. */
export function yesOrNo(value: string | undefined): boolean | undefined {
  if (/^(?:true|yes)\b/i.test(value ?? '')) return true;
  return /^(?:false|no)\b/i.test(value ?? '') ? false : undefined;
}

/** "12.1" of "12.1.105", "V12.1", "1201" and "12010"; undefined for anything else. */
export function cudaVersion(value: string | undefined): string | undefined {
  const dotted = value?.match(/^V?(\d{1,2}\.\d{1,2})(?:\.\d+)*\b/)?.[1];
  if (dotted !== undefined) return dotted;
  const digits = value?.match(/^(\d{3,5})$/)?.[1];
  if (digits === undefined) return undefined;
  if (digits.length === 3) return `${digits.slice(0, 2)}.${digits.slice(2)}`;
  return digits.length === 4
    ? `${Number(digits.slice(0, 2))}.${Number(digits.slice(2))}`
    : `${digits.slice(0, 2)}.${Number(digits.slice(2)) / 10}`;
}

/** The version at the start of a value such as "3.10.12 (main, Nov 20 2023)"; undefined where there is none. */
export function versionIn(value: string | undefined): string | undefined {
  return value?.match(/^v?(\d+(?:\.\d+)+[\w.+-]*)/)?.[1];
}

/** A GPU of which no more than its name is told. */
export function gpuNamed(name: string, index: number): Gpu {
  return {
    index,
    name,
    uuid: null,
    memoryTotal: null,
    memoryUsed: null,
    utilization: null,
    // A table cuts long names: "GeForce RTX 208..." can be nothing but a 2080.
    computeCapability: capabilityOf(name.endsWith('...') ? `${name.slice(0, -3)}0` : name),
    mig: null,
    migInstances: [],
  };
}

/** What torch is told to say of the GPUs; that it can use some tells nothing without their names. */
export function torchSays(
  available: boolean | undefined,
  version: string | undefined,
  gpus: readonly Gpu[],
): Pick<Report, 'runtime'> {
  if (available === undefined || version === undefined || (available && gpus.length === 0)) return {};
  return { runtime: { torch: { version, available, devices: devicesOf(available ? gpus : []) } } };
}

/** GPUs as a framework lists them. */
export function devicesOf(gpus: readonly Gpu[]): FrameworkRuntime['devices'] {
  return gpus.map(({ index, name, computeCapability, memoryTotal }) => ({
    index,
    name,
    api: 'cuda' as const,
    uuid: null,
    computeCapability,
    memoryTotal,
  }));
}
