/** CuPy, which has a separate package for each CUDA major version; PyPI's `cupy` is compiled against a toolkit. */
import { type GpuPackages, gpuPackages } from '../../published/gpuPackages.ts';
import { knownPackage } from '../../published/knownPackages.ts';
import { compareVersions } from '../../published/versions.ts';
import type { Builds, PublishedBuild } from '../build.ts';
import type { PlanTarget } from '../target.ts';
import { pythonsOf } from './pythons.ts';

/** The builds, the newest CUDA first; those that include its libraries precede those that search for them. */
export function cupyBuilds(target: PlanTarget): Builds {
  if (target.gpu.kind !== 'cuda') return { none: 'CuPy only has wheels for NVIDIA GPUs.' };
  const families = gpuPackages()
    .families.filter(({ name }) => /^cupy-cuda\d+x$/.test(name))
    .sort((left, right) => compareVersions(right.cuda, left.cuda));
  return [
    ...families.flatMap((family) => bringingCuda(family, target)),
    ...families.map((family) => lookingForCuda(family, target)),
  ];
}

type Family = GpuPackages['families'][number];

/** With NVIDIA's wheels as an extra, as the catalogue recommends if none are found. */
function bringingCuda({ name, cuda }: Family, target: PlanTarget): PublishedBuild[] {
  const advised = librariesOf(name)?.other.match(/^(.*\])(>=.*)$/);
  const [, asked = '', versions = ''] = advised ?? [];
  return asked === `${name}[ctk]` ? [{ ...builtFor(name, cuda, versions, target), asked }] : [];
}

function lookingForCuda({ name, cuda }: Family, target: PlanTarget): PublishedBuild {
  const { on_system = { cuda, cudnn: '' } } = knownPackage(name) ?? {};
  return { ...builtFor(name, cuda, librariesOf(name)?.versions ?? '', target), wants: on_system };
}

function builtFor(name: string, cuda: string, versions: string, target: PlanTarget): PublishedBuild {
  const rows = gpuPackages().gpus.filter((row) => row.name === name);
  return {
    name: 'cupy',
    asked: name,
    versions,
    python: pythonsOf(name, versions, target),
    cuda,
    cudnn: null,
    title: `CuPy for CUDA ${cuda}`,
    lowest: rows
      .flatMap(({ capability }) => capability ?? [])
      .sort(compareVersions)
      .at(-1),
    highest: rows.flatMap((row) => row.highest ?? []).sort(compareVersions)[0],
  };
}

function librariesOf(name: string): GpuPackages['libraries'][number] | undefined {
  return gpuPackages().libraries.find((row) => row.name === name);
}
