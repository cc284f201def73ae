import { wheelSystemOf } from '../../published/platforms.ts';
import { jaxReleases, lowestCapabilityOfJax } from '../../published/releases/jaxReleases.ts';
import { publishedReleases } from '../../published/releases/publishedWheels.ts';
import { compareVersions } from '../../published/versions.ts';
import type { Builds, PublishedBuild } from '../build.ts';
import type { PlanTarget } from '../target.ts';

/**
 * The JAX builds for that kind of GPU and platform, newest first and, within a release, those for a newer CUDA first.
 */
export function jaxBuilds({ os, architecture, gpu }: PlanTarget): Builds {
  if (gpu.kind === 'cuda') return os === 'windows' ? { none: ON_WINDOWS } : jaxForCuda();
  if (gpu.kind === 'rocm' || gpu.kind === 'xpu')
    return {
      none: `JAX's wheels for ${gpu.kind === 'rocm' ? 'AMD' : 'Intel'} GPUs are not in GPU Doctor's tables: see https://docs.jax.dev/en/latest/installation.html.`,
    };
  return jaxForProcessor(os, architecture);
}

/** The CPU builds, newest first. The oldest ones are published without a CUDA build that pip finds on PyPI. */
function jaxForProcessor(os: PlanTarget['os'], architecture: PlanTarget['architecture']): PublishedBuild[] {
  const oldest = jaxReleases().at(-1)?.jax ?? '0';
  const older = (publishedReleases('jaxlib') ?? []).toReversed().flatMap(({ version, wheels }) => {
    const pythons = wheels.get(wheelSystemOf(os, architecture) ?? 'linux');
    const isOlder = compareVersions(version, oldest) < 0 && pythons !== undefined;
    return isOlder ? [forProcessor(version, `==${version}`, [`3.${pythons[0]}`, `3.${pythons[1]}`])] : [];
  });
  return [...jaxReleases().map(({ jax, python }) => forProcessor(jax, versionsOf(jax), python)), ...older];
}

/** The versions of a row: all of its minor release, or those before the next row of the same one. */
function versionsOf(jax: string): string {
  if (jax.split('.').length < 3) return `==${jax}.*`;
  const newer = jaxReleases().findLast((row) => compareVersions(row.jax, jax) > 0)?.jax;
  return newer === undefined ? `>=${jax}` : `>=${jax},<${newer}`;
}

const ON_WINDOWS = 'JAX only has CUDA wheels for Linux: use WSL 2.';

/** The CUDA builds on Linux, newest first and, within a release, those for a newer CUDA first. */
export function jaxForCuda(): PublishedBuild[] {
  return jaxReleases().flatMap(({ jax, python, cudnn }) =>
    Object.keys(cudnn)
      .sort((left, right) => Number(right) - Number(left))
      .map((cuda) => ({
        ...forProcessor(jax, versionsOf(jax), python),
        asked: `jax[cuda${cuda}]`,
        cuda,
        cudnn: cudnn[cuda] ?? null,
        title: `JAX ${jax} for CUDA ${cuda}`,
        lowest: lowestCapabilityOfJax(cuda),
      })),
  );
}

function forProcessor(jax: string, versions: string, python: [string, string]): PublishedBuild {
  return {
    name: 'jax',
    asked: 'jax',
    versions,
    python,
    cuda: null,
    cudnn: null,
    title: `JAX ${jax} for the CPU`,
  };
}
