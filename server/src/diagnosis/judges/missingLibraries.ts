import type { Action } from '../../commands/action.ts';
import { onWindows } from '../../commands/shells.ts';
import { compiledBy } from '../../published/releases/cudaDriver.ts';
import { pinTo } from '../../published/releases/publishedWheels.ts';
import {
  firstTensorflowFindingWheels,
  releaseBringsCuda,
  tensorflowReleaseOf,
  tensorflowStillHas,
} from '../../published/releases/tensorflowReleases.ts';
import { compareVersions, majorOf } from '../../published/versions.ts';
import { builtCudnnOf } from '../../stack/builds/gpuCode.ts';
import {
  type Fact,
  knownValue,
  type NvidiaLibrary,
  type RuntimeFramework,
  type StackFacts,
} from '../../stack/facts/facts.ts';
import { listOf } from '../../stack/facts/gpuName.ts';
import {
  builtForCuda,
  type InstalledFramework,
  installedFrameworks,
  pythonMinor,
} from '../../stack/facts/installed.ts';
import { usableGpus, visibleGpus } from '../../stack/facts/usableGpus.ts';
import { findsWheels } from '../../stack/readers/cudnn.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { installOnnxruntime } from '../remedies/startedByDriver.ts';
import { bringLibraries, installFittingTensorflow, leadingToConda } from '../remedies/tensorflow.ts';
import { hasNoGpuFacts } from './builds.ts';
import { remediesFor } from './gpuCode.ts';

/** TensorFlow and ONNX Runtime wheels do not contain CUDA's libraries: only TensorFlow's extra installs them. */
export const tensorflowWithoutCuda: Judge = {
  id: 'tensorflow-without-cuda',
  judge: (facts) => [...withoutLibraries(facts, 'tensorflow'), ...besideNamedCuda(facts)],
};

/** For a machine described by a text: the CUDA version in the text is not the one that TensorFlow loads. */
function besideNamedCuda(facts: StackFacts): Judgement[] {
  const { tensorflow: fact } = facts.frameworks;
  const tensorflow = knownValue(fact);
  const named = knownValue(facts.toolkits)?.find(({ namedBy }) => namedBy === 'the text');
  const release = tensorflow && tensorflowReleaseOf(tensorflow.version);
  if (!tensorflow || !release || !named?.version || knownValue(facts.cudaRuntimes) || !usableGpus(facts)?.length)
    return [];
  if (/-cpu$/.test(tensorflow.name) || tensorflow.installer === 'conda' || (onWindows(facts) && !release.windows))
    return [];
  if (knownValue(facts.runtime.tensorflow)?.devices.length) return [];
  const wanted = sonameVersion(release.cuda);
  if (haveItsNames(release.cuda, named.version)) return [];
  const title = `${tensorflow.name} ${tensorflow.version}`;
  const installed: InstalledFramework = { framework: 'tensorflow', build: tensorflow, title, source: fact.source };
  const { highest } = compiledBy(release.cuda) ?? {};
  const newer = visibleGpus(facts).find(
    ({ computeCapability }) =>
      computeCapability && Number(majorOf(computeCapability)) > Number(majorOf(highest ?? 'x')),
  );
  if (newer && compareVersions(release.cuda, '11') < 0)
    return [
      {
        severity: 'error',
        finding: `${title} is built for CUDA ${release.cuda}, which is older than the ${newer.name} and has no code for it; it does not load the CUDA ${named.version} in the text.`,
        why: [
          { fact: `${title} is built for CUDA ${release.cuda}`, source: fact.source },
          { fact: `${newer.name} has compute capability ${newer.computeCapability}`, source: facts.gpus.source },
        ],
        remedies: () => remediesFor(facts, { ...installed, build: { ...tensorflow, cuda: release.cuda } }, 'newer'),
      },
    ];
  return [
    {
      // Its extra may also have installed the right version.
      severity: release.andCuda ? 'information' : 'warning',
      finding: `${title} loads CUDA ${wanted}, but the text mentions CUDA ${named.version}, whose libraries have different names.`,
      why: [
        { fact: `${title} is built for CUDA ${release.cuda} and cuDNN ${release.cudnn}`, source: fact.source },
        { fact: `CUDA ${named.version}`, source: named.root },
      ],
      remedies: () => bringing(facts, installed),
    },
  ];
}

