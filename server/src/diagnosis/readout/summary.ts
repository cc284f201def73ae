import { minorOf } from '../../published/versions.ts';
import {
  type Board,
  type Fact,
  type FrameworkBuild,
  isPending,
  isUnknown,
  knownValue,
  type RuntimeDevice,
  type StackFacts,
} from '../../stack/facts/facts.ts';
import { nameGpus, shortGpuName } from '../../stack/facts/gpuName.ts';
import { RUNTIME_FRAMEWORKS } from '../../stack/facts/nothingYet.ts';
import type { Verdict } from '../judgeStack.ts';

/** The worst of the known facts; "unknown" if they do not even show whether there is a GPU. */
export type StackState = 'probing' | 'healthy' | 'warning' | 'error' | 'noGpu' | 'unknown';

/** True in a workspace that the user has not trusted. */
const NOT_READ = 'not read (Restricted Mode)';

/** The stack in one line. */
export interface StackSummary {
  /** Plain text without icons, such as "RTX 3090 · CUDA 12.4 · cuDNN 9.1". */
  text: string;
  state: StackState;
  /** Changes by the user that allow more facts to be read. */
  missing: MissingChoice | null;
}

/** Trust in the workspace, or an interpreter that has a framework. */
export type MissingChoice = 'trust' | 'interpreter';

export function summarizeStack(facts: StackFacts, verdicts: readonly Verdict[]): StackSummary {
  return { text: textOf(facts, verdicts), state: stateOf(facts, verdicts), missing: missingIn(facts) };
}

function textOf(facts: StackFacts, verdicts: readonly Verdict[]): string {
  const gpu = gpuText(facts);
  const hidden = verdicts.some(({ id }) => id === 'gpus-hidden');
  const hasGpu = Boolean(knownValue(facts.gpus)?.length);
  return [hidden ? `${gpu} hidden` : gpu, ...frameworkTexts(facts, hasGpu && !hidden)].join(' · ');
}

function gpuText(facts: StackFacts): string {
  const { gpus, otherAccelerators } = facts;
  if (isPending(gpus)) return 'GPU …';
  const list = knownValue(gpus) ?? [];
  if (list.length > 0) return nameGpus(list);
  const [other] = knownValue(otherAccelerators) ?? [];
  if (other !== undefined) return { apple: 'Apple GPU', amd: 'AMD GPU', intel: 'Intel GPU' }[other.vendor];
  const [seen] = seenByFrameworks(facts);
  if (seen !== undefined) return shortGpuName(seen.name);
  const board = knownValue(facts.board);
  if (board) return nameOfBoard(board);
  if (isUnknown(gpus) && gpus.cause === 'driverMismatch') return 'GPU driver mismatch';
  return meansNoGpu(facts) ? 'No GPU' : 'GPU unknown';
}

/** "Jetson Nano" of "NVIDIA Jetson Nano Developer Kit". */
function nameOfBoard({ model }: Board): string {
  return model?.replace(/^NVIDIA /, '').replace(/ Developer Kit.*$/, '') ?? 'Tegra GPU';
}

function seenByFrameworks({ runtime }: StackFacts): RuntimeDevice[] {
  return Object.values(runtime).flatMap((fact) => knownValue(fact)?.devices ?? []);
}

/**
 * True if no program can use an NVIDIA GPU because its tool and driver are missing; a driver without the tool may have
 * one. On Windows, only a framework shows AMD and Intel GPUs; anyone who installs a build for them has one.
 */
export function meansNoGpu(facts: StackFacts): boolean {
  const { gpus, os, frameworks, board } = facts;
  if (knownValue(board)) return false;
  // Parts of the driver are accessible, but nothing has identified a GPU.
  if (isUnknown(gpus) && gpus.cause === 'absent' && hasDriver(facts)) return false;
  const target = knownValue(frameworks.torch)?.target;
  if (knownValue(os)?.family === 'windows' && (target === 'rocm' || target === 'xpu')) return false;
  if (!isUnknown(gpus)) return true;
  return ['absent', 'notApplicable', 'driverNotRunning'].includes(gpus.cause);
}

function hasDriver({ deviceFiles, driverLibraries }: StackFacts): boolean {
  const files = knownValue(deviceFiles)?.some(({ path }) => /^\/dev\/(nvidia\d+|dxg)$/.test(path));
  return Boolean(files) && Boolean(knownValue(driverLibraries)?.length);
}

function frameworkTexts(facts: StackFacts, hasGpu: boolean): string[] {
  if (isPending(facts.interpreter)) return [];
  if (isUnknown(facts.interpreter)) return [facts.interpreter.cause === 'refused' ? NOT_READ : 'no Python'];
  const { torch, tensorflow, jax, onnxruntime } = facts.frameworks;
  const build = [torch, tensorflow, jax, onnxruntime]
    .map((fact) => knownValue<FrameworkBuild | null>(fact))
    .find(Boolean);
  if (!build) return noFramework(facts, hasGpu);
  if (!hasGpu || build.target !== 'cuda' || build.cuda === null) return [`${build.name} ${build.version}`];
  const cudnn = cudnnOf(facts, build);
  return [`CUDA ${build.cuda}`, ...(cudnn ? [`cuDNN ${minorOf(cudnn)}`] : [])];
}

/** The cuDNN that it loads. */
function cudnnOf({ loadedCudnn, frameworks }: StackFacts, build: FrameworkBuild): string | undefined {
  const name = RUNTIME_FRAMEWORKS.find((each) => knownValue(frameworks[each]) === build);
  return name === undefined ? undefined : knownValue(loadedCudnn[name])?.version;
}

function noFramework({ driver, frameworks }: StackFacts, hasGpu: boolean): string[] {
  const version = knownValue(driver);
  if (hasGpu && version !== undefined) return [`driver ${version}`];
  if (isUnknown(frameworks.torch) && frameworks.torch.cause === 'refused') return [NOT_READ];
  return isUnknown(frameworks.torch) ? ['packages unknown'] : ['no framework'];
}

function missingIn({ interpreter, frameworks }: StackFacts): MissingChoice | null {
  const { torch, tensorflow, jax, onnxruntime } = frameworks;
  const all = [interpreter, torch, tensorflow, jax, onnxruntime];
  if (all.some(isPending)) return null;
  if (all.some((fact) => isUnknown(fact) && fact.cause === 'refused')) return 'trust';
  const hasFramework = [torch, tensorflow, jax, onnxruntime].some((fact) => knownValue<FrameworkBuild | null>(fact));
  return isUnknown(interpreter) || !hasFramework ? 'interpreter' : null;
}

function stateOf(facts: StackFacts, verdicts: readonly Verdict[]): StackState {
  const worst = (['error', 'warning'] as const).find((each) => verdicts.some(({ severity }) => severity === each));
  if (worst !== undefined) return worst;
  const { gpus, otherAccelerators, frameworks } = facts;
  const facing: Fact<unknown>[] = [gpus, otherAccelerators, frameworks.torch];
  if (facing.some(isPending)) return 'probing';
  const board = knownValue(facts.board);
  const found = [
    ...(board ? [board] : []),
    ...(knownValue(gpus) ?? []),
    ...(knownValue(otherAccelerators) ?? []),
    ...seenByFrameworks(facts),
  ];
  if (found.length > 0) return 'healthy';
  return meansNoGpu(facts) ? 'noGpu' : 'unknown';
}
