import type { Action } from '../../commands/action.ts';
import { onWindows } from '../../commands/shells.ts';
import { inCondaEnvironment } from '../../commands/writeAction.ts';
import { type TensorflowBuild, tensorflowForCuda } from '../../fit/builds/tensorflow.ts';
import { cudnnBeside } from '../../fit/cudnn.ts';
import { cudaTargetOf } from '../../fit/target.ts';
import {
  releaseBringsCuda,
  type TensorflowRelease,
  tensorflowReleaseOf,
} from '../../published/releases/tensorflowReleases.ts';
import { compareVersions } from '../../published/versions.ts';
import { inUseFirst, runnable } from '../../solver/runnable.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { pythonMinor } from '../../stack/facts/installed.ts';

/**
 * Returns the TensorFlow for this machine: published for this Python and platform, supported by the driver, and with
 * code for every visible GPU. Prefers the installed release, then the next newer one that installs CUDA's libraries,
 * then the newest. Undefined if nothing fits, or if driver or platform are unknown.
 */
function fittingBuild(facts: StackFacts): TensorflowBuild | undefined {
  const target = cudaTargetOf(facts);
  if (target?.architecture !== 'x64') return undefined;
  const builds = runnable(tensorflowForCuda(target.os), target.gpu, pythonMinor(facts));
  const installed = knownValue(facts.frameworks.tensorflow)?.version;
  if (installed === undefined) return builds[0];
  const nearest = inUseFirst(builds, installed);
  const isSame = ({ release }: TensorflowBuild) => release === tensorflowReleaseOf(installed);
  const isNewer = ({ release }: TensorflowBuild) => compareVersions(release.tensorflow, installed) > 0;
  // A release without the extra cannot be kept.
  return (
    nearest.find((each) => isSame(each) && (!each.release.andCuda || each.wants === undefined)) ??
    nearest.find((each) => isNewer(each) && each.wants === undefined) ??
    nearest.find(isNewer) ??
    builds[0]
  );
}

/** Installs the TensorFlow that fits this machine, with CUDA's libraries; empty if none is known to fit. */
export function installFittingTensorflow(facts: StackFacts): Action[] {
  const fitting = fittingBuild(facts);
  const target = cudaTargetOf(facts);
  if (fitting === undefined || target === undefined) return [];
  const { release } = fitting;
  const build = knownValue(facts.frameworks.tensorflow);
  if (build?.installer === 'conda') {
    const specs = [`tensorflow=${release.tensorflow}.*=*cuda*`];
    return [{ do: 'condaInstall', title: 'Install TensorFlow with CUDA', specs }];
  }
  const isInstalled = tensorflowReleaseOf(build?.version ?? '') === release;
  const version = isInstalled && build ? `==${build.version}` : `==${release.tensorflow}.*`;
  if (releaseBringsCuda(release, pythonMinor(facts))) {
    const cudnn = cudnnBeside(fitting, target.gpu);
    const title = `Install TensorFlow ${release.tensorflow} with CUDA's libraries`;
    const requirements = [`tensorflow[and-cuda]${version}`, ...(cudnn === undefined ? [] : [cudnn])];
    const install: Action = { do: 'install', title, requirements };
    if (build?.name !== 'tensorflow-cpu') return [install];
    // Both install the same folder.
    const removal: Action = { do: 'uninstall', title: 'Remove the package for the CPU', packages: [build.name] };
    return [removal, { ...install, continues: true }];
  }
  const libraries = bringLibraries(facts, release);
  if (isInstalled && build?.target === 'cuda') return libraries;
  return [
    {
      do: 'install',
      title: `Install TensorFlow ${release.tensorflow}, which is for CUDA ${release.cuda} and cuDNN ${release.cudnn},`,
      requirements: [`${release.cudaPackage}${version}`],
    },
    ...libraries.map((each) => ({ ...each, continues: true as const })),
  ];
}

/** Installs CUDA's libraries for releases before 2.14, which search for the system's or conda's. */
export function bringLibraries(facts: StackFacts, { cuda, cudnn }: TensorflowRelease): Action[] {
  if (inCondaEnvironment(facts) && compareVersions(cuda, '12') < 0) {
    const specs = [`cudatoolkit=${cuda}`, `cudnn=${cudnn}`];
    const install: Action = { do: 'condaInstall', title: `Install CUDA ${cuda} and cuDNN ${cudnn}`, specs };
    return onWindows(facts)
      ? [install]
      : [install, { ...leadingToConda(`${knownValue(facts.interpreter)?.prefix ?? ''}/lib`), continues: true }];
  }
  return [
    {
      do: 'advise',
      title: `Install CUDA ${cuda} (https://developer.nvidia.com/cuda-toolkit-archive) and cuDNN ${cudnn} (https://developer.nvidia.com/rdp/cudnn-archive), and add their folders to ${onWindows(facts) ? 'PATH' : 'LD_LIBRARY_PATH'}`,
    },
  ];
}

/** Makes the loader find conda's libraries whenever the environment is activated. */
export function leadingToConda(value: string): Action {
  return {
    do: 'set',
    title: 'Set LD_LIBRARY_PATH to their folder whenever the environment is activated',
    variable: 'LD_LIBRARY_PATH',
    value,
    inCondaEnvironment: true,
  };
}