export const onnxruntimeWithoutCuda: Judge = {
  id: 'onnxruntime-without-cuda',
  judge: (facts) => withoutLibraries(facts, 'onnxruntime'),
};

function withoutLibraries(facts: StackFacts, framework: 'tensorflow' | 'onnxruntime'): Judgement[] {
  const installed = builtForCuda(facts).find((each) => each.framework === framework);
  if (!installed?.build.cuda || !usableGpus(facts)?.length) return [];
  // On Windows each program has its own search path, so the only evidence is that all CUDA versions are of another
  // major version.
  if (onWindows(facts) && !isOnlyOther(facts, installed)) return [];
  if (knownValue(facts.variables) === undefined || carriesItsPaths(facts, installed)) return [];
  if (knownValue(facts.runtime[framework])?.devices.length) return [];
  const missing = missingLibraries(facts, installed);
  if (missing.length === 0) return [];
  const names = missing.map(({ name }) => name);
  const elsewhere = missing.flatMap(({ unreached }) => unreached ?? []);
  const isReachable = elsewhere.length === missing.length;
  return [
    {
      // A program may make ONNX Runtime search there before its first session.
      severity: isReachable && framework === 'onnxruntime' ? 'information' : 'warning',
      finding: isReachable
        ? `${installed.title} needs ${listOf(names)}, which ${are(missing)} installed in folders that it does not search${framework === 'onnxruntime' ? ' by itself' : ', so it runs on the CPU'}.`
        : `${installed.title} needs ${listOf(names)}, which ${are(missing)} missing, so it runs on the CPU.`,
      why: [
        { fact: `${installed.title} is built for CUDA ${installed.build.cuda}`, source: installed.source },
        ...(isReachable ? [] : [{ fact: `no library of ${listOf(names)}`, source: facts.cudaRuntimes.source }]),
        ...elsewhere.map(({ version, path }) => ({
          fact: `${version} is in a folder that the loader does not search`,
          source: path,
        })),
        ...others(facts, installed),
      ],
      remedies: () => (isReachable ? leadingTo(framework, elsewhere) : bringing(facts, installed)),
    },
  ];
}

function isOnlyOther(facts: StackFacts, { build }: InstalledFramework): boolean {
  const runtimes = knownValue(facts.cudaRuntimes) ?? [];
  const wanted = build.cuda ?? '';
  const torch = knownValue(facts.frameworks.torch)?.cuda;
  const isOfTorch = torch ? haveItsNames(wanted, torch) : false;
  return !isOfTorch && runtimes.length > 0 && !runtimes.some(({ version }) => haveItsNames(wanted, version));
}

function are(missing: unknown[]): string {
  return missing.length > 1 ? 'are' : 'is';
}

/** Other CUDA versions, whose libraries have different names. */
function others(facts: StackFacts, { build }: InstalledFramework): Judgement['why'] {
  const other = knownValue(facts.cudaRuntimes)?.find(({ version }) => !haveItsNames(build.cuda ?? '', version));
  return other
    ? [{ fact: `CUDA ${other.version} is installed, whose libraries have different names`, source: other.path }]
    : [];
}

/** Makes the loader search folders that it does not search by default. */
function leadingTo(framework: RuntimeFramework, libraries: NvidiaLibrary[]): Action[] {
  if (framework === 'onnxruntime') {
    return [
      {
        do: 'advise',
        title: 'Call onnxruntime.preload_dlls() before the first session (since 1.21), or import torch first',
      },
    ];
  }
  const inWheels = libraries.every(({ origin }) => origin === 'wheel');
  if (inWheels) return leadingToWheels(libraries);
  const folders = [...new Set(libraries.map(folderOf))];
  return libraries.some(({ origin }) => origin === 'conda')
    ? [leadingToConda(folders.join(':'))]
    : [{ do: 'addLibraryFolders', folders }];
}

