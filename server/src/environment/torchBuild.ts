/** The build of torch or a companion that a requirement selects. */

import { publishedReleases } from '../published/releases/publishedWheels.ts';
import { cudaOfTag, torchReleases } from '../published/releases/torchReleases.ts';
import { readable } from './address.ts';
import type { LocatedSpan, PackageSource, Requirement, VersionRange } from './environmentFile.ts';
import { admits, minorsOf } from './versions.ts';

/** "cpu", "cu118", "rocm6.0" or "xpu", with the place that says so. */
interface TorchBuildTag {
  readonly tag: string;
  readonly span: LocatedSpan;
  /** True if the place is an index, which contains only builds of that kind. */
  readonly isIndex: boolean;
}

const TAG = /(?:^|[/+_-])(cpu|cu\d{2,3}|rocm\d+(?:\.\d+)*|xpu)(?=[/._-]|$)/;

/** Returns the kind of build at the address of PyTorch's index or a mirror: "cu118" for ".../whl/cu118". */
export function tagOfIndex(url: string): string | undefined {
  if (!/pytorch/i.test(url)) return undefined;
  return TAG.exec(
    readable(url)
      .replace(/[?#].*$/, '')
      .replace(/\.html$/, '/'),
  )?.[1];
}

/** Returns the build that a local tag, a file or an index selects; undefined if none does. */
export function torchBuildOf(requirement: Requirement): TorchBuildTag | undefined {
  const { local, url, build, span, sources } = requirement;
  const tag = local && TAG.exec(`+${local.text}`)?.[1];
  if (tag !== undefined) return { tag, span: url === undefined && local ? local.span : span, isIndex: false };
  if (url !== undefined) return undefined;
  if (build !== undefined) return ofCondaBuild(build, span);
  const tagged = taggedSources(sources);
  const tags = new Set(tagged.map((source) => source.tag));
  const [first] = tagged;
  if (tags.size !== 1 || !first || passedOver(requirement, first) !== undefined) return undefined;
  return { tag: first.tag, span: first.span, isIndex: true };
}

/**
 * Returns the newest allowed torch if an extra index ends before it. `python` is the target version, for which PyPI may
 * have only older releases.
 */
export function passedOver(
  { name, specifier, sources }: Requirement,
  { tag, kind }: TaggedSource,
  python?: VersionRange,
): { readonly last: string; readonly newest: string } | undefined {
  if (kind === 'index' || !tag.startsWith('cu') || name !== 'torch' || sources.some((each) => each.kind === 'index'))
    return undefined;
  const admitted = torchReleases().filter(({ versions }) => versions.some((version) => admits(specifier, version)));
  const newest = admitted.findLast(({ versions }) => versions.some((version) => isForPython(version, python)));
  const last = admitted.findLast(({ builds }) => builds.has(tag));
  if (newest === undefined || last === undefined || newest === last) return undefined;
  return { last: last.torch, newest: newest.torch };
}

/**
 * True if PyPI has wheels of a torch release for Linux and that Python version; true if no Python version is stated.
 */
function isForPython(torch: string, python: VersionRange | undefined): boolean {
  const minors = python && minorsOf(python.specifier);
  const range = publishedReleases('torch')
    ?.find(({ version }) => version === torch)
    ?.wheels.get('linux');
  if (minors === undefined || range === undefined) return true;
  return minors.some((minor) => range[0] <= minor && minor <= range[1]);
}

/** "py3.10_cuda11.8_cudnn8.7.0_0", "cpu_generic_py310h", "cuda118py39h". */
function ofCondaBuild(build: string, span: LocatedSpan): TorchBuildTag | undefined {
  const cuda = /cuda_?(\d+)\.?(\d)/.exec(build);
  if (cuda) return { tag: `cu${cuda[1]}${cuda[1]?.length === 3 ? '' : cuda[2]}`, span, isIndex: false };
  return /(?:^|_)cpu/.test(build) ? { tag: 'cpu', span, isIndex: false } : undefined;
}

interface TaggedSource extends PackageSource {
  readonly tag: string;
}

/** Returns the sources that have builds of one kind, except conditional ones. */
export function taggedSources(sources: readonly PackageSource[]): TaggedSource[] {
  return sources.flatMap((source) => {
    const tag = source.marker === undefined ? tagOfIndex(source.url) : undefined;
    return tag === undefined ? [] : [{ ...source, tag }];
  });
}

/** Returns a description of a build: "for CUDA 11.8", "for the CPU only", "for ROCm 6.0". */
export function describeTag(tag: string): string {
  if (tag.startsWith('cu')) return `for CUDA ${cudaOfTag(tag)}`;
  if (tag === 'cpu') return 'for the CPU only';
  return tag.startsWith('rocm') ? `for ROCm ${tag.slice(4)}` : "for Intel's GPUs";
}
