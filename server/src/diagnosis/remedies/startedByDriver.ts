/** JAX and ONNX Runtime for a CUDA that the driver starts. */

import { quoted } from '../../commands/shellWords.ts';
import { lowestDriver } from '../../published/releases/cudaDriver.ts';
import { compareVersions, majorOf } from '../../published/versions.ts';
import type { Build } from '../../solver/builds/build.ts';
import { jaxForCuda } from '../../solver/builds/jax.ts';
import { onnxruntimeForCuda } from '../../solver/builds/onnxruntime.ts';
import { cudnnBeside } from '../../solver/cudnnBeside.ts';
import { inUseFirst, runnable } from '../../solver/runnable.ts';
import { type CudaTarget, cudaTargetOf } from '../../solver/target.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import type { Remedy } from '../remedy.ts';
import { installing, removing } from './installing.ts';
import { updatingDriver } from './updatingDriver.ts';

/** The same release of JAX for an older CUDA. */
export function installJaxForDriver(facts: StackFacts): Remedy[] {
  const build = knownValue(facts.frameworks.jax);
  const target = cudaTargetOf(facts);
  // What is installed has wheels for this Python.
  const builds = target && build ? runnable(jaxForCuda(), target.gpu, undefined) : [];
  const fitting = builds.find((each) => isOfRelease(each, build?.version ?? ''));
  if (!build || !target || fitting === undefined) return [];
  const other = majorOf(build.cuda ?? '');
  return [
    ...removing(facts, `Remove JAX's plug-in for CUDA ${other}`, `jax-cuda${other}-plugin jax-cuda${other}-pjrt`).slice(
      0,
      1,
    ),
    ...installing(
      facts,
      `For this driver, install JAX for CUDA ${fitting.cuda}`,
      asked(fitting, target, `==${build.version}`),
    )
      .slice(0, 1)
      .map((each) => ({ ...each, continues: true as const })),
  ];
}

/** JAX with CUDA, of the release that is there if possible; with the driver that it needs, where the one at hand is older. */
export function installJaxWithCuda(facts: StackFacts): Remedy[] {
  const target = cudaTargetOf(facts);
  const installed = knownValue(facts.frameworks.jax)?.version;
  const title = 'Install JAX with CUDA';
  // Of a text that tells of no driver.
  if (target === undefined) return installing(facts, title, quoted('jax[cuda12]'));
  const [now] = jaxBuildsFor(facts, target, target.gpu.driver, installed);
  if (now !== undefined) return installing(facts, title, asked(now, target, now.versions));
  const [later] = jaxBuildsFor(facts, target, '9999', installed).filter(({ cuda }) => cuda === '12');
  const lowest = later?.cuda && lowestDriver(later.cuda, target.gpu.system);
  const update = lowest ? updatingDriver(facts, lowest) : [];
  if (later === undefined || update.length === 0) return [];
  const [install] = installing(facts, title, asked(later, target, later.versions));
  return install === undefined ? [] : [...update, { ...install, continues: true }];
}

/** Those that a driver starts, the installed release first, and of it the newest CUDA. */
function jaxBuildsFor(facts: StackFacts, target: CudaTarget, driver: string, installed?: string): readonly Build[] {
  const builds = target.os === 'linux' ? jaxForCuda() : [];
  return inUseFirst(runnable(builds, { ...target.gpu, driver }, pythonOf(facts)), installed);
}

function isOfRelease({ versions }: Build, version: string): boolean {
  return versions.includes(`==${version.split('.').slice(0, 2).join('.')}.`);
}

/** As it is asked for, with the cuDNN that the GPU needs. */
function asked(build: Build, { gpu }: CudaTarget, versions: string): string {
  const cudnn = cudnnBeside(build, gpu);
  return [`${build.asked}${versions}`, ...(cudnn === undefined ? [] : [cudnn])].map(quoted).join(' ');
}

/** The release of ONNX Runtime at hand with CUDA's libraries, else the newest one that the driver starts and that has them. */
export function installOnnxruntime(facts: StackFacts): Remedy[] {
  const target = cudaTargetOf(facts);
  if (target === undefined) return [];
  const version = knownValue(facts.frameworks.onnxruntime)?.version ?? '';
  const builds = onnxruntimeForCuda(target, false).filter(({ wants }) => wants === undefined);
  const fitting = runnable(builds, target.gpu, pythonOf(facts)).sort((one, other) =>
    compareVersions(releaseOf(other), releaseOf(one)),
  );
  const same = fitting.find((each) => isOfRelease(each, version));
  if (same !== undefined)
    return installing(facts, "Install it with CUDA's libraries", asked(same, target, `==${version}`));
  const [newest] = fitting;
  if (newest === undefined) return [];
  const title = `Install ONNX Runtime ${releaseOf(newest)} for CUDA ${newest.cuda}, with its libraries`;
  return installing(facts, title, asked(newest, target, newest.versions));
}

function releaseOf({ versions }: Build): string {
  return versions.match(/\d+\.\d+/)?.[0] ?? '0';
}

function pythonOf({ interpreter }: StackFacts): string | undefined {
  return knownValue(interpreter)?.version?.match(/^\d+\.\d+/)?.[0];
}
