import { readLine } from '../environment/shell/line.ts';
import { jaxReleases } from '../published/releases/jaxReleases.ts';
import { onnxruntimeReleases } from '../published/releases/onnxruntimeReleases.ts';
import { newPythons } from '../published/releases/pythonReleases.ts';
import { tensorflowReleases } from '../published/releases/tensorflowReleases.ts';
import { cudaOfTag, torchReleases } from '../published/releases/torchReleases.ts';
import { isAtLeast } from '../published/versions.ts';
import type { CommandTarget } from './commandTarget.ts';
import { installedByStatement } from './installing.ts';
import { objectionToInstalling } from './objections.ts';

/**
 * Returns a command for a POSIX shell that can work at a place: unchanged, with another torch index, with a cuDNN or a
 * release that the GPU and the driver support, or in a new environment with another Python. Undefined if none of these
 * works. `keepsIndex`: the title has already named the build.
 */
export function adapted(command: string, place: CommandTarget, keepsIndex = false): string | undefined {
  if (objectionToInstalling(command, place) === undefined) return command;
  const variants = [
    ...(keepsIndex ? [] : withOtherIndex(command, place)),
    ...withOtherVersions(command, place),
    ...inNewEnvironment(command, place),
  ];
  return variants.find((each) => objectionToInstalling(each, place) === undefined);
}

const INDEX = /(?<=download\.pytorch\.org\/whl\/)(cu|rocm)\d[\d.]*/;

/** The index of each torch build, the newest release's first. */
function withOtherIndex(command: string, { os }: CommandTarget): string[] {
  const kind = INDEX.exec(command)?.[1];
  if (kind !== undefined) return tagsOf(kind === 'rocm').map((tag) => command.replace(INDEX, tag));
  if (os === 'macos' || !new RegExp(TORCH_OF_PYPI).test(command)) return [];
  return tagsOf(false).map((tag) => fromIndex(tag, command));
}

/** The newest releases first; within a release, PyPI's build and then the newest CUDA. */
function tagsOf(isRocm: boolean): string[] {
  const tags = torchReleases()
    .toReversed()
    .flatMap(({ pypi, builds, rocm }) =>
      isRocm
        ? rocm.toReversed().map((each) => `rocm${each}`)
        : [pypi, ...[...builds.keys()].sort((one, other) => Number(cudaOfTag(other)) - Number(cudaOfTag(one)))],
    );
  return [...new Set(tags)];
}

/** A pip command that only installs torch and packages released with it. */
const TORCH_OF_PYPI =
  /\bpip3? install(?: --?[\w-]+)*(?: "?torch(?:vision|audio)?(?:[=<>!~][=.\d*,<>]+)?"?)+(?= *(?:$|[&;|#]))/g;

/** The same command, with torch from a build's index. */
export function fromIndex(tag: string, command: string): string {
  return command.replace(TORCH_OF_PYPI, `$& --index-url https://download.pytorch.org/whl/${tag}`);
}

function withOtherVersions(command: string, place: CommandTarget): string[] {
  return [...withOlderCudnn(command), ...withOtherRelease(command, place)];
}

/** Packages that install cuDNN also accept an older one; 9.10 is the last for GPUs before Turing. */
function withOlderCudnn(command: string): string[] {
  return /\[(?:cuda12|and-cuda)\]["']?$/.test(command) ? [`${command} "nvidia-cudnn-cu12<9.11"`] : [];
}

const RELEASES: Readonly<Record<string, () => readonly string[]>> = {
  tensorflow: () => tensorflowReleases().map(({ tensorflow }) => tensorflow),
  jax: () => jaxReleases().map(({ jax }) => jax),
  'onnxruntime-gpu': () => onnxruntimeReleases().map(({ onnxruntime }) => onnxruntime),
};

/** Any release, if the command names none: the newest first, and none older than the installed one. */
function withOtherRelease(command: string, { newest }: CommandTarget): string[] {
  const [, name = ''] = /["' ](tensorflow|jax|onnxruntime-gpu)(?:\[[\w,-]+\])?["']?$/.exec(command) ?? [];
  const there = newest[name.replace('-gpu', '')];
  return (RELEASES[name]?.() ?? [])
    .filter((release) => there === undefined || isAtLeast(release, there))
    .map((release) => command.replace(/["']?([\w-]+(?:\[[\w,-]+\])?)["']?$/, `"$1==${release}.*"`));
}

/** For a command that only installs with pip; a new environment needs no removal first. */
function inNewEnvironment(command: string, place: CommandTarget): string[] {
  const own = command.replace(/^(?:python -m )?pip3? uninstall [^;&|]*(?:;|&&) */, '');
  const isPlain = /^(?:python -m )?pip3? install\b/.test(own) && readLine(own).statements.every(installedByStatement);
  if (place.python === undefined || !isPlain || /--force-reinstall/.test(own)) return [];
  const fitting = [own, ...withOtherVersions(own, place)];
  return fitting.flatMap((each) =>
    newPythons().map((python) => `conda create -n gpu python=${python} && conda activate gpu && ${each}`),
  );
}
