import type { Action } from '../../commands/action.ts';
import { gpusWithoutCudnn } from '../../fit/cudnn.ts';
import { codeFor } from '../../fit/gpuCode.ts';
import { installedBuild } from '../../fit/installed.ts';
import { nvidiaTargetOf } from '../../fit/target.ts';
import { isCompleteAgain, isIncompleteCudnn } from '../../published/releases/cudnnReleases.ts';
import { torchHas, torchReleaseOf } from '../../published/releases/torchReleases.ts';
import { compareVersions, majorAndMinor, majorOf } from '../../published/versions.ts';
import { builtCudnnOf } from '../../stack/builds/gpuCode.ts';
import { knownValue, type NvidiaLibrary, type StackFacts } from '../../stack/facts/facts.ts';
import { nameGpus } from '../../stack/facts/gpuName.ts';
import { builtForCuda, type InstalledFramework } from '../../stack/facts/installed.ts';
import { visibleGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { installFittingTorch } from '../remedies/installTorch.ts';
import { withoutFolder } from '../remedies/libraryPath.ts';
import { fittingTorch } from '../remedies/torchFamily.ts';

/** Compares the cuDNN that a framework loads with the one that it was built with. */
interface CudnnPair {
  loaded: { version: string; source: string };
  built: { version: string; source: string };
}

export const cudnnOfOtherMajor: Judge = {
  id: 'cudnn-of-other-major',
  judge: (facts) =>
    eachPair(facts, (each, { loaded, built }) => {
      if (majorOf(loaded.version) === majorOf(built.version)) return [];
      const finding = `${each.title} needs cuDNN ${majorOf(built.version)} but loads ${loaded.version}, which it cannot use.`;
      return judgement(facts, each, { loaded, built }, 'error', finding);
    }),
};

/** Both torch and TensorFlow require the same major version, and no older minor version. */
export const cudnnOlderThanBuild: Judge = {
  id: 'cudnn-older-than-build',
  judge: (facts) =>
    eachPair(facts, (each, { loaded, built }) => {
      const [major, minor] = majorAndMinor(loaded.version);
      const [builtMajor, builtMinor] = majorAndMinor(built.version);
      // A file name may show only the major version.
      if (major !== builtMajor || !(minor < builtMinor)) return [];
      const severity = each.framework === 'tensorflow' ? 'error' : 'warning';
      const finding = `${each.title} was built with cuDNN ${built.version} but loads the older ${loaded.version}, which it rejects.`;
      return judgement(facts, each, { loaded, built }, severity, finding);
    }),
};

/** New releases of cuDNN contain no code for old generations of GPUs. */
export const cudnnWithoutGpu: Judge = {
  id: 'cudnn-without-gpu',
  judge: (facts) =>
    builtForCuda(facts).flatMap((each) => {
      const loaded = loadedCudnn(facts, each);
      if (loaded === undefined) return [];
      const build = installedBuild(facts, each.framework);
      if (build?.code === undefined) return [];
      const dropped = gpusWithoutCudnn({ cudnn: `==${loaded.version}` }, nvidiaTargetOf(facts)).filter(
        // If the framework has no code for the GPU either, another diagnosis reports that.
        ({ gpu }) => codeFor(build, gpu.computeCapability ?? '').fit === 'holds',
      );
      const [first] = dropped;
      if (first === undefined) return [];
      const { last } = first;
      const gpus = nameGpus(dropped.map(({ gpu }) => gpu));
      return [
        {
          severity: dropped.length === visibleGpus(facts).length ? 'error' : 'information',
          finding: `cuDNN ${loaded.version} no longer supports the ${gpus}, so ${each.title}'s convolutions fail on it.`,
          why: [
            {
              fact: `cuDNN ${loaded.version}; ${last.cudnn} is the last for GPUs below ${last.below}`,
              source: loaded.source,
            },
            { fact: `compute capability ${first.gpu.computeCapability} of the ${gpus}`, source: facts.gpus.source },
          ],
          remedies: () => pinCudnn(each, last.wheel),
        },
      ];
    }),
};

/**
 * cuDNN consists of several libraries, which load each other by name. If one of them is from another version, calls
 * fail with CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH. LD_LIBRARY_PATH precedes the wheel's folder. The wheels of 9.20
 * to 9.22 lack one library, which is then loaded from any newer installed cuDNN.
 */
export const cudnnShadowed: Judge = {
  id: 'cudnn-shadowed',
  judge(facts) {
    const torch = knownValue(facts.frameworks.torch);
    const own = knownValue(facts.loadedCudnn.torch);
    const built = builtCudnnOf(facts, 'torch')?.value;
    // The libraries in torch's own folder have the version that the wheel was built with.
    const loaded = own?.origin === 'torch' && built ? { ...own, version: built } : own;
    if (!torch || !loaded || (loaded.origin !== 'wheel' && loaded.origin !== 'torch')) return [];
    // In old releases, the library path precedes the path to torch's own libraries.
    if (loaded.origin === 'torch' && (torchHas('own_libraries_first', torch.version) || torch.installer === 'conda'))
      return [];
    const other = knownValue(facts.cudnns)?.find((each) => mixesWith(loaded, each));
    if (other === undefined) return [];
    const onPath = other.origin === 'libraryPath';
    return [
      {
        severity: 'warning',
        finding: `Parts of cuDNN ${other.version} ${onPath ? 'on LD_LIBRARY_PATH' : 'from the system'} can mix with torch's own ${loaded.version}, and convolutions then fail.`,
        why: [
          { fact: `cuDNN ${loaded.version} of torch`, source: loaded.path },
          { fact: `cuDNN ${other.version}`, source: other.path },
        ],
        remedies: () =>
          onPath
            ? withoutFolder(facts, 'libraryPath', other.path.replace(/[\\/][^\\/]*$/, ''))
            : [
                {
                  do: 'advise',
                  title: `Remove the system's cuDNN, or install torch's in its version (${other.version})`,
                },
              ],
      },
    ];
  },
};

function mixesWith(loaded: NvidiaLibrary, other: NvidiaLibrary): boolean {
  if (majorOf(other.version) !== majorOf(loaded.version) || !other.version.includes('.')) return false;
  if (compareVersions(other.version, loaded.version) === 0) return false;
  if (other.origin === 'libraryPath') return true;
  return isIncompleteCudnn(loaded.version) && other.origin === 'system' && isCompleteAgain(other.version);
}

function eachPair(facts: StackFacts, judge: (each: InstalledFramework, pair: CudnnPair) => Judgement[]): Judgement[] {
  return builtForCuda(facts).flatMap((each) => {
    const loaded = loadedCudnn(facts, each);
    const built = builtCudnnOf(facts, each.framework);
    if (loaded === undefined || built === undefined) return [];
    return judge(each, { loaded, built: { version: built.value, source: built.source } });
  });
}

/** The loaded cuDNN as the framework reports it, otherwise as files show it. */
function loadedCudnn(facts: StackFacts, { framework }: InstalledFramework): CudnnPair['loaded'] | undefined {
  const runtime = facts.runtime[framework];
  const said = knownValue(runtime)?.cudnn;
  if (said) return { version: said, source: runtime.source };
  const library = knownValue(facts.loadedCudnn[framework]);
  return library ? { version: library.version, source: library.path } : undefined;
}

function judgement(
  facts: StackFacts,
  each: InstalledFramework,
  { loaded, built }: CudnnPair,
  severity: Judgement['severity'],
  finding: string,
): Judgement[] {
  const why = [
    { fact: `cuDNN ${loaded.version}`, source: loaded.source },
    { fact: `${each.title} is built with cuDNN ${built.version}`, source: built.source },
  ];
  const [major, minor] = majorAndMinor(built.version);
  return [{ severity, finding, why, remedies: () => cudnnRemedies(facts, each, major, minor) }];
}

function cudnnRemedies(facts: StackFacts, each: InstalledFramework, major: number, minor: number): Action[] {
  const library = knownValue(facts.loadedCudnn[each.framework]);
  // Torch includes its own; others may need the other libraries in the folder.
  if (library?.origin === 'libraryPath' && each.framework === 'torch') {
    return withoutFolder(facts, 'libraryPath', library.path.replace(/[\\/][^\\/]*$/, ''));
  }
  const shared = library?.origin === 'wheel' && sharesWithTorch(facts, each, library.package ?? '');
  if (shared) return keepingApart(facts, each, major, minor);
  if (library?.origin === 'wheel') return pinCudnn(each, `${major}.${minor}`);
  const title = `Install cuDNN ${major}.${minor} or a newer ${major} in a folder that ${each.build.name} searches`;
  return [{ do: 'advise', title }];
}

/** Torch pins its cuDNN exactly, so another version violates its requirement. */
function sharesWithTorch(
  { frameworks, loadedCudnn }: StackFacts,
  { framework }: InstalledFramework,
  wheel: string,
): boolean {
  if (framework === 'torch') return false;
  const isPinned = knownValue(frameworks.torch)?.pinned.some(({ name }) => name === wheel);
  return Boolean(isPinned) || knownValue(loadedCudnn.torch)?.package === wheel;
}

function keepingApart(facts: StackFacts, { build }: InstalledFramework, major: number, minor: number): Action[] {
  const family = fittingTorch(facts);
  const torch = knownValue(facts.frameworks.torch);
  const cudnn = family && torchReleaseOf(family.torch)?.builds.get(family.tag)?.cudnn;
  const fits = cudnn && majorOf(cudnn) === String(major) && compareVersions(cudnn, `${major}.${minor}`) >= 0;
  const apart: Action = {
    do: 'advise',
    title: `Give ${build.name} an environment of its own: torch pins the cuDNN that they share`,
  };
  const moves = family !== undefined && !torch?.version.startsWith(family.torch);
  return fits && moves ? [...installFittingTorch(facts), apart] : [apart];
}

function pinCudnn({ build }: InstalledFramework, version: string): Action[] {
  const family = majorOf(build.cuda ?? '');
  const exact = version.split('.').length > 2;
  const requirement = exact ? `==${version}` : `>=${version},<${Number(majorOf(version)) + 1}`;
  return [
    {
      do: 'install',
      title: `Install cuDNN ${version}`,
      requirements: [`nvidia-cudnn-cu${family}${requirement}`],
    },
  ];
}
