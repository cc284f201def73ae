/** JAX and ONNX Runtime for a CUDA that the driver starts. */

import { lowestDriver } from '../../published/releases/cudaDriver.ts';
import { jaxReleaseOf } from '../../published/releases/jaxReleases.ts';
import { type OnnxruntimeRelease, onnxruntimeReleases } from '../../published/releases/onnxruntimeReleases.ts';
import { compareVersions, majorOf } from '../../published/versions.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import type { Remedy } from '../remedy.ts';
import { installing, quoted, removing } from './installing.ts';
import { driverSystem } from './torchFamily.ts';

/** The same release of JAX for an older CUDA. */
export function installJaxForDriver(facts: StackFacts): Remedy[] {
  const build = knownValue(facts.frameworks.jax);
  const families = Object.keys(jaxReleaseOf(build?.version ?? '')?.cudnn ?? {});
  const [cuda] = families.filter((each) => isStarted(facts, each)).sort((left, right) => compareVersions(right, left));
  if (!build || cuda === undefined) return [];
  const other = majorOf(build.cuda ?? '');
  return [
    ...removing(facts, `Remove JAX's plug-in for CUDA ${other}`, `jax-cuda${other}-plugin jax-cuda${other}-pjrt`).slice(
      0,
      1,
    ),
    ...installing(facts, `For this driver, install JAX for CUDA ${cuda}`, quoted(`jax[cuda${cuda}]==${build.version}`))
      .slice(0, 1)
      .map((each) => ({ ...each, continues: true as const })),
  ];
}

/** The release of ONNX Runtime at hand with CUDA's libraries, else the newest one that the driver starts and that has them. */
export function installOnnxruntime(facts: StackFacts): Remedy[] {
  const version = knownValue(facts.frameworks.onnxruntime)?.version ?? '';
  const releases = onnxruntimeReleases().filter((each) => isInstallable(facts, each));
  if (releases.some(({ onnxruntime }) => version.startsWith(`${onnxruntime}.`)))
    return installing(facts, "Install it with CUDA's libraries", quoted(`onnxruntime-gpu[cuda,cudnn]==${version}`));
  const [newest] = releases;
  if (newest === undefined) return [];
  const { onnxruntime, cuda } = newest;
  const title = `Install ONNX Runtime ${onnxruntime} for CUDA ${cuda}, with its libraries`;
  return installing(facts, title, quoted(`onnxruntime-gpu[cuda,cudnn]==${onnxruntime}.*`));
}

function isInstallable(facts: StackFacts, { python: range, cuda, extras, arm }: OnnxruntimeRelease): boolean {
  const python = knownValue(facts.interpreter)?.version?.match(/^\d+\.\d+/)?.[0];
  const isThere = !python || (compareVersions(python, range[0]) >= 0 && compareVersions(python, range[1]) <= 0);
  const isOnArm = knownValue(facts.os)?.architecture === 'arm64';
  return Boolean(extras) && isThere && (!isOnArm || Boolean(arm)) && isStarted(facts, cuda);
}

/** Whether the driver starts a family of CUDA; one that is not known may. */
function isStarted(facts: StackFacts, cuda: string): boolean {
  const system = driverSystem(facts);
  const driver = knownValue(facts.driver);
  const lowest = system && lowestDriver(cuda, system);
  return driver === undefined || lowest === undefined || compareVersions(driver, lowest) >= 0;
}
