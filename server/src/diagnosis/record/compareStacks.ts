import { shortGpuName } from '../../stack/facts/gpuName.ts';
import type { DiagnosisSeverity } from '../diagnosis.ts';
import type { RecordedFramework, RecordedGpu, RecordedStack } from './recordedStack.ts';

/** One difference from the expected stack. */
export interface StackDifference {
  /** The path of the expected value in its file, such as `frameworks`, `torch`, `version`. */
  readonly path: readonly (string | number)[];
  /** "error": the code will not run as it did. "warning": it may not. "information": it should. */
  readonly severity: DiagnosisSeverity;
  /** The subject, such as "torch" or "GPUs". */
  readonly subject: string;
  /** Null: absent. */
  readonly expected: string | null;
  readonly found: string | null;
}

/**
 * How `found` differs from `expected`, in the order of the file. Values that either side does not know are not
 * compared; values only in `found` count if `expected` is a complete stack, not one that a person has shortened.
 */
export function compareStacks(expected: RecordedStack, found: RecordedStack, isWhole: boolean): StackDifference[] {
  return [
    ...compareSystem(expected, found),
    ...compareVersion(['driver'], 'driver', expected.driver, found.driver, ofDriver),
    ...compareVersion(['driver-cuda'], 'CUDA of the driver', expected['driver-cuda'], found['driver-cuda'], ofDriver),
    ...compareGpus(expected.gpus, found.gpus),
    ...compareVersion(['python'], 'Python', expected.python, found.python, ofFramework),
    ...compareFrameworks(expected, found, isWhole),
    ...comparePackages(expected, found, isWhole),
  ];
}

// Versions

type Step = 'major' | 'minor' | 'patch' | 'other';
/** The severity if a part of a version differs; `isOlder`: the found version is lower. */
type Weight = (step: Step, isOlder: boolean) => DiagnosisSeverity;

const ofFramework: Weight = (step) => (step === 'major' ? 'error' : step === 'minor' ? 'warning' : 'information');
const ofPackage: Weight = (step) => (step === 'major' ? 'warning' : 'information');
/** Newer drivers run everything that older ones run. */
const ofDriver: Weight = (step, isOlder) =>
  isOlder && step !== 'patch' && step !== 'other' ? 'warning' : 'information';

function compareVersion(
  path: StackDifference['path'],
  subject: string,
  expected: string | undefined,
  found: string | undefined,
  weigh: Weight,
): StackDifference[] {
  if (expected === undefined || found === undefined || expected === found) return [];
  const { step, isOlder } = firstStep(expected, found);
  return [{ path, severity: weigh(step, isOlder), subject, expected, found }];
}

function firstStep(expected: string, found: string): { step: Step; isOlder: boolean } {
  const [left, right] = [releaseOf(expected), releaseOf(found)];
  const steps: readonly Step[] = ['major', 'minor'];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [before = 0, after = 0] = [left[index], right[index]];
    if (before !== after) return { step: steps[index] ?? 'patch', isOlder: after < before };
  }
  return { step: 'other', isOlder: false };
}

const releaseOf = (version: string): number[] => (/\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);

// The machine

const SYSTEM: readonly {
  key: keyof NonNullable<RecordedStack['system']>;
  subject: string;
  severity: DiagnosisSeverity;
}[] = [
  { key: 'os', subject: 'operating system', severity: 'information' },
  { key: 'architecture', subject: 'processor architecture', severity: 'warning' },
  { key: 'wsl', subject: 'WSL', severity: 'information' },
  { key: 'container', subject: 'container', severity: 'information' },
];

function compareSystem({ system: expected }: RecordedStack, { system: found }: RecordedStack): StackDifference[] {
  if (!expected || !found) return [];
  return SYSTEM.flatMap(({ key, subject, severity }) => {
    const [before = null, after = null] = [expected[key], found[key]];
    return before === null || before === after
      ? []
      : [{ path: ['system', key], severity, subject, expected: before, found: after }];
  });
}

/** The difference in GiB that is allowed between two memory readings of the same kind of GPU. */
const TOLERANCE = 1;

function compareGpus(expected: RecordedStack['gpus'], found: RecordedStack['gpus']): StackDifference[] {
  if (!expected || !found) return [];
  const [before, after] = [total(expected), total(found)];
  const texts = { subject: 'GPUs', ...describeBoth(expected, found) };
  if (after < before) return [{ path: ['gpus'], severity: after === 0 ? 'error' : 'warning', ...texts }];
  const differing = expected.flatMap((gpu, index): StackDifference[] => {
    if (total(found.filter((other) => isAlike(other, gpu))) >= total([gpu])) return [];
    const [same, ...more] = found.filter(({ name }) => name === gpu.name);
    if (!same) {
      const isWeaker = found.some((other) => isBelow(other, gpu));
      return [{ path: ['gpus', index, 'name'], severity: isWeaker ? 'warning' : 'information', ...texts }];
    }
    if (total([same, ...more]) < total([gpu])) return [{ path: ['gpus', index], severity: 'information', ...texts }];
    const difference = gibibytes(same) - gibibytes(gpu);
    if (Math.abs(difference) > TOLERANCE)
      return [{ path: ['gpus', index, 'memory'], severity: difference < 0 ? 'warning' : 'information', ...texts }];
    if (gpu.mig !== same.mig) return [{ path: ['gpus', index, 'mig'], severity: 'warning', ...texts }];
    return [];
  });
  if (differing.length > 0 || after === before) return differing.slice(0, 1);
  return [{ path: ['gpus'], severity: 'information', ...texts }];
}

