import { codeFits } from '../../published/codeFits.ts';
import { lowestDriver } from '../../published/releases/cudaDriver.ts';
import {
  bringsCuda,
  type TensorflowRelease,
  tensorflowReleaseOf,
  tensorflowReleases,
} from '../../published/releases/tensorflowReleases.ts';
import { compareVersions } from '../../published/versions.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { visibleGpus } from '../../stack/facts/usableGpus.ts';
import type { Remedy } from '../remedy.ts';
import { installing, installingWithConda, onWindows, quoted, quotePath } from './installing.ts';
import { driverSystem } from './torchFamily.ts';

/**
 * The TensorFlow for this machine: published for this Python and platform, running with the driver, and with code for
 * every visible GPU. Of those, the installed release, else the nearest newer, one that brings CUDA's libraries if there is
 * one, else the newest. Undefined where nothing
 * fits, or where driver or platform are not known.
 */
export function fittingTensorflow(facts: StackFacts): TensorflowRelease | undefined {
  const candidates = runnable(facts);
  const installed = knownValue(facts.frameworks.tensorflow)?.version.match(/^\d+\.\d+/)?.[0];
  if (installed === undefined) return candidates[0];
  const python = pythonOf(facts);
  const newer = candidates.filter(({ tensorflow }) => compareVersions(tensorflow, installed) > 0);
  const withLibraries = newer.filter((each) => bringsCuda(each, python));
  // An extra that cannot be resolved, or is not found, is no way to keep the release.
  const same = candidates.find((each) => each.tensorflow === installed && (!each.andCuda || bringsCuda(each, python)));
  return same ?? withLibraries.at(-1) ?? newer.at(-1) ?? candidates[0];
}

function pythonOf({ interpreter }: StackFacts): string | undefined {
  return knownValue(interpreter)?.version?.match(/^\d+\.\d+/)?.[0];
}

/** Newest first. */
function runnable(facts: StackFacts): TensorflowRelease[] {
  const driver = knownValue(facts.driver);
  const system = driverSystem(facts);
  if (driver === undefined || system === undefined || knownValue(facts.os)?.architecture !== 'x64') return [];
  const python = pythonOf(facts);
  const capabilities = visibleGpus(facts).flatMap(({ computeCapability }) => computeCapability ?? []);
  return tensorflowReleases().filter(({ python: [oldest, newest], cuda, architectures, windows }) => {
    if (python !== undefined && (compareVersions(python, oldest) < 0 || compareVersions(python, newest) > 0))
      return false;
    if (onWindows(facts) && !windows) return false;
    const floor = lowestDriver(cuda, system);
    if (floor === undefined || compareVersions(driver, floor) < 0) return false;
    return capabilities.every((each) => tensorflowRuns(architectures, each, cuda));
  });
}

/** What TensorFlow lets the driver compile works within the generations that its CUDA knows; before 11 it knew no 8.x. */
export function tensorflowRuns(architectures: string[], capability: string, cuda: string): boolean {
  const fit = codeFits(architectures, capability);
  if (fit === 'native') return true;
  const highest = compareVersions(cuda, '11') < 0 ? '7.5' : '9.0';
  return fit === 'compiled' && compareVersions(capability, highest) <= 0;
}

/** How to get the TensorFlow that fits this machine, with CUDA's libraries; nothing where none is known to. */
export function installFittingTensorflow(facts: StackFacts): Remedy[] {
  const release = fittingTensorflow(facts);
  if (release === undefined) return [];
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
    return installing(
      facts,
      `Install TensorFlow ${release.tensorflow} with CUDA's libraries`,
      quoted(`tensorflow[and-cuda]${version}`),
    );
  }
  // Until 2.0, what PyPI called tensorflow was for the CPU, but for 1.15.
  const isApart = compareVersions(release.tensorflow, '2.1') < 0 && release.tensorflow !== '1.15';
  const isThere = isInstalled && build?.target === 'cuda';
  return [
    ...(isThere
      ? []
      : installing(
          facts,
          `Install TensorFlow ${release.tensorflow}, which is for CUDA ${release.cuda} and cuDNN ${release.cudnn}`,
          quoted(`${isApart ? 'tensorflow-gpu' : 'tensorflow'}${version}`),
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
