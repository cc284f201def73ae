import type { Action } from '../../commands/action.ts';
import { driverFor } from '../../fit/driver.ts';
import { driverSystem } from '../../fit/target.ts';
import { gpuPackages } from '../../published/gpuPackages.ts';
import {
  cudaOfDriver,
  type DriverSystem,
  driverOfCuda,
  lastDriverBranch,
} from '../../published/releases/cudaDriver.ts';
import { compareVersions, majorOf } from '../../published/versions.ts';
import { type Gpu, isUnknown, knownValue, type RuntimeFramework, type StackFacts } from '../../stack/facts/facts.ts';
import { nameGpus } from '../../stack/facts/gpuName.ts';
import { builtForCuda, type InstalledFramework } from '../../stack/facts/installed.ts';
import { onChip } from '../../stack/facts/usableGpus.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { installFittingTorch } from '../remedies/installTorch.ts';
import { withoutFolder } from '../remedies/libraryPath.ts';
import { installJaxForDriver, installOnnxruntime } from '../remedies/startedByDriver.ts';
import { installFittingTensorflow } from '../remedies/tensorflow.ts';
import { updatingDriver } from '../remedies/updatingDriver.ts';

/** Compares the driver with the minimum for the CUDA family that a build is made for. */
export const driverTooOld: Judge = {
  id: 'driver-too-old',
  judge(facts) {
    const driver = knownValue(facts.driver);
    const system = driverSystem(facts);
    const supported = knownValue(facts.driverCuda);
    const number = driver === undefined ? facts.driverCuda : facts.driver;
    if (isUnknown(number) || system === undefined || onChip(facts) || mayHaveForwardCompatibility(facts)) return [];
    // If a framework sees the GPU, an undetected compatibility package makes it work.
    const built = builtForCuda(facts).filter(({ framework }) => !knownValue(facts.runtime[framework])?.available);
    return [...built.map(asNeed), ...familiesOf(facts)].flatMap(({ framework, name, cuda, title, source }) => {
      const found = cuda === null ? undefined : driverFor(cuda, { driver, system, supports: supported });
      if (found?.fit !== 'fails') return [];
      const { lowest } = found;
      const which = driver ?? `for CUDA ${supported}`;
      return [
        {
          severity: 'error' as const,
          ...(framework && { framework }),
          finding: `The NVIDIA driver ${which} is too old for ${title}, which needs ${lowest} or newer.`,
          why: [
            { fact: `driver ${which}`, source: number.source },
            { fact: `${title} is built for CUDA ${cuda}`, source },
          ],
          remedies: () => [
            ...updatingDriver(facts, lowest),
            ...(framework === 'torch' ? installFittingTorch(facts) : []),
            ...(framework === 'tensorflow' ? installFittingTensorflow(facts) : []),
            ...(framework === 'jax' ? installJaxForDriver(facts) : []),
            ...(framework === 'onnxruntime' ? installOnnxruntime(facts) : []),
            ...(driver === undefined ? [] : inPlaceOf(name, driver, system)),
          ],
        },
      ];
    });
  },
};

interface Need {
  framework?: RuntimeFramework;
  name: string;
  cuda: string | null;
  title: string;
  source: string;
}

function asNeed({ framework, build, title, source }: InstalledFramework): Need {
  return { framework, name: build.name, cuda: build.cuda, title, source };
}

/** Packages whose names contain a CUDA family. */
function familiesOf(facts: StackFacts): Need[] {
  return gpuPackages().families.flatMap(({ name, cuda }) => {
    const found = knownValue(facts.packages)?.find((each) => each.name === name);
    return found ? [{ name, cuda, title: `${name} ${found.version}`, source: found.folder }] : [];
  });
}

/** Replaces a package by the one for an older CUDA that the driver supports: "tensorrt-cu13" by "tensorrt-cu12". */
function inPlaceOf(name: string, driver: string, system: DriverSystem): Action[] {
  const { families } = gpuPackages();
  const kind = name.replace(/\d+/, '');
  const older = families.findLast(
    ({ name: each, cuda }) =>
      each !== name && each.replace(/\d+/, '') === kind && driverFor(cuda, { driver, system }).fit === 'holds',
  );
  if (older === undefined || !families.some((each) => each.name === name)) return [];
  return [
    { do: 'uninstall', packages: [name] },
    {
      do: 'install',
      title: `Install ${older.name}, which this driver supports,`,
      requirements: [older.name],
      continues: true,
    },
  ];
}

/**
 * NVIDIA's cuda-compat package lets data-center GPUs run a newer CUDA on an older driver; container images include it.
 * It does not work on GeForce.
 */
function mayHaveForwardCompatibility(facts: StackFacts): boolean {
  const { variables, container, gpus, driverLibraries } = facts;
  if (/compat/.test(knownValue(variables)?.LD_LIBRARY_PATH ?? '')) return true;
  const [first] = knownValue(driverLibraries) ?? [];
  // A compatibility package on the host, which the loader is configured to use.
  if (isCompat(first?.path ?? '')) return true;
  if (first !== undefined && first.version === moduleVersion(facts)) return false;
  return Boolean(knownValue(container)) && !knownValue(gpus)?.some(({ name }) => /GeForce/i.test(name));
}

