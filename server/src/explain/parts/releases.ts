import { releasesForTorch } from '../../diagnosis/remedies/pins.ts';
import { torchesNamedIn } from '../../pasted/torchNamed.ts';
import { knownPackage } from '../../published/knownPackages.ts';
import { compiledBy, compilersFor, compilersForPart, driverOfCuda } from '../../published/releases/cudaDriver.ts';
import { tensorflowHas, tensorflowReleaseOf } from '../../published/releases/tensorflowReleases.ts';
import { isTorchCompanion, torchFamilyReleases } from '../../published/releases/torchCompanions.ts';
import {
  cudaOfTag,
  lastTorchWith,
  tagOfCuda,
  torchReleaseOf,
  torchReleases,
} from '../../published/releases/torchReleases.ts';
import { satisfies } from '../../published/specifier.ts';
import { compareVersions } from '../../published/versions.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { packageVersion } from '../../stack/facts/installed.ts';
import { newestTensorflow } from './newestTensorflow.ts';

type Parts = Readonly<Record<string, string>>;

/**
 * Values that the release tables add to a message's captures.
 *
 * | capture | values |
 * | a requested release (`package`, `wanted`) | `python`, the newest with wheels; `tag`, its build, such as "cu113" |
 * | an `architecture` | `since` and `until`, the first and last CUDA that compiles for it; `older`, which the `compiler`, or an earlier CUDA, supports |
 * | torch's CUDA (`torch`) | `tag` of its builds |
 * | a `toolkit` | `toolkitTag`, the builds that it compiles for |
 * | `what` (sources) | `lastTorch`, the last torch that supports it |
 * | an image's CUDA (`wanted`) | `driverWanted`, the first driver for it |
 * | the torch that xformers finds (`torchHere`) | `xformersHere`, the matching releases |
 */
export function releaseParts(parts: Parts, compiler?: string): Parts {
  const { package: name = '', wanted, architecture, torch, toolkit, what } = parts;
  const [, version, tag] = wanted?.match(/==\s?(\d+(?:\.\d+)+)(?:\+(cu\d+))?/) ?? [];
  const python = version === undefined ? undefined : newestPython(name, version);
  const capability = architecture === undefined ? undefined : capabilityIn(architecture);
  const [, major, minor] = parts.python?.match(/^cp(\d)(\d{1,2})$/) ?? [];
  const [, imageCuda] = wanted?.match(/cuda ?>= ?(\d+\.\d+)/) ?? [];
  const sinceOfPart = architecture && compilersForPart(architecture);
  const driverWanted = imageCuda && driverOfCuda(imageCuda, 'linux');
  return {
    ...(python !== undefined && { python }),
    ...(driverWanted && { driverWanted: `${driverWanted} or newer` }),
    ...tagParts('tag', tag ?? buildsOf(torch).find((each) => each === tagOfCuda(torch ?? ''))),
    ...tagParts('toolkitTag', buildsOf(toolkit).at(-1)),
    ...(capability !== undefined && compilerParts(capability, compiler)),
    ...(sinceOfPart !== undefined && { since: sinceOfPart }),
    ...(what === 'AT_CHECK' && { lastTorch: lastTorchWith('at_check') }),
    ...(major !== undefined && { wheelPython: `${major}.${minor}` }),
    ...xformersFor(parts.torchHere),
  };
}

function xformersFor(torch: string | undefined): Parts {
  const xformersHere = torch && releasesForTorch('xformers', torch);
  return xformersHere ? { xformersHere } : {};
}

function tagParts(name: string, tag: string | undefined): Parts {
  return tag === undefined ? {} : { [name]: tag };
}

