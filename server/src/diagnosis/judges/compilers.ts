import type { Action } from '../../commands/action.ts';
import { onWindows, quotePath } from '../../commands/shells.ts';
import { driverSystem } from '../../fit/target.ts';
import { codeFits } from '../../published/codeFits.ts';
import {
  compiledBy,
  compilersFor,
  cudaOfDriver,
  driverOfCuda,
  firstCudaOfChannel,
} from '../../published/releases/cudaDriver.ts';
import { jaxHas } from '../../published/releases/jaxReleases.ts';
import { tensorflowHas } from '../../published/releases/tensorflowReleases.ts';
import { compareVersions, majorOf, minorOf } from '../../published/versions.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { nameGpus } from '../../stack/facts/gpuName.ts';
import { builtForCuda } from '../../stack/facts/installed.ts';
import { onChip, visibleGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge } from '../diagnosis.ts';
import { updatingDriver } from '../remedies/updatingDriver.ts';

/** The toolkit that compiles extensions generates no code for the GPU. */
export const toolkitOlderThanGpu: Judge = {
  id: 'toolkit-older-than-gpu',
  judge(facts) {
    const [toolkit] = knownValue(facts.toolkits) ?? [];
    const torch = knownValue(facts.frameworks.torch);
    const known = toolkit?.version ? compiledBy(toolkit.version) : undefined;
    if (!toolkit?.version || !torch?.cuda || known === undefined || onChip(facts)) return [];
    const beyond = visibleGpus(facts).filter(
      ({ computeCapability }) =>
        computeCapability !== null &&
        compareVersions(computeCapability, known.lowest) >= 0 &&
        !known.capabilities.includes(computeCapability),
    );
    const capability = beyond[0]?.computeCapability;
    if (!capability) return [];
    // Code for one GPU runs on later ones of the same generation, except for code for systems on a chip.
    const relative = known.capabilities.findLast(
      (each) =>
        majorOf(each) === majorOf(capability) && codeFits([`sm_${each.replace('.', '')}`], capability) === 'native',
    );
    const isNewer = compareVersions(capability, known.highest) > 0;
    const reach = isNewer ? `compiles for compute capabilities up to ${known.highest}, but not` : 'cannot compile';
    const remedies: Action[] = [
      knowingToolkit(facts, torch.cuda, capability),
      ...(relative === undefined
        ? []
        : [
            {
              do: 'set' as const,
              title: 'Compile for the newest GPU that it supports; that code also runs on this one',
              variable: 'TORCH_CUDA_ARCH_LIST',
              value: relative,
            },
          ]),
    ];
    return [
      {
        severity: 'information',
        finding: `The CUDA toolkit ${toolkit.version} ${reach} for the ${nameGpus(beyond)} (${capability}): compiling extensions here fails ("Unsupported gpu architecture").`,
        why: [
          { fact: `CUDA toolkit ${toolkit.version} (${toolkit.namedBy})`, source: toolkit.root },
          { fact: `compute capability ${capability} of the ${nameGpus(beyond)}`, source: facts.gpus.source },
        ],
        remedies: () => remedies,
      },
    ];
  },
};

/**
 * Installs torch's own CUDA version if its compiler supports the GPU, otherwise the first that does; the major version
 * must be torch's.
 */
function knowingToolkit(facts: StackFacts, cuda: string, capability: string): Action {
  const release = minorOf(cuda);
  const since = compilersFor(capability)?.since;
  if (since === undefined || (compiledBy(release)?.capabilities.includes(capability) ?? true)) {
    return selectingToolkit(
      facts,
      release,
      `Only if you compile extensions: install the CUDA toolkit ${cuda}, which torch is built for, and set CUDA_HOME`,
    );
  }
  if (majorOf(since) !== majorOf(release)) {
    return {
      do: 'advise',
      title: `Only if you compile extensions: install a torch for CUDA ${since} or newer, the first that supports this GPU, and its toolkit`,
    };
  }
  return selectingToolkit(
    facts,
    since,
    `Only if you compile extensions: install the CUDA toolkit ${since}, the first that supports this GPU, and set CUDA_HOME`,
  );
}

/** Sets CUDA_HOME to the folder where NVIDIA's installer puts a toolkit, such as "12.4". */
export function selectingToolkit(facts: StackFacts, release: string, title: string): Action {
  return {
    do: 'set',
    title,
    variable: 'CUDA_HOME',
    value: onWindows(facts)
      ? `C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v${release}`
      : `/usr/local/cuda-${release}`,
  };
}

/**
 * Compilers at run time pass PTX to the driver, which CUDA's minor version compatibility does not cover. XLA has
 * avoided that since the end of 2022.
 */
