/** The relations between a torch and the packages that are released with it: their release, and their build. */
import { knownPackage } from '../published/knownPackages.ts';
import {
  type TorchCompanion,
  type TorchFamilyRelease,
  torchFamilyReleases,
} from '../published/releases/torchCompanions.ts';
import { isRelease, torchReleaseOf } from '../published/releases/torchReleases.ts';
import { satisfiesAsAny } from '../published/specifier.ts';
import { compareVersions, minorOf } from '../published/versions.ts';
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

/** True for the versions that a requirement allows. */
type Allows = (version: string) => boolean;

/** The newest torch for the allowed companions, and the newest companion for the allowed torches. */
interface Matches {
  readonly needed: string;
  readonly matching: string | undefined;
}

/**
 * Returns whether any of the releases of torch and of a companion that requirements allow go together. Conda's packages
 * work with all patches of a release, and are not compared exactly.
 */
export function companionReleases(
  torch: Allows,
  name: TorchCompanion,
  companion: Allows,
  isExact: boolean,
): Fit<Matches> {
  const releases = torchFamilyReleases();
  const ofTorch = releases.filter((release) => torch(release.torch));
  const ofCompanion = releases.filter((release) => release[name].some(companion));
  const needed = newest(ofCompanion.map((release) => release.torch));
  if (ofTorch.length === 0 || needed === undefined) return { fit: 'unknown', missing: 'the release' };
  const key = (release: TorchFamilyRelease) => (isExact ? release.torch : minorOf(release.torch));
  const torches = new Set(ofTorch.map(key));
  const fit = ofCompanion.some((release) => torches.has(key(release))) ? 'holds' : 'fails';
  return { fit, needed, matching: newest(ofTorch.flatMap((release) => release[name])) };
}

function newest(versions: readonly string[]): string | undefined {
  return [...versions].sort(compareVersions).at(-1);
}

/** Returns whether a companion is built for the CUDA of a torch: wheels of PyTorch's own index show it in a local tag. */
export function companionBuild(torch: Part, name: TorchCompanion, other: Part): Fit {
  if (!torch.target || !other.target) return { fit: 'unknown', missing: 'the builds' };
  if (torch.cuda === null || other.cuda === null) return { fit: torch.cuda === other.cuda ? 'holds' : 'fails' };
  if (!satisfiesAsAny(other.version, knownPackage(name)?.minor_cuda ?? '<0')) return cudaBeside(torch.cuda, other.cuda);
  return { fit: minorOf(torch.cuda) === minorOf(other.cuda) ? 'holds' : 'fails' };
}
