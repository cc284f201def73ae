import { type Pending, type RuntimeFramework, STACK_FACTS_VERSION, type StackFacts } from './facts.ts';

/** The frameworks with facts about their runtimes, in the order in which they are shown. */
export const RUNTIME_FRAMEWORKS: readonly RuntimeFramework[] = ['torch', 'tensorflow', 'jax', 'onnxruntime'];

/** The same for each framework that has a GPU runtime. */
export function forEachRuntime<T>(value: (framework: RuntimeFramework) => T): Record<RuntimeFramework, T> {
  return Object.fromEntries(RUNTIME_FRAMEWORKS.map((name) => [name, value(name)])) as Record<RuntimeFramework, T>;
}

/** The same for each framework. */
export function forEachFramework<T>(value: T): Record<keyof StackFacts['frameworks'], T> {
  return {
    torch: value,
    torchvision: value,
    torchaudio: value,
    tensorflow: value,
    keras: value,
    tfKeras: value,
    jax: value,
    onnxruntime: value,
  };
}

/** The facts before anything was read. */
export function nothingYet(): StackFacts {
  const files: Pending = { pending: true, source: 'files and environment' };
  const smi: Pending = { pending: true, source: 'nvidia-smi' };
  return {
    version: STACK_FACTS_VERSION,
    os: files,
    memory: files,
    wsl: files,
    container: files,
    board: files,
    variables: files,
    gpus: smi,
    driver: smi,
    driverCuda: smi,
    otherAccelerators: files,
    pciGpus: files,
    kernelModule: files,
    driverLibraries: files,
    deviceFiles: files,
    containerToolkit: files,
    cgroup2: files,
    fabric: files,
    toolkits: files,
    interpreter: files,
    programs: files,
    projectTool: files,
    frameworks: forEachFramework(files),
    nvidiaWheels: files,
    packages: files,
    distributions: files,
    condaPackages: files,
    libraryPath: files,
    cudaRuntimes: files,
    brokenLinks: files,
    cudnns: files,
    loadedCudnn: forEachRuntime(() => files),
    runtime: forEachRuntime(() => files),
  };
}
