import { releasesForTorch } from '../../diagnosis/remedies/pins.ts';
import { torchesNamedIn } from '../../pasted/torchNamed.ts';
import { compiledBy, compilersFor, driverOfCuda } from '../../published/releases/cudaDriver.ts';
import { tensorflowReleaseOf } from '../../published/releases/tensorflowReleases.ts';
import { torchFamilyReleases } from '../../published/releases/torchCompanions.ts';
import {
  cudaOfTag,
  tagOfCuda,
  torchHas,
  torchReleaseOf,
  torchReleases,
} from '../../published/releases/torchReleases.ts';
import { compareVersions } from '../../published/versions.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { packageVersion } from '../../stack/facts/installed.ts';
import { newestTensorflow } from './newestTensorflow.ts';

type Parts = Readonly<Record<string, string>>;

/**
 * What the tables of releases know of what a message names. Of a release that an index is asked for (`package` and
 * `wanted`): `python`, the newest that it has wheels for, and `tag`, its build, such as "cu113". Of an `architecture`:
 * `since` and `until`, the first and the last CUDA that compiles for it, and `older`, what the `compiler` at hand knows,
 * or else CUDA of before compiles for. Of
 * torch's CUDA (`torch`) the `tag` of its builds, and of a `toolkit` the `toolkitTag` of those that it compiles for. Of
 * `what` sources ask torch for `lastTorch`, the last release with it. Of a `driverCuda` of before CUDA 11 the last torch
 * for it is `olderTorch`, for Pythons up to `olderPython`, and of an image that has `wanted` a CUDA `driverWanted` is the
 * first driver that runs it. For the torch that xformers finds (`torchHere`) `xformersHere` are its releases.
 */
export function releaseParts(parts: Parts, compiler?: string): Parts {
  const { package: name = '', wanted, architecture, torch, toolkit, what, driverCuda } = parts;
  const [, version, tag] = wanted?.match(/==\s?(\d+(?:\.\d+)+)(?:\+(cu\d+))?/) ?? [];
  const python = version === undefined ? undefined : newestPython(name, version);
  const capability = architecture === undefined ? undefined : capabilityIn(architecture);
  const [, major, minor] = parts.python?.match(/^cp(\d)(\d{1,2})$/) ?? [];
  const [, imageCuda] = wanted?.match(/cuda ?>= ?(\d+\.\d+)/) ?? [];
  const driverWanted = imageCuda && driverOfCuda(imageCuda, 'linux');
  return {
    ...(python !== undefined && { python }),
    ...(driverWanted && { driverWanted: `${driverWanted} or newer` }),
    ...tagParts('tag', tag ?? buildsOf(torch).find((each) => each === tagOfCuda(torch ?? ''))),
    ...tagParts('toolkitTag', buildsOf(toolkit).at(-1)),
    ...(capability !== undefined && compilerParts(capability, compiler)),
    ...(architecture?.endsWith('_90a') && { since: '12.0' }),
    ...(driverCuda !== undefined && lastTorchFor(Number(driverCuda))),
    ...(what === 'AT_CHECK' && { lastTorch: '1.4' }),
    ...(major !== undefined && { wheelPython: `${major}.${minor}` }),
    ...xformersFor(parts.torchHere),
  };
}

function xformersFor(torch: string | undefined): Parts {
  const xformersHere = torch && releasesForTorch('xformers', torch);
  return xformersHere ? { xformersHere } : {};
}

/**
 * Before CUDA 11 a driver runs no newer minor version, so that of each the last release counts that has its builds under a
 * tag. `found` is a thousand times the major number and ten times the minor one.
 */
