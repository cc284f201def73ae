import { countVisibleGpus } from './cudaVisibleDevices.ts';
import {
  type Fact,
  type FrameworkBuild,
  type Gpu,
  type Interpreter,
  isPending,
  isUnknown,
  type KerasBuild,
  knownValue,
  type NvidiaLibrary,
  type OperatingSystem,
  type StackFacts,
} from './facts.ts';
import { inGibibytes } from './gpuLoad.ts';

/** One thing that is known, or is not, in words. */
export interface Row {
  label: string;
  value: string;
  /** Where it was read; null where another row says so. */
  source: string | null;
  known: boolean;
}

export interface Section {
  title: string;
  rows: Row[];
}

/** The facts in words and in order, for whatever prints them. */
export function describeStack(facts: StackFacts): Section[] {
  const sections = [
    { title: 'GPU', rows: describeGpus(facts) },
    { title: 'CUDA and cuDNN', rows: describeCuda(facts) },
    { title: 'Python', rows: describePython(facts) },
    { title: 'Frameworks', rows: describeFrameworks(facts) },
    { title: 'System', rows: describeSystem(facts) },
  ];
  const folders = knownValue(facts.interpreter)?.sitePackages ?? [];
  return sections.map(({ title, rows }) => ({
    title,
    rows: rows.map((each) => ({ ...each, source: shortSource(each.source, folders) })),
  }));
}

/** Sources in the folders that packages come from, which have a row of their own, are named from there. */
function shortSource(source: string | null, folders: string[]): string | null {
  if (source === null || source === folders.join(', ') || folders.includes(source)) return null;
  const folder = folders.find((each) => source.startsWith(each));
  return folder === undefined ? source : source.slice(folder.length + 1);
}

/** A row for a fact; what is unknown says why. */
function row<T>(label: string, fact: Fact<T>, describe: (value: T) => string): Row {
  if (isPending(fact)) return { label, value: 'being read', source: fact.source, known: false };
  if (isUnknown(fact)) return { label, value: `unknown: ${fact.unknown}`, source: fact.source, known: false };
  return { label, value: describe(fact.value), source: fact.source, known: true };
}

function describeGpus({ gpus, driver, driverCuda, otherAccelerators }: StackFacts): Row[] {
  const list = knownValue(gpus);
  const rows =
    list === undefined || list.length === 0
      ? [row('NVIDIA GPUs', gpus, () => 'none')]
      : list.map((gpu) => row(`GPU ${gpu.index}`, gpus, () => describeGpu(gpu)));
  for (const { vendor, api, sign } of knownValue(otherAccelerators) ?? []) {
    const value = vendor === 'apple' ? 'Apple GPU, device "mps"' : 'AMD GPU, device "cuda" in a torch built for ROCm';
    rows.push({ label: api === 'mps' ? 'Metal (MPS)' : 'ROCm', value, source: sign, known: true });
  }
  // Without any NVIDIA GPU the reason has been given once.
  const reasonGiven = isUnknown(driver) && (isUnknown(gpus) || list?.length === 0);
  if (reasonGiven) return rows;
  return [
    ...rows,
    row('Driver', driver, (version) => version),
    row('CUDA that the driver supports', driverCuda, (version) => `up to ${version}`),
  ];
}

function describeGpu({ name, memoryTotal, memoryUsed, computeCapability, mig, uuid }: Gpu): string {
  const parts = [name];
  if (memoryTotal !== null) {
    const used = memoryUsed === null ? '' : `, ${gibibytes(memoryUsed)} of it in use`;
    parts.push(`${gibibytes(memoryTotal)} of memory${used}`);
  }
  if (computeCapability !== null) parts.push(`compute capability ${computeCapability}`);
  if (mig) parts.push('split by MIG');
  if (uuid !== null) parts.push(uuid);
  return parts.join(', ');
}

/** From MiB. */
function gibibytes(mebibytes: number): string {
  return `${inGibibytes(mebibytes)} GiB`;
}