/**
 * The tags of torch builds with the same major version as a CUDA release, up to that release, except tags that only one
 * torch release has.
 */
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
  if (isTorchCompanion(name)) {
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

/** Compute capabilities of desktops and servers in an older toolkit; the driver compiles their PTX for newer GPUs. */
const EARLIER = ['6.1', '7.0', '7.5', '8.0', '8.6'];

function compilerParts(capability: string, compiler: string | undefined): Parts {
  const compilers = compilersFor(capability);
  const known = compiler === undefined ? undefined : compiledBy(compiler)?.capabilities;
  const older = EARLIER.findLast(
    (each) => compareVersions(each, capability) < 0 && (known === undefined || known.includes(each)),
  );
  return { ...compilers, ...(compilers && older !== undefined && { older }) };
}

/** The CUDA version of the compiling nvcc: the version in a folder name in the text, otherwise the installed one. */
export function compilerIn(text: string, facts: StackFacts | undefined): string | undefined {
  const [first] = (facts && knownValue(facts.toolkits)) ?? [];
  const version = /\/cuda-(\d+\.\d)\/bin\/nvcc\b/.exec(text)?.[1] ?? first?.version;
  return version?.match(/^\d+\.\d+/)?.[0];
}

/** The installed `jaxlib`, if the message itself does not name it. */
export function jaxParts({ jaxlib }: Parts, facts: StackFacts | undefined): Parts {
  const installed = jaxlib ?? packageVersion(facts, 'jaxlib');
  return installed === undefined ? {} : { jaxlib: installed };
}

/** A text's notation for the CUDA version of a torch build: "cuda: 11.6". */
const CUDA_NAMED = /\bcuda(?: version)?[\s=:：v]{1,3}(\d{1,2}\.\d)\b/gi;

/**
 * For the installed torch, or the only build in a text: `torchBuild` ("1.12.1+cu116") as in addresses of wheels; and
 * for DGL, whose wheels end with torch 2.4, `dglWheels`, their address, and `dgl`, its name if different. Its CUDA is
 * the build's, or the one in the text if that release has it.
 */
export function torchParts(text: string, facts: StackFacts | undefined): Parts {
  const build = facts && knownValue(facts.frameworks.torch);
  const named = onlyOne(
    torchesNamedIn(text).flatMap(({ version, tag }) => (tag === undefined ? [] : `${version}+${tag}`)),
  );
  const [, version, tag] = (build?.version ?? named ?? '').match(/^(\d+\.\d+(?:\.\d+)?)(?:\+(cu\d+))?$/) ?? [];
  const release = version === undefined ? undefined : torchReleaseOf(version);
  const cuda = build?.cuda ?? onlyOne([...text.matchAll(CUDA_NAMED)].map(([, each = '']) => each));
  const its = tag ?? (cuda && release?.builds.has(tagOfCuda(cuda)) ? tagOfCuda(cuda) : undefined);
  if (release === undefined || its === undefined) return {};
  const whole = version?.split('.').length === 2 ? `${version}.0` : version;
  return { torchBuild: `${whole}+${its}`, ...dglParts(release.torch, its) };
}

function dglParts(torch: string, tag: string): Parts {
  const row = knownPackage('dgl')?.wheel_pages?.find(
    ({ torch: torches, tags }) => satisfies(torch, torches) && (tags?.includes(tag) ?? true),
  );
  const filled = (text: string) => text.replace('{torch}', torch).replace('{tag}', tag);
  return row === undefined
    ? {}
    : { dglWheels: filled(row.page), ...(row.installed !== undefined && { dgl: filled(row.installed) }) };
}

function onlyOne(those: readonly string[]): string | undefined {
  const [first, ...others] = new Set(those);
  return others.length === 0 ? first : undefined;
}

/** Names of a TensorFlow release in a text: "tensorflow-gpu==1.15.2", "TF 2.4". */
const TENSORFLOW_NAMED =
  /\b(?:tensorflow(?:[-_]gpu)?|tf)(?: version)?\s{0,2}[=:v]{0,3}\s?v?([12]\.\d{1,2})(?=\.\d|[\s,;)]|$)/gi;

/**
 * For the installed TensorFlow, or the only one in a text: `tensorflowRelease` ("2.4") with the `tensorflowCuda` and
 * `tensorflowCudnn` of its build, and `tfKerasPin`, which keeps tf_keras at the same release; empty if unknown.
 */
export function tensorflowParts(text: string, facts: StackFacts | undefined): Parts {
  const installed = facts && knownValue(facts.frameworks.tensorflow)?.version.match(/^\d+\.\d+/)?.[0];
  const named = new Set([...text.matchAll(TENSORFLOW_NAMED)].map(([, release = '']) => release));
  const release = tensorflowReleaseOf(installed ?? (named.size === 1 ? ([...named][0] ?? '') : ''));
  if (release === undefined) return named.size === 0 ? cudaOfThen(text) : {};
  // tf_keras requires the TensorFlow release with the same number; without a limit pip installs the newest of both.
  const isWithOwn = tensorflowHas('tf_keras_requires_its_number', release.tensorflow);
  return {
    tensorflowRelease: release.tensorflow,
    tensorflowCuda: release.cuda,
    tensorflowCudnn: release.cudnn,
    ...(isWithOwn && { tfKerasPin: `~=${release.tensorflow}.0` }),
  };
}

/**
 * The CUDA version of the newest TensorFlow release at the time of a log, which its author usually had. From CUDA 12 on
 * TensorFlow's extra installs CUDA, so people with a problem have an older release.
 */
function cudaOfThen(text: string): Parts {
  const then = tensorflowReleaseOf(newestTensorflow(text, undefined) ?? '');
  return then === undefined || compareVersions(then.cuda, '12') >= 0
    ? {}
    : { tensorflowCuda: then.cuda, tensorflowCudnn: then.cudnn };
}
