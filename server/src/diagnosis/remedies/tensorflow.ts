import { quoted, quotePath } from '../../commands/shellWords.ts';
import {
  bringsCuda,
  type TensorflowRelease,
  tensorflowReleaseOf,
} from '../../published/releases/tensorflowReleases.ts';
import { compareVersions } from '../../published/versions.ts';
import { type TensorflowBuild, tensorflowForCuda } from '../../solver/builds/tensorflow.ts';
import { cudnnBeside } from '../../solver/cudnnBeside.ts';
import { inUseFirst, runnable } from '../../solver/runnable.ts';
import { cudaTargetOf } from '../../solver/target.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import type { Remedy } from '../remedy.ts';
import { installing, installingWithConda, onWindows } from './installing.ts';

/**
 * The TensorFlow for this machine: published for this Python and platform, running with the driver, and with code for
 * every visible GPU. Of those, the installed release, else the nearest newer, one that brings CUDA's libraries if there is
 * one, else the newest. Undefined where nothing fits, or where driver or platform are not known.
 */
export function fittingTensorflow(facts: StackFacts): TensorflowRelease | undefined {
  return fittingBuild(facts)?.release;
}

function fittingBuild(facts: StackFacts): TensorflowBuild | undefined {
  const target = cudaTargetOf(facts);
  if (target?.architecture !== 'x64') return undefined;
  const builds = runnable(tensorflowForCuda(target.os), target.gpu, pythonOf(facts));
  const installed = knownValue(facts.frameworks.tensorflow)?.version;
  if (installed === undefined) return builds[0];
  const nearest = inUseFirst(builds, installed);
  const isSame = ({ release }: TensorflowBuild) => release === tensorflowReleaseOf(installed);
  const isNewer = ({ release }: TensorflowBuild) => compareVersions(release.tensorflow, installed) > 0;
  // An extra that is not found is no way to keep the release.
  return (
    nearest.find((each) => isSame(each) && (!each.release.andCuda || each.wants === undefined)) ??
    nearest.find((each) => isNewer(each) && each.wants === undefined) ??
    nearest.find(isNewer) ??
    builds[0]
  );
}

function pythonOf({ interpreter }: StackFacts): string | undefined {
  return knownValue(interpreter)?.version?.match(/^\d+\.\d+/)?.[0];
}

/** How to get the TensorFlow that fits this machine, with CUDA's libraries; nothing where none is known to. */
export function installFittingTensorflow(facts: StackFacts): Remedy[] {
  const fitting = fittingBuild(facts);
  const target = cudaTargetOf(facts);
  if (fitting === undefined || target === undefined) return [];
  const { release } = fitting;
  const build = knownValue(facts.frameworks.tensorflow);
  if (build?.installer === 'conda') {
    return installingWithConda(
      facts,
      'Install TensorFlow with CUDA',
      quoted(`tensorflow=${release.tensorflow}.*=*cuda*`),
    );
  }
  const isInstalled = tensorflowReleaseOf(build?.version ?? '') === release;
  const version = isInstalled && build ? `==${build.version}` : `==${release.tensorflow}.*`;
  if (bringsCuda(release, pythonOf(facts))) {
    const cudnn = cudnnBeside(fitting, target.gpu);
    const packages = [`tensorflow[and-cuda]${version}`, ...(cudnn === undefined ? [] : [cudnn])];
    return installing(
      facts,
      `Install TensorFlow ${release.tensorflow} with CUDA's libraries`,
      packages.map(quoted).join(' '),
    );
  }
  const isThere = isInstalled && build?.target === 'cuda';
  return [
    ...(isThere
      ? []
      : installing(
          facts,
          `Install TensorFlow ${release.tensorflow}, which is for CUDA ${release.cuda} and cuDNN ${release.cudnn}`,
          quoted(`${release.cudaPackage}${version}`),
        ).slice(0, 1)),
    ...bringLibraries(facts, release).map((each, at) =>
      isThere && at === 0 ? each : { ...each, continues: true as const },
    ),
  ];
}

/** Releases before 2.14 look for CUDA's libraries where the system or conda has put them. */
export function bringLibraries(facts: StackFacts, { cuda, cudnn }: TensorflowRelease): Remedy[] {
  const conda = installingWithConda(
    facts,
    `Install CUDA ${cuda} and cuDNN ${cudnn}`,
    `cudatoolkit=${cuda} cudnn=${cudnn}`,
  );
  if (conda.length > 0 && compareVersions(cuda, '12') < 0) {
    const prefix = quotePath(knownValue(facts.interpreter)?.prefix ?? '', false);
    if (onWindows(facts)) return conda;
    return [
      ...conda,
      {
        title: 'Lead the loader there, where the environment is activated',
        command: `conda env config vars set --prefix ${prefix} LD_LIBRARY_PATH=${prefix}/lib`,
        continues: true,
      },
    ];
  }
  return [
    {
      title: `Install CUDA ${cuda} (https://developer.nvidia.com/cuda-toolkit-archive) and cuDNN ${cudnn} (https://developer.nvidia.com/rdp/cudnn-archive), and name their folders in ${onWindows(facts) ? 'PATH' : 'LD_LIBRARY_PATH'}`,
    },
  ];
}
