import { compareVersions, compilersFor } from '../stack/releases/cudaDriver.ts';
import { tensorflowReleaseOf } from '../stack/releases/tensorflowReleases.ts';
import { torchFamilyReleases } from '../stack/releases/torchCompanions.ts';
import { cudaOfTag, tagOfCuda, torchReleaseOf, torchReleases } from '../stack/releases/torchReleases.ts';

type Parts = Readonly<Record<string, string>>;

/**
 * What the tables of releases know of what a message names. Of a release that an index is asked for (`package` and
 * `wanted`): `python`, the newest that it has wheels for, and `tag`, its build, such as "cu113". Of an `architecture`:
 * `since` and `until`, the first and the last CUDA that compiles for it. Of torch's CUDA (`torch`) the `tag` of its builds,
 * and of a `toolkit` the `toolkitTag` of those that it compiles for.
 */
export function releaseParts({ package: name = '', wanted, architecture, torch, toolkit }: Parts): Parts {
  const [, version, tag] = wanted?.match(/==\s?(\d+(?:\.\d+)+)(?:\+(cu\d+))?/) ?? [];
  const python = version === undefined ? undefined : newestPython(name, version);
  const capability = architecture === undefined ? undefined : capabilityIn(architecture);
  return {
    ...(python !== undefined && { python }),
    ...tagParts('tag', tag ?? buildsOf(torch).find((each) => each === tagOfCuda(torch ?? ''))),
    ...tagParts('toolkitTag', buildsOf(toolkit).at(-1)),
    ...(capability !== undefined && compilersFor(capability)),
  };
}

function tagParts(name: string, tag: string | undefined): Parts {
  return tag === undefined ? {} : { [name]: tag };
}

/** The tags of torch's builds for the major version of a CUDA, up to it; not those that only one release has. */
function buildsOf(cuda: string | undefined): readonly string[] {
  const [, version, major] = cuda?.match(/^((\d+)\.\d+)/) ?? [];
  if (version === undefined) return [];
  const all = torchReleases().flatMap(({ builds }) => [...builds.keys()]);
  return [...new Set(all.filter((tag, at) => all.indexOf(tag) !== at))]
    .filter((tag) => cudaOfTag(tag).startsWith(`${major}.`) && compareVersions(cudaOfTag(tag), version) <= 0)
    .sort((a, b) => compareVersions(cudaOfTag(a), cudaOfTag(b)));
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
