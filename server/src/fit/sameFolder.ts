/** The relation between distributions that install the same folder: the imported files are from the last one, or from both. */
import { gpuPackages } from '../published/gpuPackages.ts';
import { tensorflowHas } from '../published/releases/tensorflowReleases.ts';
import type { Build } from './build.ts';
import type { Fit } from './relation.ts';

type Distribution = Pick<Build, 'name' | 'version'>;

/** Returns whether two distributions can be installed together; `tensorflow` and `tensorflow-gpu` of one release can. */
export function folderFor(one: Distribution, other: Distribution): Fit {
  const isShared = gpuPackages().one_folder.some(({ names }) => names.includes(one.name) && names.includes(other.name));
  if (!isShared || one.name === other.name) return { fit: 'holds' };
  const isPair = [one, other].every(({ name }) => name === 'tensorflow' || name === 'tensorflow-gpu');
  const isOne = isPair && one.version !== undefined && one.version === other.version;
  return { fit: isOne && tensorflowHas('same_as_gpu_package', one.version) ? 'holds' : 'fails' };
}