function describeCuda({ frameworks, loadedCudnn, cudnns, toolkits, nvidiaWheels }: StackFacts): Row[] {
  const rows: Row[] = [];
  const torch = knownValue(frameworks.torch);
  if (torch?.target === 'cuda') {
    rows.push(row('CUDA that torch was built for', frameworks.torch, () => torch.cuda ?? 'unknown'));
    rows.push(
      row('cuDNN that torch loads', loadedCudnn.torch, (library) => (library ? describeCudnn(library) : 'none')),
    );
  }
  const loaded = knownValue(loadedCudnn.torch)?.path;
  const others = knownValue(cudnns)?.filter(({ path }) => path !== loaded) ?? [];
  for (const library of others) {
    rows.push({ label: 'Another cuDNN', value: describeCudnn(library), source: library.path, known: true });
  }
  if (torch?.target !== 'cuda' && others.length === 0) rows.push(row('cuDNN', cudnns, () => 'none found'));
  const roots = knownValue(toolkits) ?? [];
  for (const { root, version, namedBy } of roots) {
    const value = `${version ?? 'of unknown version'}, for compiling; wheels bring their own (${namedBy})`;
    rows.push({ label: 'CUDA toolkit', value, source: root, known: version !== null });
  }
  if (roots.length === 0) rows.push(row('CUDA toolkit', toolkits, () => 'none found; wheels need none'));
  const wheels = knownValue(nvidiaWheels) ?? [];
  if (wheels.length > 0) {
    rows.push(
      row("NVIDIA's wheels", nvidiaWheels, () => wheels.map(({ name, version }) => `${name} ${version}`).join(', ')),
    );
  }
  return rows;
}

const CUDNN_ORIGINS: Record<NvidiaLibrary['origin'], string> = {
  wheel: "NVIDIA's wheel",
  torch: 'inside torch',
  conda: 'conda package',
  toolkit: 'CUDA toolkit',
  libraryPath: 'library path',
  system: 'system library',
};

function describeCudnn({ version, origin }: NvidiaLibrary): string {
  return `${version} (${CUDNN_ORIGINS[origin]})`;
}

function describePython({ interpreter }: StackFacts): Row[] {
  const rows = [row('Interpreter', interpreter, describeInterpreter)];
  const python = knownValue(interpreter);
  for (const folder of python?.sitePackages ?? []) {
    rows.push({ label: 'Packages from', value: folder, source: null, known: true });
  }
  return rows;
}

const ENVIRONMENTS: Record<Interpreter['environment'], string> = {
  venv: 'virtual environment',
  conda: 'conda environment',
  pyenv: 'installed by pyenv',
  system: 'of the system',
  other: 'an installation of its own',
};

function describeInterpreter({ version, path, environment, chosenBy }: Interpreter): string {
  return `Python ${version ?? 'of unknown version'}, ${ENVIRONMENTS[environment]}, ${path} (${chosenBy === 'selected' ? chosenBy : `from ${chosenBy}`})`;
}

function describeFrameworks({ frameworks }: StackFacts): Row[] {
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
    ...(knownValue(tfKeras)
      ? [row('tf-keras', tfKeras, (build) => `tf-keras ${build?.version}, which is Keras 2`)]
      : []),
  ];
  const missing = rows.filter(({ value }) => value === '').map(({ label }) => label);
  const found = rows.filter(({ value }) => value !== '');
  if (missing.length === 0) return found;
  return [...found, { label: 'Not installed', value: missing.join(', '), source: null, known: true }];
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
  if (alsoInstalled.length > 0) parts.push(`metadata of ${alsoInstalled.join(', ')} beside it`);
  return parts.join(', ');
}

function describeKeras({ version, backend, backendFrom }: KerasBuild): string {
  return backend === null ? `keras ${version}` : `keras ${version}, backend ${backend} (${backendFrom})`;
}

function describeSystem(facts: StackFacts): Row[] {
  const rows = [row('Operating system', facts.os, describeSystemName)];
  const wsl = knownValue(facts.wsl);
  if (wsl) rows.push(row('WSL', facts.wsl, () => `version ${wsl}; the driver is the one of Windows`));
  const container = knownValue(facts.container);
  if (container) rows.push(row('Container', facts.container, () => container));
  for (const [name, value] of Object.entries(knownValue(facts.variables) ?? {})) {
    const meaning = name === 'CUDA_VISIBLE_DEVICES' ? describeVisible(value, knownValue(facts.gpus)) : '';
    rows.push({
      label: name,
      value: `${value === '' ? 'set, but empty' : value}${meaning}`,
      source: null,
      known: true,
    });
  }
  return rows;
}

function describeSystemName({ name, family, architecture }: OperatingSystem): string {
  return `${name ?? family}, ${architecture}`;
}

function describeVisible(value: string, gpus: Gpu[] | undefined): string {
  const count = gpus === undefined ? undefined : countVisibleGpus(value, gpus);
  if (count === undefined || gpus?.length === 0) return '';
  return count === 0 ? ': hides every GPU' : `: ${count} of ${gpus?.length} GPUs can be seen`;
}
