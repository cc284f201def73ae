import type { PackageIndex } from '../../commands/projectTools.ts';
import { quoted } from '../../commands/shellWords.ts';
import { driverOfCuda, lowestDriver } from '../../published/releases/cudaDriver.ts';
import { codeOfRocm, relativeOf } from '../../published/releases/rocmReleases.ts';
import { torchFamilyReleases } from '../../published/releases/torchCompanions.ts';
import { cudaOfTag, torchHas, torchReleaseOf, torchStillHas } from '../../published/releases/torchReleases.ts';
import { firstTorchForXpu } from '../../published/releases/xpuReleases.ts';
import { compareVersions, majorOf, minorOf } from '../../published/versions.ts';
import { driverSystem } from '../../solver/target.ts';
import { isUnknown, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { onChip, visibleGpus } from '../../stack/facts/usableGpus.ts';
import type { Remedy } from '../remedy.ts';
import { cudaVersionFor } from './condaForge.ts';
import { condaPlace, installing, installingWithConda, onWindows, setting } from './installing.ts';
import { pinsOnTorch } from './pins.ts';
import { fittingTorch, fittingTorchOf, type TorchFamily } from './torchFamily.ts';
import { hidesTheEnvironments, unhiding } from './unhiding.ts';
import { updatingDriver } from './updatingDriver.ts';
import { releasesForCuda } from './wheelCuda.ts';

/** The index of PyTorch's that a build comes from. */
export function torchIndex(tag: string): PackageIndex {
  return { name: `pytorch-${tag}`, url: `https://download.pytorch.org/whl/${tag}` };
}

/** How to get the torch that fits this machine, with what goes along; nothing where no wheel is known to. */
export function installFittingTorch(facts: StackFacts): Remedy[] {
  if (onChip(facts)) {
    return [
      {
        title:
          "Install NVIDIA's own build for this board's JetPack (https://docs.nvidia.com/deeplearning/frameworks/install-pytorch-jetson-platform/)",
      },
    ];
  }
  // Over the environment's own, another one would be installed for nothing.
  const installed = knownValue(facts.frameworks.torch);
  if (installed && hidesTheEnvironments(facts, installed)) return unhiding(facts, installed);
  const family = fittingTorch(facts);
  if (family === undefined) return [];
  const ofOtherCuda = takingOtherReleases(facts, family);
  return ofOtherCuda.length > 0 ? ofOtherCuda : [...installFamily(facts, family), ...rebuilding(facts, family)];
}

/** What is compiled for a CUDA that does not run here has older releases for one that does, which bring their torch. */
function takingOtherReleases(facts: StackFacts, { breaks, tag }: TorchFamily): Remedy[] {
  const runs = majorOf(cudaOfTag(tag));
  return pinsOnTorch(facts).flatMap(({ name, cuda }) => {
    const releases = cuda === undefined || cuda === runs ? undefined : releasesForCuda(name, runs);
    if (releases === undefined || !breaks.includes(name)) return [];
    return installing(
      facts,
      `Install ${name} ${releases}, whose wheels are for CUDA ${runs}`,
      quoted(`${name}${releases}`),
    );
  });
}

/** How to get one of the releases that a specifier lets through; nothing where none of them fits this machine. */
export function installTorchOf(facts: StackFacts, specifier: string): Remedy[] {
  const family = onChip(facts) ? undefined : fittingTorchOf(facts, specifier);
  return family === undefined ? [] : installFamily(facts, family);
}

function installFamily(facts: StackFacts, family: TorchFamily, condition = ''): Remedy[] {
  const { torch, tag, torchvision, torchaudio } = family;
  const title = `Install torch ${torch} for CUDA ${cudaOfTag(tag)}${condition}`;
  if (isOfConda(facts)) return installWithConda(facts, title, family);
  const exact = torchFamilyReleases().find((each) => each.torch === torch);
  const companions = [
    ...(torchvision === null ? [] : [companion('torchvision', torchvision, exact?.torchvision)]),
    ...(torchaudio === null ? [] : [companion('torchaudio', torchaudio, exact?.torchaudio)]),
  ];
  if (torchHas('index', torch)) {
    return installing(facts, title, [`torch==${torch}`, ...companions].join(' '), {
      anew: true,
      index: torchIndex(tag),
    });
  }
  // Before, a page listed all builds; until 1.8 the one that stands on PyPI for Linux has no tag.
  const isPlain = torchReleaseOf(torch)?.pypi === tag && !torchHas('local_tags', torch);
  const packages = [`torch==${torch}${isPlain ? '' : `+${tag}`}`, ...companions].join(' ');
  if (isPlain && !onWindows(facts)) return installing(facts, title, packages, { anew: true });
  // "==" would take a build with a tag, as the newer one.
  const all = `${isPlain ? packages.replace(/(?<=\w)==(?=[\d.]+(?: |$))/g, '===') : packages} -f https://download.pytorch.org/whl/torch_stable.html`;
  return installing(facts, title, all, { anew: true });
}

/** The one that was compiled against this very torch, else any of the release that goes with it. */
function companion(name: string, release: string, exact: readonly string[] = []): string {
  const last = exact.at(-1);
  return last === undefined ? quoted(`${name}==${release}.*`) : `${name}==${last}`;
}

/** Whether the torch that is imported was installed by conda. */
export function isOfConda(facts: StackFacts): boolean {
  const torch = knownValue(facts.frameworks.torch);
  const isThere = knownValue(facts.condaPackages)?.some(({ name }) => name === 'pytorch');
  return torch?.installer === 'conda' || (torch?.installer === null && Boolean(isThere));
}

/** From the channel that it came from: PyTorch's own, as long as that had it, or conda-forge. */
function installWithConda(facts: StackFacts, title: string, family: TorchFamily): Remedy[] {
  const { torch, tag, torchvision, torchaudio } = family;
  const packages = knownValue(facts.condaPackages) ?? [];
  const build = packages.find(({ name }) => name === 'pytorch')?.build;
  const ofChannel = build === undefined || /^py\d\.\d+_(cuda|cpu)/.test(build);
  const release = minorOf(torch);
  if (!ofChannel || !torchStillHas('conda_channel', release)) {
    const capabilities = visibleGpus(facts).flatMap(({ computeCapability }) => computeCapability ?? []);
    const cuda = cudaVersionFor(release, majorOf(cudaOfTag(tag)), capabilities);
    const wanted = [`pytorch-gpu=${release}.*`, ...(cuda === undefined ? [] : [`cuda-version${cuda}`])];
    return installingWithConda(facts, title, wanted.map(quoted).join(' '));
  }
  const cuda = cudaOfTag(tag);
  const names = ['pytorch', ...(torchvision ? ['torchvision'] : []), ...(torchaudio ? ['torchaudio'] : [])];
  names[0] = `pytorch==${torch}`;
  const isOld = !torchHas('pytorch_cuda', release);
  const with_ = `${names.join(' ')} ${isOld ? `cudatoolkit=${cuda}` : `pytorch-cuda=${cuda}`}`;
  const channels = isOld ? ['pytorch', ...(Number(cuda) > 11.2 ? ['conda-forge'] : [])] : ['pytorch', 'nvidia'];
  const remedies = installingWithConda(facts, title, with_, channels);
  const stop = packages.filter(
    ({ name, build: how }) => name === 'cpuonly' || (name === 'pytorch-mutex' && how === 'cpu'),
  );
  if (!stop.some(({ name }) => name === 'cpuonly')) return remedies;
  return [
    {
      title: 'Remove cpuonly, which keeps conda from every build for CUDA, with what depends on it',
      command: `conda remove ${condaPlace(facts)}cpuonly`,
    },
    ...remedies.map((each) => ({ ...each, continues: true as const })),
  ];
}

/** What was compiled against another torch has to follow. */
function rebuilding(facts: StackFacts, { breaks, torch }: TorchFamily): Remedy[] {
  if (breaks.length === 0) return [];
  return installing(facts, `Then bring ${breaks.join(', ')} to a release for torch ${torch}`, breaks.join(' '))
    .slice(0, 1)
    .map((each) => ({ ...each, continues: true as const }));
}

/** Has ROCm take a GPU for a relative that it holds code for; nothing for a GPU without one. */
export function pretendingToBe(facts: StackFacts, architecture: string): Remedy[] {
  const relative = relativeOf(architecture);
  if (relative === undefined) return [];
  return [
    {
      title: `Have ROCm take the ${architecture} for a relative that it holds code for`,
      command: setting(facts, 'HSA_OVERRIDE_GFX_VERSION', relative),
    },
  ];
}

/** PyTorch's own wheels for ROCm are for Linux. */
const ROCM_IN_WINDOWS: Remedy = {
  title: 'In Windows take the torch that AMD publishes for it (rocm.docs.amd.com, "PyTorch on Windows"), or WSL',
};

/** The installed release for ROCm, with the newest ROCm whose wheels hold code for the GPU, else the newest that it was published for. */
export function installTorchForRocm(facts: StackFacts, architecture: string | null): Remedy[] {
  if (onWindows(facts)) return [ROCM_IN_WINDOWS];
  const installed = knownValue(facts.frameworks.torch)?.version.split('+')[0] ?? '';
  const { rocm: published = [] } = torchReleaseOf(installed) ?? {};
  const native = published.findLast((rocm) => architecture && codeOfRocm(installed, rocm)?.includes(architecture));
  const rocm = native ?? published.at(-1);
  const pretending = native === undefined ? pretendingToBe(facts, architecture ?? '') : [];
  const further = pretending.map((each) => ({ ...each, continues: true as const }));
  if (rocm === undefined) {
    return [
      {
        title:
          'Install torch for ROCm, from the index that PyTorch names for your version (https://pytorch.org/get-started/locally/)',
      },
      ...further,
    ];
  }
  const isTold = knownValue(facts.os) !== undefined;
  const title = `Install torch for ROCm ${rocm}${isTold ? '' : ', in Linux'}`;
  return [...installRocmWheels(facts, title, installed, rocm), ...further, ...(isTold ? [] : [ROCM_IN_WINDOWS])];
}

/** The wheels of a torch for a ROCm, with its companions that are installed. */
export function installRocmWheels(facts: StackFacts, title: string, torch: string, rocm: string): Remedy[] {
  const release = torchReleaseOf(torch);
  const companions = (['torchvision', 'torchaudio'] as const)
    .filter((name) => release && knownValue(facts.frameworks[name]))
    .map((name) => quoted(`${name}==${release?.[name]}.*`));
  const packages = [`torch==${torch}`, ...companions].join(' ');
  const index = { name: `pytorch-rocm${rocm}`, url: `https://download.pytorch.org/whl/rocm${rocm}` };
  return installing(facts, title, packages, { anew: true, index }).slice(0, 1);
}

/** The installed release for a GPU of Intel's, where it has wheels that are made for it, else the newest. */
export function installTorchForXpu(facts: StackFacts, gpu: string): Remedy[] {
  const installed = knownValue(facts.frameworks.torch)?.version.split('+')[0] ?? '';
  const release = torchReleaseOf(installed);
  const first = firstTorchForXpu(knownValue(facts.os)?.family ?? '', gpu);
  const has = release !== undefined && first !== undefined && compareVersions(release.torch, first) >= 0;
  const companions = (['torchvision', 'torchaudio'] as const)
    .filter((name) => has && knownValue(facts.frameworks[name]))
    .map((name) => quoted(`${name}==${release?.[name]}.*`));
  const packages = [has ? `torch==${installed}` : 'torch', ...companions].join(' ');
  return installing(facts, "Install torch for Intel's GPUs", packages, { anew: true, index: torchIndex('xpu') });
}

const SERVER = {
  value: { family: 'linux', name: null, architecture: 'x64', processor: null, kernel: '', libc: null },
  source: '',
  readAt: '',
} as const;

const UNKNOWN = { unknown: '', cause: 'notAsked', source: '', readAt: '' } as const;

/** The torch that would fit this Python and GPU, whatever driver it takes. */
export function fittingWithNewestDriver(facts: StackFacts): TorchFamily | undefined {
  // Of a text that tells no system: PyTorch's own builds for CUDA are the same ones for Linux and Windows.
  const os = isUnknown(facts.os) && facts.os.cause === 'notAsked' ? SERVER : facts.os;
  return fittingTorch({ ...facts, os, driver: { value: '9999', source: '', readAt: '' }, driverCuda: UNKNOWN });
}

/** No driver before those of CUDA 12.8 runs such a GPU. */
function isBlackwell(capability: string | null): boolean {
  return capability !== null && compareVersions(capability, '10') >= 0;
}

/** What to do where no published torch fits: another Python, another driver, or nothing that installs one. */
export function whyNoTorch(facts: StackFacts): Remedy[] {
  const otherDriver = fittingWithNewestDriver(facts);
  const lowest = otherDriver && lowestDriver(cudaOfTag(otherDriver.tag), driverSystem(facts) ?? 'linux');
  if (knownValue(facts.driver) === undefined) {
    // Older ones are on PyPI for Linux, and elsewhere for Windows.
    const isOfOneSystem =
      isUnknown(facts.os) && compareVersions(otherDriver?.torch ?? '0', '1.8') < 0 && !isOfConda(facts);
    if (otherDriver && lowest && !isOfOneSystem) {
      const known = visibleGpus(facts).some(({ computeCapability }) => isBlackwell(computeCapability))
        ? driverOfCuda(cudaOfTag(otherDriver.tag), driverSystem(facts) ?? 'linux')
        : undefined;
      return installFamily(facts, otherDriver, `, which needs driver ${known ?? lowest} or newer,`);
    }
    return [
      { title: 'Install torch for CUDA, from the index that PyTorch names (https://pytorch.org/get-started/locally/)' },
    ];
  }
  const otherPython = fittingTorch({ ...facts, interpreter: UNKNOWN });
  const python = torchReleaseOf(otherPython?.torch ?? '')?.python[1];
  const installed = knownValue(facts.interpreter)?.version;
  if (otherPython && python && installed) {
    const title = `No torch for Python ${minorOf(installed)} fits this GPU and driver: take a Python such as ${python}, for which torch ${otherPython.torch} does`;
    return [{ title, command: `uv venv --python ${python}` }];
  }
  const update = lowest === undefined ? [] : updatingDriver(facts, lowest);
  if (update.length > 0) return update;
  return [
    {
      title:
        'No published torch holds code for this GPU and runs with a driver for it: use the CPU, or build torch for it',
    },
  ];
}