export const ptxNewerThanDriver: Judge = {
  id: 'ptx-newer-than-driver',
  judge(facts) {
    const driver = knownValue(facts.driver);
    const system = driverSystem(facts);
    if (driver === undefined || system === undefined || onChip(facts) || !visibleGpus(facts).length) return [];
    const supported = knownValue(facts.driverCuda) ?? cudaOfDriver(driver, system);
    if (supported === undefined) return [];
    const compiler = compilerOf(facts);
    const user = builtForCuda(facts).find(
      ({ framework, build: { version } }) =>
        (framework === 'jax' && !jaxHas('ptx_for_driver', version)) ||
        (framework === 'tensorflow' && !tensorflowHas('ptx_for_driver', version)),
    );
    if (compiler === undefined || user === undefined) return [];
    const isCovered = compareVersions(minorOf(compiler.version), supported) <= 0;
    // A driver of an older family is reported first.
    if (isCovered || majorOf(compiler.version) !== majorOf(supported)) return [];
    const wanted = driverOfCuda(minorOf(compiler.version), system);
    return [
      {
        severity: 'information',
        finding: `Driver ${driver} supports CUDA up to ${supported}, but ${user.title} compiles with CUDA ${minorOf(compiler.version)}: PTX that it links or passes to the driver can fail ("unsupported toolchain").`,
        why: [
          { fact: `CUDA ${compiler.version} compiles`, source: compiler.source },
          { fact: `driver ${driver} supports CUDA ${supported}`, source: facts.driver.source },
        ],
        remedies: () => [
          ...(wanted === undefined ? [] : updatingDriver(facts, wanted)),
          { do: 'advise', title: `Install CUDA ${supported} instead, which the driver supports` },
          {
            do: 'set',
            title: 'Keep XLA from linking in parallel',
            variable: 'XLA_FLAGS',
            value: '--xla_gpu_force_compilation_parallelism=1',
          },
        ],
      },
    ];
  },
};

/** The ptxas that XLA uses: from NVIDIA's wheel, otherwise from a toolkit. */
function compilerOf({ nvidiaWheels, toolkits }: StackFacts): { version: string; source: string } | undefined {
  const wheel = knownValue(nvidiaWheels)?.find(({ name }) => /^nvidia-cuda-nvcc(-cu\d+)?$/.test(name));
  if (wheel !== undefined) return { version: wheel.version, source: wheel.folder };
  const toolkit = knownValue(toolkits)?.find(({ version }) => version !== null);
  return toolkit?.version ? { version: toolkit.version, source: toolkit.root } : undefined;
}

/**
 * Since 2.11, Keras compiles its optimizers with XLA, which needs libdevice and ptxas from a toolkit. Conda's
 * cudatoolkit has libdevice in a folder that XLA does not search, and no ptxas.
 */
export const xlaWithoutLibdevice: Judge = {
  id: 'xla-without-libdevice',
  judge(facts) {
    const tensorflow = knownValue(facts.frameworks.tensorflow);
    const libraries = knownValue(facts.condaPackages)?.find(({ name }) => name === 'cudatoolkit');
    const interpreter = knownValue(facts.interpreter);
    if (
      tensorflow?.target !== 'cuda' ||
      !tensorflowHas('optimizers_by_xla', tensorflow.version) ||
      libraries === undefined
    )
      return [];
    // A text does not show what else is installed.
    if (tensorflow.installer === 'conda' || knownValue(facts.toolkits)?.length !== 0) return [];
    if (interpreter === undefined) return [];
    if (knownValue(facts.nvidiaWheels)?.some(({ name }) => name.startsWith('nvidia-cuda-nvcc'))) return [];
    if (/xla_gpu_cuda_data_dir/.test(knownValue(facts.variables)?.XLA_FLAGS ?? '')) return [];
    const prefix = quotePath(interpreter.prefix, 'posix');
    return [
      {
        severity: 'warning',
        finding: `TensorFlow ${tensorflow.version} compiles with XLA, but conda's cudatoolkit has no ptxas, and has libdevice in a folder that XLA does not search ("libdevice not found").`,
        why: [
          { fact: `cudatoolkit ${libraries.version} without a compiler`, source: facts.condaPackages.source },
          { fact: `TensorFlow ${tensorflow.version}`, source: facts.frameworks.tensorflow.source },
        ],
        remedies: () => [
          {
            do: 'condaInstall',
            title: 'Install the compiler',
            specs: [`cuda-nvcc=${nvccFor(libraries.version)}.*`],
            channels: ['nvidia'],
          },
          {
            do: 'run',
            title: 'Copy libdevice to a folder that XLA searches',
            command: `mkdir -p ${prefix}/lib/nvvm/libdevice && cp ${prefix}/lib/libdevice.10.bc ${prefix}/lib/nvvm/libdevice/`,
            continues: true,
          },
          {
            do: 'set',
            title: 'Set that folder for XLA whenever the environment is activated',
            variable: 'XLA_FLAGS',
            value: `--xla_gpu_cuda_data_dir=${interpreter.prefix}/lib`,
            inCondaEnvironment: true,
            continues: true,
          },
        ],
      },
    ];
  },
};

/** An older toolkit works with the channel's oldest compiler. */
function nvccFor(cudatoolkit: string): string {
  const version = minorOf(cudatoolkit);
  const oldest = firstCudaOfChannel();
  return compareVersions(version, oldest) < 0 ? oldest : version;
}
