import { jaxReleases, lowestCapabilityOfJax } from '../../published/releases/jaxReleases.ts';
import type { Builds, PublishedBuild } from '../build.ts';
import type { Target } from '../target.ts';

/**
 * The JAX builds for that kind of GPU and platform, newest first and, within a release, those for a newer CUDA first.
 */
export function jaxBuilds({ os, gpu }: Target): Builds {
  if (gpu.kind === 'cuda') return os === 'windows' ? { none: ON_WINDOWS } : jaxForCuda();
  if (gpu.kind === 'rocm' || gpu.kind === 'xpu')
    return {
      none: `JAX's wheels for ${gpu.kind === 'rocm' ? 'AMD' : 'Intel'} GPUs are not in GPU Doctor's tables: see https://docs.jax.dev/en/latest/installation.html.`,
    };
  return jaxReleases().map(({ jax, python }) => forProcessor(jax, python));
}

const ON_WINDOWS = 'JAX only has CUDA wheels for Linux: use WSL 2.';

/** The CUDA builds on Linux, newest first and, within a release, those for a newer CUDA first. */
export function jaxForCuda(): PublishedBuild[] {
  return jaxReleases().flatMap(({ jax, python, cudnn }) =>
    Object.keys(cudnn)
      .sort((left, right) => Number(right) - Number(left))
      .map((cuda) => ({
        ...forProcessor(jax, python),
        asked: `jax[cuda${cuda}]`,
        cuda,
        cudnn: cudnn[cuda] ?? null,
        title: `JAX ${jax} for CUDA ${cuda}`,
        lowest: lowestCapabilityOfJax(cuda),
      })),
  );
}

function forProcessor(jax: string, python: [string, string]): PublishedBuild {
  return {
    name: 'jax',
    asked: 'jax',
    versions: jax.split('.').length > 2 ? `==${jax}` : `==${jax}.*`,
    python,
    cuda: null,
    cudnn: null,
    title: `JAX ${jax} for the CPU`,
  };
}