function folderOf({ path }: NvidiaLibrary): string {
  return path.replace(/\/[^/]*$/, '');
}

/** Makes the loader search NVIDIA's wheels: each has its own folder, and a framework needs most of them. */
function leadingToWheels(libraries: NvidiaLibrary[]): Action[] {
  const folder = libraries[0]?.path.replace(/\/nvidia\/.*$/, '/nvidia') ?? '';
  const finding = firstTensorflowFindingWheels();
  return [
    { do: 'addLibraryFolders', folders: [folder], ofEachSubfolder: true },
    {
      do: 'install',
      title: `Install TensorFlow ${finding}, which finds them,`,
      requirements: [`tensorflow[and-cuda]==${finding}.*`],
    },
  ];
}

function bringing(facts: StackFacts, { framework, build }: InstalledFramework): Action[] {
  if (framework === 'onnxruntime') return installOnnxruntime(facts);
  const release = tensorflowReleaseOf(build.version);
  if (release === undefined) return bringingOldest(build);
  if (!release.andCuda) return bringLibraries(facts, release);
  const python = pythonMinor(facts);
  if (!releaseBringsCuda(release, python)) return installFittingTensorflow(facts);
  return [
    {
      do: 'install',
      title: "Install TensorFlow with CUDA's libraries",
      requirements: [`tensorflow[and-cuda]==${build.version}`],
    },
  ];
}

