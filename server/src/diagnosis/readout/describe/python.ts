import {
  type Fact,
  type FrameworkBuild,
  type FrameworkRuntime,
  type Interpreter,
  isUnknown,
  type KerasBuild,
  knownValue,
  type Package,
  type RuntimeFramework,
  type StackFacts,
} from '../../../stack/facts/facts.ts';
import { gibibytes, inDetail, knownRow, type Row, row } from './row.ts';

/** The interpreter and the folders of its packages. */
export function describePython({ interpreter }: StackFacts): Row[] {
  const folders = knownValue(interpreter)?.sitePackages ?? [];
  return [
    row('Interpreter', interpreter, describeInterpreter),
    ...folders.map((folder) => inDetail(knownRow('Packages from', folder))),
  ];
}

const ENVIRONMENTS: Record<Interpreter['environment'], string> = {
  venv: 'virtual environment',
  conda: 'conda environment',
  pyenv: 'installed by pyenv',
  system: 'system Python',
  other: 'separate installation',
};

function describeInterpreter({ version, path, environment, chosenBy }: Interpreter): string {
  const python = `Python ${version ?? '(unknown version)'}`;
  // A text at most shows that it is a conda environment, but not which one.
  if (path === 'python') return environment === 'other' ? python : `${python}, ${ENVIRONMENTS[environment]}`;
  return `${python}, ${ENVIRONMENTS[environment]}, ${path} (${chosenBy === 'selected' ? chosenBy : `from ${chosenBy}`})`;
}

/** The frameworks as found in files, and what they reported if they were run. */
export function describeFrameworks(facts: StackFacts): Row[] {
  const { frameworks, packages, condaPackages } = facts;
  const trouble = Object.values(frameworks).find((fact) => !('value' in fact));
  if (Object.values(frameworks).every((fact) => !('value' in fact)) && trouble !== undefined) {
    return [row('Packages', trouble, () => '')];
  }
  const { keras, tfKeras, ...builds } = frameworks;
  const rows = [
    ...Object.entries(builds).map(([name, fact]) =>
      row<FrameworkBuild | null>(name, fact, (build) => (build === null ? '' : describeBuild(build))),
    ),
    row('keras', keras, (build) => (build === null ? '' : describeKeras(build))),
  ];
  const missing = rows.filter(({ value }) => value === '').map(({ label }) => label);
  const found = rows.filter(({ value }) => value !== '');
  if (knownValue(tfKeras))
    found.push(row('tf-keras', tfKeras, (build) => `tf-keras ${build?.version}, which is Keras 2`));
  found.push(...describeRuntimes(facts));
  if (missing.length > 0) found.push(inDetail(knownRow('Not installed', missing.join(', '))));
  found.push(...listed('Other packages', packages, nameAndVersion));
  found.push(...listed('From conda', condaPackages, ({ name, version, build }) => `${name} ${version} (${build})`));
  return found;
}

function listed<T>(label: string, fact: Fact<T[]>, name: (each: T) => string): Row[] {
  const list = knownValue(fact) ?? [];
  return list.length === 0 ? [] : [inDetail(row(label, fact, () => list.map(name).join(', ')))];
}

function nameAndVersion({ name, version }: Package): string {
  return `${name} ${version}`;
}

function describeBuild({ name, version, target, cuda, rocm, cudnn, alsoInstalled }: FrameworkBuild): string {
  const made = {
    cpu: 'for the CPU only',
    cuda: `for CUDA${cuda === null ? '' : ` ${cuda}`}${cudnn === null ? '' : ` and cuDNN ${cudnn}`}`,
    rocm: `for ROCm${rocm === null ? '' : ` ${rocm}`}`,
    xpu: 'for Intel GPUs (XPU)',
    mps: "with Apple's Metal (MPS)",
  };
  const parts = [`${name} ${version}`];
  if (target !== null) parts.push(`built ${made[target]}`);
  if (alsoInstalled.length > 0) parts.push(`also recorded as ${alsoInstalled.join(', ')}`);
  return parts.join(', ');
}

function describeKeras({ version, backend, backendFrom, installedBackends }: KerasBuild): string {
  if (backend === null) return `keras ${version}`;
  const missing = installedBackends.includes(backend) || backend === 'numpy' ? '' : ', which is not installed';
  return `keras ${version}, backend ${backend} (${backendFrom})${missing}`;
}

/** Omits frameworks that are not installed or were not run. */
function describeRuntimes({ runtime, frameworks }: StackFacts): Row[] {
  const asked = Object.entries(runtime).filter(
    ([name, fact]) =>
      knownValue<object | null>(frameworks[name as RuntimeFramework]) &&
      !(isUnknown(fact) && fact.cause === 'notAsked'),
  );
  // If Python may not be started, the reason is the same for all.
  const [refused] = asked.flatMap(([_, fact]) => (isUnknown(fact) && fact.cause === 'refused' ? fact : []));
  const answered = asked.filter(([_, fact]) => !(isUnknown(fact) && fact.cause === 'refused'));
  return [
    ...answered.map(([name, fact]) => row(`${name} reports`, fact, (said) => (said ? describeRuntime(said) : ''))),
    ...(refused ? [row('Frameworks report', refused, () => '')] : []),
  ];
}

function describeRuntime({ available, devices, cuda, cudnn, failure }: FrameworkRuntime): string {
  const names = devices.map(
    ({ index, name, memoryTotal }) =>
      `${name}${memoryTotal === null ? '' : ` with ${gibibytes(memoryTotal)}`} as ${index}`,
  );
  const parts = [available ? `can use ${names.join(', ')}` : 'no usable GPU'];
  if (cuda !== null) parts.push(`CUDA ${cuda}`);
  if (cudnn !== null) parts.push(`cuDNN ${cudnn}`);
  const because = failure === null ? '' : `: ${failure}`;
  return `${parts.join(', ')}${because}`;
}
