import { compilersFor } from '../stack/releases/cudaDriver.ts';
import { tensorflowReleaseOf } from '../stack/releases/tensorflowReleases.ts';
import { torchFamilyReleases } from '../stack/releases/torchCompanions.ts';
import { torchReleaseOf } from '../stack/releases/torchReleases.ts';

type Parts = Readonly<Record<string, string>>;

/**
 * What the tables of releases know of what a message names. Of a release that an index is asked for (`package` and
 * `wanted`): `python`, the newest that it has wheels for, and `tag`, its build, such as "cu113". Of an `architecture`:
 * `since` and `until`, the first and the last CUDA that compiles for it.
 */
export function releaseParts({ package: name = '', wanted, architecture }: Parts): Parts {
  const [, version, tag] = wanted?.match(/==\s?(\d+(?:\.\d+)+)(?:\+(cu\d+))?/) ?? [];
  const python = version === undefined ? undefined : newestPython(name, version);
  const capability = architecture === undefined ? undefined : capabilityIn(architecture);
  return {
    ...(python !== undefined && { python }),
    ...(tag !== undefined && { tag }),
    ...(capability !== undefined && compilersFor(capability)),
  };
}

function newestPython(name: string, version: string): string | undefined {
  if (name === 'torch') return torchReleaseOf(version)?.python[1];
  if (name === 'torchvision' || name === 'torchaudio') {
    const released = torchFamilyReleases().find((release) => release[name].includes(version));
    return released && torchReleaseOf(released.torch)?.python[1];
  }
  return /^tensorflow\b/.test(name) ? tensorflowReleaseOf(version)?.python[1] : undefined;
}

/** "8.6" of "compute_86", "sm_86" and "8.6+PTX"; "12.1" of "compute_121a". */
function capabilityIn(architecture: string): string | undefined {
  const [, major, minor] = architecture.match(/^(?:(?:compute|sm)_)?(\d{1,2})\.?(\d)(?!\d)/) ?? [];
  return major === undefined ? undefined : `${major}.${minor}`;
}
