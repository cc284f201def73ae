import { withOneLineTexts } from '../printable.ts';
import {
  type CondaPackage,
  type Fact,
  type FrameworkRuntime,
  knownValue,
  type RuntimeFramework,
  type StackFacts,
  type UnknownFact,
} from './facts/facts.ts';
import { forEachFramework, forEachRuntime, nothingYet } from './facts/nothingYet.ts';
import type { Machine } from './machine/machine.ts';
import { readContainerToolkit, readFabric } from './readers/containerToolkit.ts';
import { readToolkits, withCondaToolkit } from './readers/cudaToolkit.ts';
import { readLoadedCudnn } from './readers/cudnn.ts';
import {
  readDeviceFiles,
  readDriverLibraries,
  readKernelGpus,
  readKernelModule,
  readPciGpus,
} from './readers/devices.ts';
import { readDistributions } from './readers/distributions.ts';
import { readJax, readKeras, readOnnxruntime, readTensorflow, readTfKeras } from './readers/frameworks.ts';
import { readInterpreter } from './readers/interpreter.ts';
import { findLibraries } from './readers/libraries.ts';
import { readNvidiaSmi } from './readers/nvidiaSmi.ts';
import { readBoard, readCgroup2, readContainer, readOperatingSystem, readWsl } from './readers/operatingSystem.ts';
import { readOtherAccelerators } from './readers/otherAccelerators.ts';
import { nvidiaWheels, readCondaPackages, relatedPackages } from './readers/packages.ts';
import { isMadeByUv, readPrograms, readProjectTool } from './readers/programs.ts';
import { known, readFact, unknownFact } from './readers/readFact.ts';
import { InstalledPackages, readInstalledPackages } from './readers/sitePackages.ts';
import { readSystemMemory } from './readers/systemMemory.ts';
import { readTorch, readTorchExtension } from './readers/torch.ts';
import { readVariables } from './readers/variables.ts';
import { askFrameworks, type RuntimeQuestions, runtimeBefore } from './runtime/runtime.ts';

export interface StackOptions {
  machine: Machine;
  /** The selected Python: a program or the folder of an environment. Without it, one is searched for. */
  interpreter?: string;
  /** The kernel name of the active notebook; if it identifies a Python, it takes precedence over the selected one. */
  kernel?: string;
  /** The reason why no environment is read in an untrusted workspace; undefined if one is read. */
  withoutEnvironment?: string;
  /** Folders whose `.venv` or `venv` counts: the workspace folders, or the current one. */
  folders: string[];
  /** How frameworks are run to report about themselves; undefined: none is imported. */
  runtime?: RuntimeQuestions;
  signal?: AbortSignal;
  /** Called with all facts read so far whenever there are new ones; the others are pending. */
  onFacts?: (facts: StackFacts) => void;
}

/**
 * Reads the stack in layers: files and the environment first, without starting any process, then `nvidia-smi`, then, if
 * requested, the frameworks themselves. It never throws; unreadable facts are unknown, with the reason.
 */
export async function readStack(options: StackOptions): Promise<StackFacts> {
  const { machine, signal, onFacts } = options;
  let facts = nothingYet();
  const learn = (more: Partial<StackFacts>) => {
    facts = { ...facts, ...withOneLineTexts(more) };
    if (!signal?.aborted) onFacts?.(facts);
  };
  learn({});
  // Files are much quicker; their facts are reported first and never wait for the process.
  const answer = readNvidiaSmi(machine, signal);
  const files = [readSystem(machine), readPython(options)];
  await Promise.all(files.map(async (part) => learn(await part)));
  const smi = await answer;
  // Some containers can use the GPUs but lack the tool, so only the kernel module's list is available.
  const gpus = smiIsAbsent(smi.gpus) && knownValue(facts.gpus)?.length ? facts.gpus : smi.gpus;
  const driver = 'unknown' in smi.driver && knownValue(facts.driver) ? facts.driver : smi.driver;
  learn({ ...smi, gpus, driver });
  const reported = (name: RuntimeFramework, fact: Fact<FrameworkRuntime>) =>
    learn({ runtime: { ...facts.runtime, [name]: fact } });
  if (options.runtime) await askFrameworks(machine, facts, options.runtime, reported, signal);
  return facts;
}