/** The version of the kernel module, which nvidia-smi also reports. */
function moduleVersion({ kernelModule, driver }: StackFacts): string | undefined {
  return knownValue(kernelModule)?.version ?? knownValue(driver);
}

/** Libraries in a container's image precede the driver's own and do not work here. */
export const forwardCompatibilityOnGeforce: Judge = {
  id: 'forward-compatibility-on-geforce',
  judge(facts) {
    const gpus = knownValue(facts.gpus) ?? [];
    const driver = moduleVersion(facts);
    const [first] = knownValue(facts.driverLibraries) ?? [];
    if (isUnknown(facts.driverLibraries)) return shownByTool(facts);
    if (first === undefined || driver === undefined || gpus.length === 0) return [];
    // The container runtime mounts an image's compatibility libraries beside the driver's own, in the system's folder.
    const isMounted = !isCompat(first.path) && Boolean(knownValue(facts.container)) && !knownValue(facts.wsl);
    if (!(isCompat(first.path) || isMounted) || !first.version.includes('.')) return [];
    const trouble = compatTrouble(gpus, driver, first.version);
    if (trouble === undefined) return [];
    const isNewer = compareVersions(first.version, driver) > 0;
    const which = isMounted && !isNewer ? 'libraries of another driver,' : 'the compatibility libraries';
    const source = knownValue(facts.kernelModule) ? facts.kernelModule.source : facts.driver.source;
    return [
      {
        severity: 'error',
        finding: `CUDA uses ${which} ${first.version}, which ${trouble}.`,
        why: [
          { fact: `libcuda ${first.version} comes first`, source: first.path },
          { fact: `${nameGpus(gpus)} with driver ${driver}`, source },
        ],
        remedies: () => [
          ...(isMounted ? [withoutMounted(isNewer)] : withoutFolder(facts, first.origin, folderOf(first.path))),
          USING_OTHER_IMAGE,
          ...(isNewer ? updatingDriver(facts, first.version) : []),
        ],
      },
    ];
  },
};

/**
 * nvidia-smi shows the CUDA version of the libcuda that it finds. A version that its driver branch does not support
 * comes from compatibility libraries.
 */
function shownByTool(facts: StackFacts): Judgement[] {
  const gpus = knownValue(facts.gpus) ?? [];
  const driver = knownValue(facts.driver);
  const cuda = knownValue(facts.driverCuda);
  if (driver === undefined || cuda === undefined || facts.driver.source !== facts.driverCuda.source) return [];
  const own = driverSystem(facts) === 'linux' ? cudaOfDriver(`${majorOf(driver)}.999`, 'linux') : undefined;
  // Drivers before CUDA 11 showed a version that was not yet released.
  if (own === undefined || compareVersions(own, '11') < 0 || compareVersions(cuda, own) <= 0) return [];
  if (gpus.length === 0 || !gpus.every(({ name }) => /GeForce/i.test(name))) return [];
  const lowest = driverOfCuda(cuda, 'linux');
  return [
    {
      severity: 'error',
      finding: `nvidia-smi shows CUDA ${cuda}, but driver ${driver} supports up to ${own}: CUDA starts through an image's compatibility libraries, which do not work on GeForce GPUs (error 804).`,
      why: [{ fact: `driver ${driver}, CUDA ${cuda}`, source: facts.driver.source }],
      remedies: () => [
        ...(lowest === undefined ? [] : updatingDriver(facts, lowest)),
        USING_OTHER_IMAGE,
        withoutMounted(true),
      ],
    },
  ];
}

const USING_OTHER_IMAGE: Action = {
  do: 'advise',
  title: 'Use an image with a CUDA version that the driver supports by itself',
};

/** Newer ones are mounted from the image's `compat` folder; older ones were installed into the image. */
function withoutMounted(isNewer: boolean): Action {
  return isNewer
    ? {
        do: 'run',
        title: "Remove the image's compatibility libraries in its Dockerfile, and recreate the container",
        command: 'rm -rf /usr/local/cuda*/compat && ldconfig',
      }
    : {
        do: 'run',
        title: "Remove the driver that was installed into the image; the container's runtime provides the host's",
        command: "apt-get purge -y 'nvidia-*' 'libnvidia-*' && ldconfig",
      };
}

function folderOf(path: string): string {
  return path.replace(/\/[^/]*$/, '');
}

function isCompat(path: string): boolean {
  return /[\\/]compat[\\/]/.test(path);
}

/** The reason why they do not work, if any: NVIDIA supports them on data-center GPUs, with a minimum driver version. */
function compatTrouble(gpus: Gpu[], driver: string, compat: string): string | undefined {
  if (compareVersions(compat, driver) < 0) {
    return `are older than the kernel's driver ${driver} (error 803, "unsupported display driver / cuda driver combination")`;
  }
  if (compareVersions(compat, driver) === 0) return undefined;
  const dropped = gpus.every(({ computeCapability }) => {
    const last = computeCapability === null ? undefined : lastDriverBranch(computeCapability);
    return last !== undefined && Number(majorOf(compat)) > last;
  });
  if (dropped) return `no longer support the ${nameGpus(gpus)} ("no CUDA-capable device is detected")`;
  return gpus.every(({ name }) => /GeForce/i.test(name)) ? `reject the ${nameGpus(gpus)} (error 804)` : undefined;
}
