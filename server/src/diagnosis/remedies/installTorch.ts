import type { Action } from '../../commands/action.ts';
import type { PackageIndex } from '../../commands/projectTools.ts';
import { onWindows } from '../../commands/shells.ts';
import { inCondaEnvironment } from '../../commands/writeAction.ts';
import { driverSystem } from '../../fit/target.ts';
import { codeFits } from '../../published/codeFits.ts';
import { driverOfCuda, lowestDriver } from '../../published/releases/cudaDriver.ts';
import { codeOfRocm, relativeOf } from '../../published/releases/rocmReleases.ts';
import { companionOf } from '../../published/releases/torchCompanions.ts';
import { buildsOnCondaForge } from '../../published/releases/torchCondaBuilds.ts';
import { cudaOfTag, torchHas, torchReleaseOf, torchStillHas } from '../../published/releases/torchReleases.ts';
import { firstTorchForXpu } from '../../published/releases/xpuReleases.ts';
import { compareVersions, majorOf, minorOf } from '../../published/versions.ts';
import { isUnknown, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { onChip, visibleGpus } from '../../stack/facts/usableGpus.ts';
import { hidesTheEnvironments, unhiding } from './libraryPath.ts';
import { pinsOnTorch, releasesForCuda } from './pins.ts';
import { fittingTorch, fittingTorchOf, installedCompanions, type TorchFamily } from './torchFamily.ts';
import { updatingDriver } from './updatingDriver.ts';

/** PyTorch's index for a build, such as "cu124". */
export function torchIndex(tag: string): PackageIndex {
  return { name: `pytorch-${tag}`, url: `https://download.pytorch.org/whl/${tag}` };
}

/** Installs the torch that fits this machine, with its companions; empty if no wheel is known to fit. */
export function installFittingTorch(facts: StackFacts): Action[] {
  if (onChip(facts)) {
    return [
      {
        do: 'advise',
        title:
          "Install NVIDIA's own build for this board's JetPack (https://docs.nvidia.com/deeplearning/frameworks/install-pytorch-jetson-platform/)",
      },
    ];
  }
  // Another torch in the environment would have no effect while it is hidden.
  const installed = knownValue(facts.frameworks.torch);
  if (installed && hidesTheEnvironments(facts, installed)) return unhiding(facts, installed);
  const family = fittingTorch(facts);
  if (family === undefined) return [];
  const ofOtherCuda = takingOtherReleases(facts, family);
  return ofOtherCuda.length > 0 ? ofOtherCuda : [...installFamily(facts, family), ...rebuilding(family)];
}

/**
 * A package that is compiled for a CUDA version that does not run here may have older releases for one that does; they
 * require the matching torch.
 */
function takingOtherReleases(facts: StackFacts, { breaks, tag }: TorchFamily): Action[] {
  const runs = majorOf(cudaOfTag(tag));
  return pinsOnTorch(facts).flatMap(({ name, cuda }): Action[] => {
    const releases = cuda === undefined || cuda === runs ? undefined : releasesForCuda(name, runs);
    if (releases === undefined || !breaks.includes(name)) return [];
    const title = `Install ${name} ${releases}, whose wheels are for CUDA ${runs},`;
    return [{ do: 'install', title, requirements: [`${name}${releases}`] }];
  });
}

/** Installs a release that matches a specifier; empty if none of them fits this machine. */
export function installTorchOf(facts: StackFacts, specifier: string): Action[] {
  const family = onChip(facts) ? undefined : fittingTorchOf(facts, specifier);
  return family === undefined ? [] : installFamily(facts, family);
}

function installFamily(facts: StackFacts, family: TorchFamily, condition = ''): Action[] {
  const { torch, tag } = family;
  const title = `Install torch ${torch} for CUDA ${cudaOfTag(tag)}${condition}`;
  if (isOfConda(facts)) return installWithConda(facts, title, family);
  const companions = family.companions.flatMap((name) => companionOf(torch, name) ?? []);
  const install = { do: 'install', title, reinstalls: true } as const;
  if (torchHas('index', torch))
    return [{ ...install, requirements: [`torch==${torch}`, ...companions], index: torchIndex(tag) }];
  // Before there was an index, one page listed all builds; up to 1.8, PyPI's build for Linux has no tag.
  const isPlain = torchReleaseOf(torch)?.pypi === tag && !torchHas('local_tags', torch);
  const requirements = [`torch==${torch}${isPlain ? '' : `+${tag}`}`, ...companions];
  if (isPlain && !onWindows(facts)) return [{ ...install, requirements }];
  // "==" would select a build with a tag, which counts as newer.
  const exact = isPlain ? requirements.map((each) => each.replace(/==(?=[\d.]+$)/, '===')) : requirements;
  return [{ ...install, requirements: exact, options: ['-f', 'https://download.pytorch.org/whl/torch_stable.html'] }];
}

/** True if conda installed the imported torch. */
export function isOfConda(facts: StackFacts): boolean {
  const torch = knownValue(facts.frameworks.torch);
  const isThere = knownValue(facts.condaPackages)?.some(({ name }) => name === 'pytorch');
  return torch?.installer === 'conda' || (torch?.installer === null && Boolean(isThere));
}

/** Installs from the channel of the installed torch: PyTorch's own if it has that release, otherwise conda-forge. */
function installWithConda(facts: StackFacts, title: string, family: TorchFamily): Action[] {
  if (!inCondaEnvironment(facts)) return [];
  const { torch, tag, companions } = family;
  const packages = knownValue(facts.condaPackages) ?? [];
  const build = packages.find(({ name }) => name === 'pytorch')?.build;
  const ofChannel = build === undefined || /^py\d\.\d+_(cuda|cpu)/.test(build);
  const release = minorOf(torch);
  if (!ofChannel || !torchStillHas('conda_channel', release)) {
    const capabilities = visibleGpus(facts).flatMap(({ computeCapability }) => computeCapability ?? []);
    const cuda = cudaVersionFor(release, majorOf(cudaOfTag(tag)), capabilities);
    const specs = [`pytorch-gpu=${release}.*`, ...(cuda === undefined ? [] : [`cuda-version${cuda}`])];
    return [{ do: 'condaInstall', title, specs }];
  }
  const cuda = cudaOfTag(tag);
  const isOld = !torchHas('pytorch_cuda', release);
  const specs = [`pytorch==${torch}`, ...companions, isOld ? `cudatoolkit=${cuda}` : `pytorch-cuda=${cuda}`];
  const channels = isOld ? ['pytorch', ...(Number(cuda) > 11.2 ? ['conda-forge'] : [])] : ['pytorch', 'nvidia'];
  const install = { do: 'condaInstall', title, specs, channels } as const;
  if (!packages.some(({ name }) => name === 'cpuonly')) return [install];
  return [
    {
      do: 'condaRemove',
      title: 'Remove cpuonly, which blocks all CUDA builds, and the packages that depend on it',
      packages: ['cpuonly'],
    },
    { ...install, continues: true },
  ];
}

/** Updates the packages that were compiled against another torch. */
function rebuilding({ breaks, torch }: TorchFamily): Action[] {
  if (breaks.length === 0) return [];
  const title = `Then update ${breaks.join(', ')} to a release for torch ${torch}`;
  return [{ do: 'install', title, requirements: breaks, continues: true }];
}

/** Makes ROCm treat a GPU as a related one that it has code for; empty for a GPU without a related one. */
export function pretendingToBe(architecture: string): Action[] {
  const relative = relativeOf(architecture);
  if (relative === undefined) return [];
  return [
    {
      do: 'set',
      title: `Make ROCm treat the ${architecture} as a related GPU that it has code for`,
      variable: 'HSA_OVERRIDE_GFX_VERSION',
      value: relative,
    },
  ];
}

/** PyTorch's own ROCm wheels are for Linux. */
const ROCM_IN_WINDOWS: Action = {
  do: 'advise',
  title: 'On Windows, install the torch that AMD publishes (rocm.docs.amd.com, "PyTorch on Windows"), or use WSL',
};

/**
 * Installs the installed release for the newest ROCm whose wheels have code for the GPU, otherwise for the newest ROCm.
 */
export function installTorchForRocm(facts: StackFacts, architecture: string | null): Action[] {
  if (onWindows(facts)) return [ROCM_IN_WINDOWS];
  const installed = knownValue(facts.frameworks.torch)?.version.split('+')[0] ?? '';
  const { rocm: published = [] } = torchReleaseOf(installed) ?? {};
  const native = published.findLast((rocm) => architecture && codeOfRocm(installed, rocm)?.includes(architecture));
  const rocm = native ?? published.at(-1);
  const pretending = native === undefined ? pretendingToBe(architecture ?? '') : [];
  const further = pretending.map((each) => ({ ...each, continues: true as const }));
  if (rocm === undefined) {
    return [
      {
        do: 'advise',
        title: 'Install torch for ROCm from the index for your version (https://pytorch.org/get-started/locally/)',
      },
      ...further,
    ];
  }
  const isKnown = knownValue(facts.os) !== undefined;
  const title = `Install torch for ROCm ${rocm}${isKnown ? '' : ' on Linux'}`;
  return [installRocmWheels(facts, title, installed, rocm), ...further, ...(isKnown ? [] : [ROCM_IN_WINDOWS])];
}

/** Installs the wheels of a torch for a ROCm, with the installed companions. */
export function installRocmWheels(facts: StackFacts, title: string, torch: string, rocm: string): Action {
  const requirements = [`torch==${torch}`, ...companionsOfRelease(facts, torch)];
  return { do: 'install', title, requirements, index: torchIndex(`rocm${rocm}`), reinstalls: true };
}

/** The installed companions in the release of a torch, whatever their patch. */
function companionsOfRelease(facts: StackFacts, torch: string): string[] {
  const release = torchReleaseOf(torch);
  return release === undefined ? [] : installedCompanions(facts).map((name) => `${name}==${release[name]}.*`);
}

/** Installs the installed release for an Intel GPU if it has wheels for it, otherwise the newest. */
export function installTorchForXpu(facts: StackFacts, gpu: string): Action[] {
  const installed = knownValue(facts.frameworks.torch)?.version.split('+')[0] ?? '';
  const release = torchReleaseOf(installed);
  const first = firstTorchForXpu(knownValue(facts.os)?.family ?? '', gpu);
  const has = release !== undefined && first !== undefined && compareVersions(release.torch, first) >= 0;
  const requirements = has ? [`torch==${installed}`, ...companionsOfRelease(facts, installed)] : ['torch'];
  const title = 'Install torch for Intel GPUs';
  return [{ do: 'install', title, requirements, index: torchIndex('xpu'), reinstalls: true }];
}

const SERVER = {
  value: { family: 'linux', name: null, architecture: 'x64', processor: null, kernel: '', libc: null },
  source: '',
  readAt: '',
} as const;

const UNKNOWN = { unknown: '', cause: 'notAsked', source: '', readAt: '' } as const;

/** The torch that would fit this Python and GPU with the newest driver. */
export function fittingWithNewestDriver(facts: StackFacts): TorchFamily | undefined {
  // For a text without a system: PyTorch's CUDA builds are the same for Linux and Windows.
  const os = isUnknown(facts.os) && facts.os.cause === 'notAsked' ? SERVER : facts.os;
  return fittingTorch({ ...facts, os, driver: { value: '9999', source: '', readAt: '' }, driverCuda: UNKNOWN });
}

/** No driver older than CUDA 12.8's supports such a GPU. */
function isBlackwell(capability: string | null): boolean {
  return capability !== null && compareVersions(capability, '10') >= 0;
}

/** Remedies if no published torch fits: another Python, another driver, or advice. */
export function whyNoTorch(facts: StackFacts): Action[] {
  const otherDriver = fittingWithNewestDriver(facts);
  const lowest = otherDriver && lowestDriver(cudaOfTag(otherDriver.tag), driverSystem(facts) ?? 'linux');
  if (knownValue(facts.driver) === undefined) {
    // Older ones are on PyPI for Linux, and on another page for Windows.
    const isOfOneSystem =
      isUnknown(facts.os) && !torchHas('local_tags', otherDriver?.torch ?? '0') && !isOfConda(facts);
    if (otherDriver && lowest && !isOfOneSystem) {
      const known = visibleGpus(facts).some(({ computeCapability }) => isBlackwell(computeCapability))
        ? driverOfCuda(cudaOfTag(otherDriver.tag), driverSystem(facts) ?? 'linux')
        : undefined;
      return installFamily(facts, otherDriver, ` (needs driver ${known ?? lowest} or newer)`);
    }
    return [
      { do: 'advise', title: 'Install torch for CUDA from the index at https://pytorch.org/get-started/locally/' },
    ];
  }
  const otherPython = fittingTorch({ ...facts, interpreter: UNKNOWN });
  const python = torchReleaseOf(otherPython?.torch ?? '')?.python[1];
  const installed = knownValue(facts.interpreter)?.version;
  if (otherPython && python && installed) {
    const title = `Create an environment with Python ${python}, where torch ${otherPython.torch} fits: no torch for Python ${minorOf(installed)} fits this GPU and driver`;
    return [{ do: 'createEnvironment', title, python }];
  }
  const update = lowest === undefined ? [] : updatingDriver(facts, lowest);
  if (update.length > 0) return update;
  return [
    {
      do: 'advise',
      title: 'Use the CPU, or build torch: no published torch has code for this GPU and supports its drivers',
    },
  ];
}

/**
 * The constraint on conda's package `cuda-version`, such as ">=12.8", that selects the builds of a torch ("2.7") for a
 * major version of CUDA ("12") with code for those GPUs. Undefined if all builds have it, or if none is known to have
 * it.
 */
export function cudaVersionFor(torch: string, family: string, capabilities: readonly string[]): string | undefined {
  const builds = buildsOnCondaForge(torch).map(({ cuda, architectures }) => ({
    cuda,
    fits: capabilities.every((each) => codeFits(architectures, each) === 'native'),
  }));
  const own = builds.filter(({ cuda }) => majorOf(cuda) === family);
  const lowest = own.findLast(({ fits }) => fits)?.cuda;
  if (lowest === undefined) return undefined;
  const isTooLow = own.some(({ cuda, fits }) => !fits && compareVersions(cuda, lowest) < 0);
  const isTooHigh = builds.some(({ cuda, fits }) => !fits && Number(majorOf(cuda)) > Number(family));
  const bounds = [...(isTooLow ? [`>=${lowest}`] : []), ...(isTooHigh ? [`<${Number(family) + 1}`] : [])];
  return bounds.length > 0 ? bounds.join(',') : undefined;
}