function smiIsAbsent(gpus: Fact<unknown>): boolean {
  return 'unknown' in gpus && gpus.cause === 'absent';
}

/** Facts about the machine from files. GPUs and driver stay pending if the kernel module shows nothing. */
async function readSystem(machine: Machine): Promise<Partial<StackFacts>> {
  const insideOf = readContainer(machine);
  const [os, memory, wsl, container, board, variables, kernelModule, gpus, pciGpus, driverLibraries, deviceFiles] =
    await Promise.all([
      readOperatingSystem(machine),
      readSystemMemory(machine),
      readWsl(machine),
      insideOf,
      readBoard(machine),
      readVariables(machine),
      readKernelModule(machine),
      readKernelGpus(machine),
      readPciGpus(machine, insideOf),
      readDriverLibraries(machine),
      readDeviceFiles(machine),
    ]);
  const [otherAccelerators, fabric, containerToolkit, cgroup2] = await Promise.all([
    readOtherAccelerators(machine, knownValue(pciGpus) ?? []),
    readFabric(machine, Boolean(knownValue(container))),
    readContainerToolkit(machine, Boolean(knownValue(container))),
    readCgroup2(machine),
  ]);
  const module = 'value' in kernelModule ? kernelModule : undefined;
  const fromKernel = {
    ...(module && { driver: { ...module, value: module.value.version } }),
    ...(knownValue(gpus)?.length && { gpus }),
  };
  const hardware = {
    kernelModule,
    pciGpus,
    driverLibraries,
    deviceFiles,
    otherAccelerators,
    fabric,
    containerToolkit,
    cgroup2,
  };
  return { os, memory, wsl, container, board, variables, ...hardware, ...fromKernel };
}

/** Facts about the interpreter, its packages and the libraries that they could load, from files. */
async function readPython(options: StackOptions): Promise<Partial<StackFacts>> {
  const { machine } = options;
  const { withoutEnvironment } = options;
  const [interpreter, installed] = await Promise.all([
    withoutEnvironment === undefined
      ? readInterpreter(machine, options)
      : unknownFact(machine, 'workspace trust', 'refused', `not read (${withoutEnvironment})`),
    readToolkits(machine),
  ]);
  const toolkits = await withCondaToolkit(machine, installed, knownValue(interpreter));
  const projectTool = await readProjectTool(machine, interpreter, options.folders);
  const onPath = await readPrograms(machine);
  const { hasPip, ...packages } = await readPackages(options, { interpreter, toolkits });
  const isByUv = await isMadeByUv(machine, knownValue(interpreter));
  const programs = known(machine, 'PATH and site-packages', [...onPath, ...(hasPip || !isByUv ? ['pip'] : [])]);
  return { interpreter, toolkits, projectTool, programs, ...packages };
}

type Python = Pick<StackFacts, 'interpreter' | 'toolkits'>;

