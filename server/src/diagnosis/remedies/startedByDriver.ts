/** JAX and ONNX Runtime for a CUDA version that the driver supports. */

import type { Action } from '../../commands/action.ts';
import type { PublishedBuild } from '../../fit/build.ts';
import { jaxForCuda } from '../../fit/builds/jax.ts';
import { onnxruntimeForCuda } from '../../fit/builds/onnxruntime.ts';
import { cudnnBeside } from '../../fit/cudnn.ts';
import { type CudaTarget, cudaTargetOf } from '../../fit/target.ts';
import { lowestDriver } from '../../published/releases/cudaDriver.ts';
import { compareVersions, majorOf } from '../../published/versions.ts';
import { inUseFirst, runnable } from '../../solver/runnable.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { pythonMinor } from '../../stack/facts/installed.ts';
import { updatingDriver } from './updatingDriver.ts';

/** Installs the same release of JAX for an older CUDA. */
export function installJaxForDriver(facts: StackFacts): Action[] {
  const build = knownValue(facts.frameworks.jax);
  const target = cudaTargetOf(facts);
  // The installed release has wheels for this Python.
  const builds = target && build ? runnable(jaxForCuda(), target.gpu, undefined) : [];
  const fitting = builds.find((each) => isOfRelease(each, build?.version ?? ''));
  if (!build || !target || fitting === undefined) return [];
  const other = majorOf(build.cuda ?? '');
  return [
    {
      do: 'uninstall',
      title: `Remove JAX's plug-in for CUDA ${other}`,
      packages: [`jax-cuda${other}-plugin`, `jax-cuda${other}-pjrt`],
    },
    {
      do: 'install',
      title: `Install JAX for CUDA ${fitting.cuda}, which this driver supports,`,
      requirements: asked(fitting, target, `==${build.version}`),
      continues: true,
    },
  ];
}

/** Installs JAX with CUDA, in the installed release if possible, after updating the driver if it is too old. */
export function installJaxWithCuda(facts: StackFacts): Action[] {
  const target = cudaTargetOf(facts);
  const installed = knownValue(facts.frameworks.jax)?.version;
  const title = 'Install JAX with CUDA';
  // For a text without a driver.
  if (target === undefined) return [{ do: 'install', title, requirements: ['jax[cuda12]'] }];
  const [now] = jaxBuildsFor(facts, target, target.gpu.driver, installed);
  if (now !== undefined) return [{ do: 'install', title, requirements: asked(now, target, now.versions) }];
  const [later] = jaxBuildsFor(facts, target, '9999', installed).filter(({ cuda }) => cuda === '12');
  const lowest = later?.cuda && lowestDriver(later.cuda, target.gpu.system);
  const update = lowest ? updatingDriver(facts, lowest) : [];
  if (later === undefined || update.length === 0) return [];
  return [...update, { do: 'install', title, requirements: asked(later, target, later.versions), continues: true }];
}

/** The builds that a driver supports: the installed release first, with the newest CUDA. */
function jaxBuildsFor(
  facts: StackFacts,
  target: CudaTarget,
  driver: string | undefined,
  installed?: string,
): readonly PublishedBuild[] {
  const builds = target.os === 'linux' ? jaxForCuda() : [];
  return inUseFirst(runnable(builds, { ...target.gpu, driver }, pythonMinor(facts)), installed);
}

function isOfRelease({ versions }: PublishedBuild, version: string): boolean {
  return versions.includes(`==${version.split('.').slice(0, 2).join('.')}.`);
}

/** The requirements for a build, with the cuDNN that the GPU needs. */
function asked(build: PublishedBuild, { gpu }: CudaTarget, versions: string): string[] {
  const cudnn = cudnnBeside(build, gpu);
  return [`${build.asked}${versions}`, ...(cudnn === undefined ? [] : [cudnn])];
}

/**
 * Installs the installed release of ONNX Runtime with CUDA's libraries, otherwise the newest release that has them and
 * that the driver supports.
 */
export function installOnnxruntime(facts: StackFacts): Action[] {
  const target = cudaTargetOf(facts);
  if (target === undefined) return [];
  const version = knownValue(facts.frameworks.onnxruntime)?.version ?? '';
  const builds = onnxruntimeForCuda(target, false).filter(({ wants }) => wants === undefined);
  const fitting = runnable(builds, target.gpu, pythonMinor(facts)).sort((one, other) =>
    compareVersions(releaseOf(other), releaseOf(one)),
  );
  const same = fitting.find((each) => isOfRelease(each, version));
  if (same !== undefined) {
    const title = "Install ONNX Runtime with CUDA's libraries";
    return [{ do: 'install', title, requirements: asked(same, target, `==${version}`) }];
  }
  const [newest] = fitting;
  if (newest === undefined) return [];
  const title = `Install ONNX Runtime ${releaseOf(newest)} for CUDA ${newest.cuda}, with its libraries`;
  return [{ do: 'install', title, requirements: asked(newest, target, newest.versions) }];
}

function releaseOf({ versions }: PublishedBuild): string {
  return versions.match(/\d+\.\d+/)?.[0] ?? '0';
}
