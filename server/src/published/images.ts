/** The contents of well-known container images, by name and tag. */
import { packagesWith } from './knownPackages.ts';
import { systemPython } from './releases/pythonReleases.ts';
import { computedOnce } from './remembering.ts';

interface KnownImage {
  readonly maker: 'cuda' | 'pytorch' | 'nvidia-pytorch' | 'tensorflow' | 'nvidia-tensorflow' | 'server';
  /** "12.1". */
  readonly cuda?: string;
  /** The version of the framework in the image: "2.1.0". */
  readonly version?: string;
  /** The CUDA components in the image: the minimum, or also the libraries, or also the compiler. */
  readonly flavour?: 'base' | 'runtime' | 'devel';
  /** True if the image is for GPUs, judging by its name and tag. */
  readonly isForGpu: boolean;
}

/** Repositories of model-serving images. */
const servers = computedOnce(() => new Set(packagesWith('images').flatMap(({ file }) => file.images ?? [])));

/** Returns the contents of an image, by its name and tag; undefined for an unknown image. */
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
  // Model servers, whose images for other hardware have separate tags.
  if (servers().has(repository)) return { maker: 'server', isForGpu: !/rocm|xeon|xpu|cpu|npu/.test(tag) };
  if (repository === 'nvcr.io/nvidia/pytorch') return { maker: 'nvidia-pytorch', isForGpu: true };
  if (repository === 'nvcr.io/nvidia/tensorflow') return { maker: 'nvidia-tensorflow', isForGpu: true };
  if (repository === 'tensorflow/tensorflow') {
    const version = /^(\d+\.\d+\.\d+)/.exec(tag)?.[1];
    return { maker: 'tensorflow', ...(version && { version }), isForGpu: /gpu/.test(tag) };
  }
  return undefined;
}

/**
 * Returns the Python of an official `python` image, of a dev container image, or of a distribution's image in which only
 * the distribution's own `python3` is installed.
 */
export function pythonInImage(image: string, packages: readonly string[] = []): string | undefined {
  const named =
    /^(?:docker\.io\/)?(?:library\/)?python:(3\.\d+)/.exec(image)?.[1] ??
    /^mcr\.microsoft\.com\/(?:vscode\/)?devcontainers\/python:(?:dev-)?(?:[\d.]+-)?(3\.\d+)/.exec(image)?.[1];
  const version = systemOfImage(image)?.python;
  if (named !== undefined || version === undefined) return named;
  const isOwn = packages.some(
    (name) => /^python3(?:-pip|-dev|-venv|-full)?$/.test(name) || name === `python${version}`,
  );
  const isOther = packages.some(
    (name) =>
      /^(?:libpython3\.|software-properties-common$|pyenv$)/.test(name) ||
      (/^python3\.\d/.test(name) && name.split('-')[0] !== `python${version}`),
  );
  return isOwn && !isOther ? version : undefined;
}

/** Returns the Python of a distribution's own image, or of NVIDIA's CUDA image for it. */
export function systemOfImage(text: string): ReturnType<typeof systemPython> {
  const [, repository = '', tag = ''] = /^(?:docker\.io\/)?(?:library\/)?([^:@]+)(?::([^@]+))?/.exec(text) ?? [];
  const [system = ''] = /^(?:ubuntu|debian)$/.test(repository)
    ? [systemOf(repository, tag)]
    : (/(?:^|-)ubuntu\d\d\.\d\d(?=-|$)/.exec(/^(?:nvcr\.io\/)?nvidia\/cuda$/.test(repository) ? tag : '') ?? []);
  return systemPython(system.replace(/^-/, ''));
}

/** "ubuntu24.04" for the tag `24.04` of the image `ubuntu`, "noble" for the tag `noble-20240904`. */
function systemOf(repository: string, tag: string): string {
  const [release = ''] = tag.split('-');
  return /^\d/.test(release) ? `${repository}${release}` : release;
}

/** True for an image without preinstalled Python packages. */
export function isBareImage(name: string): boolean {
  return /^(?:docker\.io\/)?(?:(?:library\/)?(?:python|ubuntu|debian)(?::|$)|nvidia\/cuda:)/.test(name);
}