/** For releases older than the table; conda's channels no longer have a matching CUDA. */
function bringingOldest({ version, cuda, cudnn }: InstalledFramework['build']): Action[] {
  if (!cuda || !tensorflowStillHas('before_table', version)) return [];
  return [
    {
      do: 'advise',
      title: `Install CUDA ${cuda} (https://developer.nvidia.com/cuda-toolkit-archive)${cudnn ? ` and cuDNN ${cudnn} (https://developer.nvidia.com/rdp/cudnn-archive)` : ''}, or a TensorFlow for the installed CUDA (https://www.tensorflow.org/install/source#gpu)`,
    },
  ];
}

/** Builds from Nix and Guix, and cluster modules, know the paths of their libraries. */
function carriesItsPaths({ variables }: StackFacts, { build: { folder } }: InstalledFramework): boolean {
  const modules = knownValue(variables)?.PYTHONPATH?.split(':') ?? [];
  return /^\/(nix|gnu)\/store\//.test(folder) || modules.includes(folder);
}

interface MissingLibrary {
  name: string;
  /** A suitable library in a folder that the loader does not search. */
  unreached: NvidiaLibrary | undefined;
}

function missingLibraries(facts: StackFacts, { framework, build }: InstalledFramework): MissingLibrary[] {
  const { cuda } = build;
  const cudnn = builtCudnnOf(facts, framework)?.value ?? build.cudnn;
  if (!cuda) return [];
  // People create a link with that name to a newer CUDA 11's cuSOLVER for TensorFlow 2.4.
  const isLinked =
    isEleven(cuda) && knownValue(facts.libraryPath)?.some((each) => each.libraries.includes('libcusolver.so.10'));
  // Distributions configure the linker for a toolkit in ways that GPU Doctor does not read.
  const toolkit = knownValue(facts.toolkits)?.some(
    ({ version, namedBy }) => namedBy !== 'conda' && haveItsNames(cuda, version ?? ''),
  );
  const missing = (
    found: Fact<NvidiaLibrary[]>,
    name: string,
    fits: (version: string) => boolean,
  ): MissingLibrary[] => {
    const libraries = knownValue(found);
    const fitting = libraries?.filter(({ version }) => fits(version));
    if (fitting === undefined || fitting.some((each) => isSearched(facts, framework, build, each))) return [];
    return [{ name, unreached: fitting[0] }];
  };
  const major = majorOf(cudnn ?? '');
  return [
    ...(toolkit || isLinked
      ? []
      : missing(facts.cudaRuntimes, `CUDA ${sonameVersion(cuda)}`, (version) => haveItsNames(cuda, version))),
    ...(cudnn === null ? [] : missing(facts.cudnns, `cuDNN ${major}`, (version) => majorOf(version) === major)),
  ];
}

/** True if the framework's loader searches the library's folder. */
function isSearched(
  facts: StackFacts,
  framework: RuntimeFramework,
  { installer, version }: InstalledFramework['build'],
  { origin, path }: NvidiaLibrary,
): boolean {
  if (isOnLibraryPath(facts, path)) return true;
  if (origin === 'torch') return framework === 'onnxruntime';
  // If torch is imported first, ONNX Runtime finds the libraries that torch loaded.
  if (framework === 'onnxruntime') return origin !== 'wheel' || Boolean(knownValue(facts.frameworks.torch)?.cuda);
  if (origin === 'wheel') return findsWheels(version);
  return origin !== 'conda' || installer === 'conda';
}

/** A folder may belong to conda and also be on the library path. */
function isOnLibraryPath({ variables }: StackFacts, path: string): boolean {
  const folder = path.replace(/\/[^/]*$/, '');
  const entries = knownValue(variables)?.LD_LIBRARY_PATH?.split(':') ?? [];
  return entries.some((entry) => entry.replace(/\/+$/, '') === folder);
}

/** The part of the CUDA version that library names contain: before 11, it includes the minor version. */
function sonameVersion(version: string): string {
  const [major = '', minor = ''] = version.split('.');
  return Number(major) < 11 || isEleven(version) ? `${major}.${minor}` : major;
}

/**
 * True if the libraries of a CUDA version have the names that a build for another one loads. CUDA 11.0 is an exception:
 * its cuSOLVER has the number 10. Source: https://docs.nvidia.com/cuda/archive/11.1.0/cuda-toolkit-release-notes/
 */
function haveItsNames(built: string, version: string): boolean {
  return isEleven(built) || !isEleven(version)
    ? sonameVersion(version) === sonameVersion(built)
    : majorOf(version) === majorOf(built);
}

function isEleven(version: string): boolean {
  return /^11\.0(?!\d)/.test(version);
}

/** The packages of ONNX Runtime share one folder, so the one installed last is the one that runs. */
export const onnxruntimeOverwritten: Judge = {
  id: 'onnxruntime-overwritten',
  judge(facts) {
    const runtime = installedFrameworks(facts).find(({ framework }) => framework === 'onnxruntime');
    if (runtime === undefined) return [];
    const { build, title, source } = runtime;
    const isEither = build.target === null && build.name === 'onnxruntime-gpu' && build.alsoInstalled.length > 0;
    const gpu = isEither
      ? `onnxruntime-gpu ${build.version}`
      : build.alsoInstalled.find((each) => each.startsWith('onnxruntime-gpu'));
    if (gpu === undefined || (build.target !== 'cpu' && !isEither)) return [];
    // Without a GPU, both behave the same.
    if (!usableGpus(facts)?.length && !hasNoGpuFacts(facts)) return [];
    return [
      {
        severity: isEither ? 'information' : 'warning',
        finding: isEither
          ? `${gpu} and ${build.alsoInstalled[0]} are both installed and share files: if CUDAExecutionProvider is missing, the package for the CPU was installed last.`
          : `${title} for the CPU was installed over ${gpu}, so ONNX Runtime does not use the GPU.`,
        why: [
          { fact: isEither ? `${gpu} is listed` : `the files are those of ${title}`, source },
          {
            fact: `${isEither ? build.alsoInstalled[0] : gpu} is also ${isEither ? 'listed' : 'recorded'}`,
            source: build.folder,
          },
        ],
        remedies: () => [
          { do: 'uninstall', title: 'Remove the package for the CPU', packages: ['onnxruntime'] },
          {
            do: 'install',
            title: 'Then reinstall the one for GPUs',
            requirements: [pinTo('onnxruntime-gpu', gpu.split(' ')[1] ?? '')],
            reinstalls: true,
            continues: true,
          },
        ],
      },
    ];
  },
};
