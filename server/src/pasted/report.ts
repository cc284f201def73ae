/** The contract of the readers in this folder: environment reports of programs, as people paste them. */

import { capabilityOf } from '../published/gpuCapabilities.ts';
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

/** The title of the report that people write; programs print the others. */
export const FORM = 'the versions';

/**
 * True for a fact that a person entered, according to its source; a GPU named that way does not imply a number of GPUs.
 */
export function isWrittenSource(source: string): boolean {
  return source.startsWith(FORM);
}

/** The facts that one report contains about a machine. A missing fact is unknown, not absent. */
export interface Report {
  /** The common name of the program, such as "nvidia-smi". */
  readonly program: string;
  /** Offset in the text. */
  readonly at: number;
  /** True if a person wrote it; programs print the others. */
  readonly isWritten?: boolean;
  readonly os?: OperatingSystem;
  /** Null: known not to be WSL. */
  readonly wsl?: 1 | 2 | null;
  readonly container?: string;
  readonly board?: Board;
  readonly variables?: Readonly<Record<string, string>>;
  readonly gpus?: readonly Gpu[];
  /** The reason why it shows no GPU, if it gives one. */
  readonly noGpus?: { readonly cause: UnknownCause; readonly reason: string };
  readonly driver?: string;
  readonly driverCuda?: string;
  /** The reason why it shows no CUDA version of the driver, if it gives one. */
  readonly noDriverCuda?: { readonly cause: UnknownCause; readonly reason: string };
  readonly toolkit?: { readonly version: string; readonly root: string };
  /** A CUDA version without the information whether it belongs to the driver, a toolkit or a build. */
  readonly cudaNamed?: string;
  /** The cuDNN that TensorFlow loads. */
  readonly cudnn?: string;
  readonly python?: string;
  readonly packages?: readonly ListedPackage[];
  /** The list is alphabetical and complete, up to its last name. */
  readonly isWhole?: boolean;
  readonly conda?: CondaEnvironment;
  readonly projectTool?: ProjectTool;
  /** The builds that frameworks report, whatever the package name. */
  readonly builds?: Partial<Readonly<Record<'torch' | 'tensorflow' | 'onnxruntime', ReportedBuild>>>;
  readonly runtime?: Partial<Readonly<Record<RuntimeFramework, Partial<FrameworkRuntime>>>>;
}

export interface ListedPackage {
  /** Normalized by PEP 503. */
  readonly name: string;
  readonly version: string;
  /** The build of its GPU code, if the report is the package's own. */
  readonly builtFor?: { readonly torch: string | null; readonly cuda: string | null };
  /** True if it reports that it was built without GPU code. */
  readonly hasNoGpuCode?: boolean;
}

interface CondaEnvironment {
  /** Its folder; null if the list does not name it. */
  readonly prefix: string | null;
  readonly packages: readonly CondaPackage[];
}

export interface ReportedBuild {
  readonly version: string;
  /** Null: it reports that it was built without; undefined: not reported. */
  readonly cuda?: string | null | undefined;
  readonly rocm?: string | null;
  readonly cudnn?: string | null;
  /** True if it is `torch.__version__`, which has the build tag, and not a version from a list or a person. */
  readonly isItsOwn?: boolean;
}

/** Finds the first report of its kind in a text with clean lines. It never throws. */
export type ReportReader = (text: string) => Report | undefined;

/** The maximum length of a report. */
const LONGEST = 40_000;

/** Returns the text of a report from its start, up to the maximum length. */
export function reportAt(text: string, at: number): string {
  return text.slice(at, at + LONGEST);
}

/** Returns the value after a label on its line, in any notation of such lists; undefined if there is none. */
export function labelled(text: string, label: string): string | undefined {
  const line = new RegExp(
    `^[ \\t>*•|-]*["\`*_]*(?:${label})["\`*_]*[ \\t]*[:：=][ \\t]*["\`*_]*[ \\t]*(\\S.*?)[ \\t\`|",]*$`,
    'im',
  );
  const value = line.exec(text)?.[1];
  return value === undefined || SAYS_NOTHING.test(value) ? undefined : value;
}

/** Placeholders of programs and templates for unknown values. */
export const SAYS_NOTHING =
  /^(?:N\/?A|None|_?No response_?|not installed|not available|unknown|could not collect|no cuda|<.*>|\[.*\]|-+)\.?$/i;

/** True if a value means yes, false if it means no; undefined for other words. */
export function yesOrNo(value: string | undefined): boolean | undefined {
  if (/^(?:true|yes)\b/i.test(value ?? '')) return true;
  return /^(?:false|no)\b/i.test(value ?? '') ? false : undefined;
}

/** "12.1" for "12.1.105", "V12.1", "1201" and "12010"; undefined for anything else. */
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

/** The version at the start of a value such as "3.10.12 (main, Nov 20 2023)"; undefined if there is none. */
export function leadingVersion(value: string | undefined): string | undefined {
  return value?.match(/^v?(\d+(?:\.\d+)+[\w.+-]*)/)?.[1];
}

/** A GPU with only a known name. */
export function gpuNamed(name: string, index: number): Gpu {
  return {
    index,
    name,
    uuid: null,
    memoryTotal: null,
    memoryUsed: null,
    utilization: null,
    // A table cuts long names: "GeForce RTX 208..." can only be a 2080.
    computeCapability: capabilityOf(name.endsWith('...') ? `${name.slice(0, -3)}0` : name),
    mig: null,
    migInstances: [],
  };
}

/** torch's reported answers about GPUs; an answer that it can use some means nothing without their names. */
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
