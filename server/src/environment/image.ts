/** What the names and tags of well-known container images say of what is in them. */
import { compareVersions } from '../stack/releases/cudaDriver.ts';
import type { VersionRange, Written } from './environmentFile.ts';

export interface KnownImage {
  readonly maker: 'cuda' | 'pytorch' | 'nvidia-pytorch' | 'tensorflow' | 'nvidia-tensorflow' | 'server';
  /** "12.1". */
  readonly cuda?: string;
  /** The version of the framework that is in it: "2.1.0". */
  readonly version?: string;
  /** Which of CUDA's parts are in it: the least, the libraries, or the compiler too. */
  readonly flavour?: 'base' | 'runtime' | 'devel';
  /** Whether it is for GPUs. */
  readonly isForGpu: boolean;
}

/** What is in an image, by its name and tag; undefined for one that is not known. */
export function knownImage(name: string): KnownImage | undefined {
  const [, repository = '', tag = ''] = /^(?:docker\.io\/)?([^:@]+)(?::([^@]+))?/.exec(name) ?? [];
  const flavour = /(?:^|-)(base|runtime|devel)(?:-|$)/.exec(tag)?.[1] as KnownImage['flavour'];
  const kind = flavour === undefined ? {} : { flavour };
  if (/^(?:nvcr\.io\/)?nvidia\/cuda$/.test(repository)) {
    const cuda = /^(\d+\.\d+)/.exec(tag)?.[1];
    return cuda === undefined ? undefined : { maker: 'cuda', cuda, ...kind, isForGpu: true };
  }
  if (/^(?:ghcr\.io\/)?pytorch\/pytorch$/.test(repository)) {
    const [, version, cuda] = /^(\d+\.\d+(?:\.\d+)?)-cuda(\d+\.\d+)/.exec(tag) ?? [];
    return version && cuda ? { maker: 'pytorch', version, cuda, ...kind, isForGpu: true } : undefined;
  }
  // Servers of models, whose images for other hardware have tags of their own.
  if (/^(?:vllm\/vllm-openai|lmsysorg\/sglang)$/.test(repository))
    return { maker: 'server', isForGpu: !/rocm|xeon|xpu|cpu|npu/.test(tag) };
  if (repository === 'nvcr.io/nvidia/pytorch') return { maker: 'nvidia-pytorch', isForGpu: true };
  if (repository === 'nvcr.io/nvidia/tensorflow') return { maker: 'nvidia-tensorflow', isForGpu: true };
  if (repository === 'tensorflow/tensorflow') {
    const version = /^(\d+\.\d+\.\d+)/.exec(tag)?.[1];
    return { maker: 'tensorflow', ...(version && { version }), isForGpu: /gpu/.test(tag) };
  }
  return undefined;
}

/** The Python of an official `python` image, or of the one for dev containers. */
export function pythonOfImage({ text, span }: Written): VersionRange | undefined {
  const version =
    /^(?:docker\.io\/)?(?:library\/)?python:(3\.\d+)/.exec(text)?.[1] ??
    /^mcr\.microsoft\.com\/(?:vscode\/)?devcontainers\/python:(?:dev-)?(?:[\d.]+-)?(3\.\d+)/.exec(text)?.[1];
  return version === undefined ? undefined : { specifier: `==${version}.*`, span };
}

/** True for two versions of CUDA that share no libraries: another major one, and before 11 another minor one. */
export function isOtherCuda(one: string, other: string): boolean {
  const parts = compareVersions(one, '11') < 0 || compareVersions(other, '11') < 0 ? 2 : 1;
  const cut = (version: string) => version.split('.').slice(0, parts).join('.');
  return cut(one) !== cut(other);
}
