/** The relations between a torch and the packages that are released with it: their release, and their build. */
import { knownPackage } from '../published/knownPackages.ts';
import type { TorchCompanion } from '../published/releases/torchCompanions.ts';
import { isRelease, torchReleaseOf } from '../published/releases/torchReleases.ts';
import { satisfiesAsAny } from '../published/specifier.ts';
import { minorOf } from '../published/versions.ts';
import type { Build } from './build.ts';
import { cudaBeside } from './cudaFamily.ts';
import type { Fit } from './relation.ts';

type Part = Required<Pick<Build, 'version'>> & Pick<Build, 'target' | 'cuda'>;

/** Returns whether a companion is of the release for a torch, such as "0.21"; builds from source are in no table. */
export function companionRelease(torch: Part, name: TorchCompanion, { version }: Part): Fit<{ needed: string }> {
  const needed = isRelease(torch.version) ? torchReleaseOf(torch.version)?.[name] : undefined;
  if (needed === undefined || !isRelease(version)) return { fit: 'unknown', missing: 'the release' };
  return { fit: version.startsWith(`${needed}.`) ? 'holds' : 'fails', needed };
}

/** Returns whether a companion is built for the CUDA of a torch: wheels of PyTorch's own index show it in a local tag. */
export function companionBuild(torch: Part, name: TorchCompanion, other: Part): Fit {
  if (!torch.target || !other.target) return { fit: 'unknown', missing: 'the builds' };
  if (torch.cuda === null || other.cuda === null) return { fit: torch.cuda === other.cuda ? 'holds' : 'fails' };
  if (!satisfiesAsAny(other.version, knownPackage(name)?.minor_cuda ?? '<0')) return cudaBeside(torch.cuda, other.cuda);
  return { fit: minorOf(torch.cuda) === minorOf(other.cuda) ? 'holds' : 'fails' };
}