const total = (gpus: readonly RecordedGpu[]): number => gpus.reduce((sum, { count = '1' }) => sum + Number(count), 0);

/** NaN if unknown, which is unequal to everything. */
const gibibytes = ({ memory }: RecordedGpu): number => Number.parseFloat(memory ?? '');

const isAlike = (gpu: RecordedGpu, other: RecordedGpu): boolean =>
  gpu.name === other.name && gpu.mig === other.mig && !(Math.abs(gibibytes(gpu) - gibibytes(other)) > TOLERANCE);

const isBelow = (gpu: RecordedGpu, other: RecordedGpu): boolean =>
  gibibytes(gpu) < gibibytes(other) - TOLERANCE ||
  firstStep(other['compute-capability'] ?? '', gpu['compute-capability'] ?? '').isOlder;

/** Both with their common names, or with their full names if the common names are equal. */
function describeBoth(expected: readonly RecordedGpu[], found: readonly RecordedGpu[]) {
  const [before, after] = [describeGpus(expected, nameWithMemory), describeGpus(found, nameWithMemory)];
  if (before !== after) return { expected: before, found: after };
  return { expected: describeGpus(expected, fullName), found: describeGpus(found, fullName) };
}

function describeGpus(gpus: readonly RecordedGpu[], nameOf: (gpu: RecordedGpu) => string): string {
  if (gpus.length === 0) return 'none';
  return gpus
    .map((gpu) => `${gpu.count ? `${gpu.count} × ` : ''}${nameOf(gpu)}${gpu.mig ? `, MIG ${gpu.mig}` : ''}`)
    .join(' + ');
}

/** "H100 80 GiB" */
function nameWithMemory({ name, memory }: RecordedGpu): string {
  const short = shortGpuName(name);
  return memory === undefined ? short : `${short.replace(/ \d+GB$/, '')} ${memory}`;
}

/** "NVIDIA H100 80GB HBM3, 80 GiB" */
function fullName({ name, memory }: RecordedGpu): string {
  return memory === undefined ? name : `${name}, ${memory}`;
}

// Python's packages

function compareFrameworks(expected: RecordedStack, found: RecordedStack, isWhole: boolean): StackDifference[] {
  // Without a known interpreter, its packages are unknown.
  if (found.python === undefined && found.frameworks === undefined) return [];
  const names = Object.keys({ ...expected.frameworks, ...(isWhole && found.frameworks) }) as (keyof NonNullable<
    RecordedStack['frameworks']
  >)[];
  return names.flatMap((name) => {
    const [before, after] = [expected.frameworks?.[name], found.frameworks?.[name]];
    const path = ['frameworks', name];
    if (!before || !after) {
      const severity: DiagnosisSeverity = before ? 'error' : 'information';
      return [{ path, severity, subject: name, expected: before?.version ?? null, found: after?.version ?? null }];
    }
    return [
      ...compareVersion([...path, 'version'], name, before.version, after.version, ofFramework),
      ...compareBuild(path, name, before, after),
      ...compareVersion([...path, 'cudnn'], `cuDNN of ${name}`, before.cudnn, after.cudnn, ofPackage),
      ...compareBackend(path, before, after),
    ];
  });
}

function compareBuild(
  path: StackDifference['path'],
  name: string,
  { build: expected }: RecordedFramework,
  { build: found }: RecordedFramework,
): StackDifference[] {
  if (expected === undefined || found === undefined || expected === found) return [];
  const target = (build: string) => build.split(' ')[0];
  const severity: DiagnosisSeverity = target(expected) !== target(found) ? 'error' : weighBuild(expected, found);
  return [{ path: [...path, 'build'], severity, subject: `build of ${name}`, expected, found }];
}

/** Within one major version of CUDA, code compiled for one minor version runs with another. */
const weighBuild = (expected: string, found: string): DiagnosisSeverity =>
  firstStep(expected, found).step === 'major' ? 'warning' : 'information';

function compareBackend(
  path: StackDifference['path'],
  before: RecordedFramework,
  after: RecordedFramework,
): StackDifference[] {
  const [expected, found = null] = [before.backend, after.backend];
  if (expected === undefined || expected === found) return [];
  return [{ path: [...path, 'backend'], severity: 'warning', subject: 'backend of keras', expected, found }];
}

function comparePackages(expected: RecordedStack, found: RecordedStack, isWhole: boolean): StackDifference[] {
  if (found.python === undefined && found.packages === undefined) return [];
  const names = Object.keys({ ...expected.packages, ...(isWhole && found.packages) }).sort();
  return names.flatMap((name) => {
    const [before, after] = [expected.packages?.[name], found.packages?.[name]];
    const path = ['packages', name];
    if (before !== undefined && after !== undefined) return compareVersion(path, name, before, after, ofPackage);
    const severity: DiagnosisSeverity = before === undefined ? 'information' : 'warning';
    return [{ path, severity, subject: name, expected: before ?? null, found: after ?? null }];
  });
}