async function readPackages(
  options: StackOptions,
  { interpreter, toolkits }: Python,
): Promise<Partial<StackFacts> & { readonly hasPip: boolean }> {
  const { machine } = options;
  const python = knownValue(interpreter);
  const folders = python?.sitePackages ?? [];
  const source = folders.join(', ') || 'site-packages';
  const installed = await readFact(machine, source, () => readInstalledPackages(machine, folders));
  const packages: InstalledPackages = knownValue(installed) ?? new InstalledPackages();
  const places = 'wheels, conda, library path, toolkits and system folders';
  const found = await readFact(machine, places, () =>
    findLibraries(machine, python, packages, knownValue(toolkits) ?? []),
  );
  const libraries = {
    libraryPath: part(found, ({ libraryPath }) => libraryPath),
    cudaRuntimes: part(found, ({ cudaRuntimes }) => cudaRuntimes),
    brokenLinks: part(found, ({ brokenLinks }) => brokenLinks),
    cudnns: part(found, ({ cudnns }) => cudnns),
  };
  const condaPackages = await readFact(machine, python ? machine.path.join(python.prefix, 'conda-meta') : source, () =>
    readCondaPackages(machine, python),
  );

  const trouble = packagesTrouble(machine, source, interpreter, folders, installed);
  if (trouble !== undefined) {
    const unknowns = { nvidiaWheels: trouble, packages: trouble, distributions: trouble };
    const perFramework = { loadedCudnn: forEachRuntime(() => trouble), runtime: forEachRuntime(() => trouble) };
    return {
      hasPip: packages.has('pip'),
      frameworks: forEachFramework(trouble),
      condaPackages,
      ...libraries,
      ...unknowns,
      ...perFramework,
    };
  }

  const frameworks = await readFrameworks(machine, folders, source, packages, knownValue(condaPackages) ?? []);
  const cudnns = knownValue(found)?.cudnns ?? [];
  return {
    hasPip: packages.has('pip'),
    frameworks,
    condaPackages,
    ...libraries,
    nvidiaWheels: known(machine, source, nvidiaWheels(packages)),
    packages: await readFact(machine, source, () => relatedPackages(machine, packages)),
    distributions: await readFact(machine, source, () => readDistributions(machine, packages, python?.version ?? null)),
    loadedCudnn: forEachRuntime((name) =>
      readLoadedCudnn(machine, name, frameworks[name], cudnns, packages, knownValue(condaPackages) ?? []),
    ),
    runtime: forEachRuntime((name) => runtimeBefore(machine, interpreter, frameworks[name], options.runtime)),
  };
}

function part<T, U>(fact: Fact<T>, pick: (value: T) => U): Fact<U> {
  return 'value' in fact ? { ...fact, value: pick(fact.value) } : fact;
}

async function readFrameworks(
  machine: Machine,
  folders: string[],
  source: string,
  packages: InstalledPackages,
  condaPackages: CondaPackage[],
): Promise<StackFacts['frameworks']> {
  const guarded = <T>(answer: Promise<Fact<T>>): Promise<Fact<T>> =>
    answer.catch((error: Error) => unknownFact(machine, source, 'unreadable', error.message));
  const [torch, torchvision, torchaudio, tensorflow, keras, tfKeras, jax, onnxruntime] = await Promise.all([
    guarded(readTorch(machine, folders, packages)),
    guarded(readTorchExtension(machine, folders, packages, 'torchvision')),
    guarded(readTorchExtension(machine, folders, packages, 'torchaudio')),
    guarded(readTensorflow(machine, folders, packages, condaPackages)),
    guarded(readKeras(machine, folders, packages)),
    guarded(readTfKeras(machine, folders, packages)),
    guarded(readJax(machine, folders, packages, condaPackages)),
    guarded(readOnnxruntime(machine, folders, packages)),
  ]);
  return { torch, torchvision, torchaudio, tensorflow, keras, tfKeras, jax, onnxruntime };
}

/** The reason why packages are unknown, if they are. */
function packagesTrouble(
  machine: Machine,
  source: string,
  interpreter: StackFacts['interpreter'],
  folders: string[],
  installed: Fact<InstalledPackages>,
): UnknownFact | undefined {
  if ('unknown' in interpreter) {
    const cause = interpreter.cause === 'refused' ? 'refused' : 'notApplicable';
    return unknownFact(
      machine,
      interpreter.cause === 'refused' ? interpreter.source : source,
      cause,
      interpreter.unknown,
    );
  }
  if ('unknown' in installed) return installed;
  if (folders.length > 0) return undefined;
  return unknownFact(machine, source, 'absent', 'no site-packages folder found for this interpreter');
}
