import { readToolkits } from './cudaToolkit.ts';
import { cudnnOfTorch, findCudnns } from './cudnn.ts';
import { type Fact, knownValue, type Pending, STACK_FACTS_VERSION, type StackFacts, type Unknown } from './facts.ts';
import { nvidiaWheels, readJax, readKeras, readOnnxruntime, readTensorflow } from './frameworks.ts';
import { readInterpreter } from './interpreter.ts';
import type { Machine } from './machine.ts';
import { readKernelGpus, readKernelModule } from './nvidiaProc.ts';
import { readNvidiaSmi } from './nvidiaSmi.ts';
import {
  readContainer,
  readOperatingSystem,
  readOtherAccelerators,
  readVariables,
  readWsl,
} from './operatingSystem.ts';
import { known, readFact, unknown } from './readFact.ts';
import { type InstalledPackages, readInstalledPackages } from './sitePackages.ts';
import { readTorch, readTorchvision } from './torch.ts';

export interface StackOptions {
  machine: Machine;
  /** The selected Python: a program or the folder of an environment. One is looked for where none is given. */
  interpreter?: string;
  /** Folders whose `.venv` or `venv` counts: those of the workspace, or the current one. */
  folders: string[];
  signal?: AbortSignal;
  /** Called with all that is known so far whenever more is known; pending facts say so. */
  onFacts?: (facts: StackFacts) => void;
}

/**
 * Reads the stack in layers: files and the environment first, without starting any process, then `nvidia-smi`.
 * It never throws; what cannot be read is an unknown fact with its reason.
 */
export async function readStack(options: StackOptions): Promise<StackFacts> {
  const { machine, signal, onFacts } = options;
  let facts = nothingYet();
  const learn = (more: Partial<StackFacts>) => {
    facts = { ...facts, ...more };
    if (!signal?.aborted) onFacts?.(facts);
  };
  learn({});
  // Files are the quicker half by far; they are told of first and never wait for the process.
  const answer = readNvidiaSmi(machine, signal);
  learn(await readFiles(options));
  const smi = await answer;
  // Some containers are given the GPUs but not the tool; the kernel module's own list is all there is then.
  const gpus = smiIsAbsent(smi.gpus) && knownValue(facts.gpus)?.length ? facts.gpus : smi.gpus;
  const driver = 'unknown' in smi.driver && knownValue(facts.driver) ? facts.driver : smi.driver;
  learn({ ...smi, gpus, driver });
  return facts;
}

function smiIsAbsent(gpus: Fact<unknown>): boolean {
  return 'unknown' in gpus && gpus.cause === 'absent';
}

function nothingYet(): StackFacts {
  const files: Pending = { pending: true, source: 'files and environment' };
  const smi: Pending = { pending: true, source: 'nvidia-smi' };
  return {
    version: STACK_FACTS_VERSION,
    os: files,
    wsl: files,
    container: files,
    variables: files,
    gpus: smi,
    driver: smi,
    driverCuda: smi,
    otherAccelerators: files,
    toolkits: files,
    interpreter: files,
    frameworks: {
      torch: files,
      torchvision: files,
      tensorflow: files,
      keras: files,
      jax: files,
      onnxruntime: files,
    },
    nvidiaWheels: files,
    cudnns: files,
    torchCudnn: files,
  };
}

/** All that files and the environment tell. GPUs and driver stay pending where the kernel module tells nothing. */
async function readFiles(options: StackOptions): Promise<Partial<StackFacts>> {
  const { machine } = options;
  const [os, wsl, container, variables, otherAccelerators, module, gpus, toolkits, interpreter] = await Promise.all([
    readOperatingSystem(machine),
    readWsl(machine),
    readContainer(machine),
    readVariables(machine),
    readOtherAccelerators(machine),
    readKernelModule(machine),
    readKernelGpus(machine),
    readToolkits(machine),
    readInterpreter(machine, options),
  ]);
  const system = { os, wsl, container, variables, otherAccelerators, toolkits, interpreter };
  const fromKernel = {
    ...('value' in module && { driver: module }),
    ...(knownValue(gpus)?.length && { gpus }),
  };
  return { ...system, ...fromKernel, ...(await readPackages(machine, system)) };
}

type System = Pick<StackFacts, 'interpreter' | 'toolkits'>;

async function readPackages(machine: Machine, { interpreter, toolkits }: System): Promise<Partial<StackFacts>> {
  const python = knownValue(interpreter);
  const folders = python?.sitePackages ?? [];
  const source = folders.join(', ') || 'site-packages';
  const installed = await readFact(machine, source, () => readInstalledPackages(machine, folders));
  const packages: InstalledPackages = knownValue(installed) ?? new Map();
  const found = await readFact(machine, 'wheels, conda, LD_LIBRARY_PATH, toolkits and system folders', () =>
    findCudnns(machine, python, packages, knownValue(toolkits) ?? []),
  );

  const trouble = packagesTrouble(machine, source, interpreter, folders, installed);
  if (trouble !== undefined) {
    const frameworks = {
      torch: trouble,
      torchvision: trouble,
      tensorflow: trouble,
      keras: trouble,
      jax: trouble,
      onnxruntime: trouble,
    };
    return { frameworks, nvidiaWheels: trouble, cudnns: found, torchCudnn: trouble };
  }

  const guarded = <T>(read: (machine: Machine, folders: string[], installed: InstalledPackages) => Promise<Fact<T>>) =>
    read(machine, folders, packages).catch((error: Error) => unknown(machine, source, 'unreadable', error.message));
  const [torch, torchvision, tensorflow, keras, jax, onnxruntime] = await Promise.all([
    guarded(readTorch),
    guarded(readTorchvision),
    guarded(readTensorflow),
    guarded(readKeras),
    guarded(readJax),
    guarded(readOnnxruntime),
  ]);
  return {
    frameworks: { torch, torchvision, tensorflow, keras, jax, onnxruntime },
    nvidiaWheels: known(machine, source, nvidiaWheels(packages)),
    cudnns: found,
    torchCudnn: torchCudnn(machine, torch, found, packages),
  };
}

/** Why nothing can be said of packages, if so. */
function packagesTrouble(
  machine: Machine,
  source: string,
  interpreter: StackFacts['interpreter'],
  folders: string[],
  installed: Fact<InstalledPackages>,
): Unknown | undefined {
  if ('unknown' in interpreter) return unknown(machine, source, 'notApplicable', interpreter.unknown);
  if ('unknown' in installed) return installed;
  if (folders.length > 0) return undefined;
  return unknown(machine, source, 'absent', 'no site-packages folder found for this interpreter');
}

function torchCudnn(
  machine: Machine,
  torchFact: StackFacts['frameworks']['torch'],
  cudnns: StackFacts['cudnns'],
  installed: InstalledPackages,
): StackFacts['torchCudnn'] {
  if ('unknown' in torchFact) return torchFact;
  const torch = knownValue(torchFact);
  if (torch?.target !== 'cuda') return known(machine, torchFact.source, null);
  const library = cudnnOfTorch(torch, knownValue(cudnns) ?? [], installed);
  return library === undefined
    ? unknown(machine, cudnns.source, 'absent', 'no cuDNN found that torch would load')
    : known(machine, library.path, library);
}