function lastTorchFor(found: number): Parts {
  const tag = `cu${Math.trunc(found / 1000)}${Math.trunc((found % 1000) / 10)}`;
  const last = torchReleases().findLast(({ builds }) => builds.has(tag));
  const version = last?.versions.at(-1);
  if (last === undefined || version === undefined || found >= 11_000) return {};
  const isTagged = last.pypi !== tag || torchHas('local_tags', version);
  return isTagged ? { olderTorch: `${version}+${tag}`, olderPython: last.python[1] } : {};
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

/** Compute capabilities of desktops and servers that a toolkit of before knows, whose PTX the driver compiles for newer GPUs. */
const EARLIER = ['6.1', '7.0', '7.5', '8.0', '8.6'];

function compilerParts(capability: string, compiler: string | undefined): Parts {
  const compilers = compilersFor(capability);
  const known = compiler === undefined ? undefined : compiledBy(compiler)?.capabilities;
  const older = EARLIER.findLast(
    (each) => compareVersions(each, capability) < 0 && (known === undefined || known.includes(each)),
  );
  return { ...compilers, ...(compilers && older !== undefined && { older }) };
}

/** The CUDA of the nvcc that compiles: the one in the folder that the text shows, or else the one at hand. */
export function compilerIn(text: string, facts: StackFacts | undefined): string | undefined {
  const [first] = (facts && knownValue(facts.toolkits)) ?? [];
  const version = /\/cuda-(\d+\.\d)\/bin\/nvcc\b/.exec(text)?.[1] ?? first?.version;
  return version?.match(/^\d+\.\d+/)?.[0];
}

/** The `jaxlib` that is installed, where the message itself does not name it. */
export function jaxParts({ jaxlib }: Parts, facts: StackFacts | undefined): Parts {
  const installed = jaxlib ?? packageVersion(facts, 'jaxlib');
  return installed === undefined ? {} : { jaxlib: installed };
}

/** How it names the CUDA beside a torch: "cuda: 11.6". */
const CUDA_NAMED = /\bcuda(?: version)?[\s=:：v]{1,3}(\d{1,2}\.\d)\b/gi;

/**
 * Of the torch that is installed, or else the only build that a text names, `torchBuild` ("1.12.1+cu116"), as the addresses
 * of wheels for it name it, and of DGL, whose wheels end with torch 2.4, `dglWheels`, where they lie, and `dgl`, where that is
 * not its name. Its CUDA is that of the build, or the one that the text names, where that release has it.
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

/** Those for which DGL has folders; its wheels of before are packages of their own, such as dgl-cu111. */
const DGL_FOLDERS = /^cu1(?:13|16|17|18|21)$/;

function dglParts(torch: string, tag: string): Parts {
  if (compareVersions(torch, '2.4') > 0) return {};
  if (compareVersions(torch, '2.1') >= 0) return { dglWheels: `torch-${torch}/${tag}/repo.html` };
  return DGL_FOLDERS.test(tag) ? { dglWheels: `${tag}/repo.html` } : { dgl: `dgl-${tag}`, dglWheels: 'repo.html' };
}

function onlyOne(those: readonly string[]): string | undefined {
  const [first, ...others] = new Set(those);
  return others.length === 0 ? first : undefined;
}

/** How people name the TensorFlow that they run: "tensorflow-gpu==1.15.2", "TF 2.4". */
const TENSORFLOW_NAMED =
  /\b(?:tensorflow(?:[-_]gpu)?|tf)(?: version)?\s{0,2}[=:v]{0,3}\s?v?([12]\.\d{1,2})(?=\.\d|[\s,;)]|$)/gi;

/**
 * Of the TensorFlow that is installed, or else the only one that a text names, `tensorflowRelease` ("2.4") with the
 * `tensorflowCuda` and `tensorflowCudnn` that it is built for, and `tfKerasPin`, which keeps tf_keras with it; empty where that
 * is not known.
 */
export function tensorflowParts(text: string, facts: StackFacts | undefined): Parts {
  const installed = facts && knownValue(facts.frameworks.tensorflow)?.version.match(/^\d+\.\d+/)?.[0];
  const named = new Set([...text.matchAll(TENSORFLOW_NAMED)].map(([, release = '']) => release));
  const release = tensorflowReleaseOf(installed ?? (named.size === 1 ? ([...named][0] ?? '') : ''));
  if (release === undefined) return named.size === 0 ? cudaOfThen(text) : {};
  const [major = 0, minor = 0] = release.tensorflow.split('.').map(Number);
  // tf_keras asks for the TensorFlow of its own number; without a limit pip puts the newest of both in place.
  const isWithOwn = major === 2 && minor >= FIRST_TF_KERAS;
  return {
    tensorflowRelease: release.tensorflow,
    tensorflowCuda: release.cuda,
    tensorflowCudnn: release.cudnn,
    ...(isWithOwn && { tfKerasPin: `~=${release.tensorflow}.0` }),
  };
}

/**
 * The CUDA that the newest TensorFlow was built for when a log was written: whoever ran it had that one, as a rule. From CUDA 12
 * on its extra brings it, and who looks for one has an older release.
 */
function cudaOfThen(text: string): Parts {
  const then = tensorflowReleaseOf(newestTensorflow(text, undefined) ?? '');
  return then === undefined || compareVersions(then.cuda, '12') >= 0
    ? {}
    : { tensorflowCuda: then.cuda, tensorflowCudnn: then.cudnn };
}

/** 2.15 was the first that TensorFlow has beside it. */
const FIRST_TF_KERAS = 15;
