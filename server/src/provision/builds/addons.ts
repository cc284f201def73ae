/** Packages with code compiled for one torch. */

import { codeFits } from '../../published/codeFits.ts';
import { gpuPackages } from '../../published/gpuPackages.ts';
import type { Target } from '../target.ts';
import type { Build, Builds } from './build.ts';
import { pythonsOf } from './pythons.ts';

/** PyTorch Geometric's, which has pages of wheels for each build of torch. */
const GEOMETRIC = ['pyg-lib', 'torch-scatter', 'torch-sparse', 'torch-cluster', 'torch-spline-conv'];
/** The newest torch that its pages are known to have wheels for. Source: README of pytorch_scatter. */
const GEOMETRIC_NEWEST = '2.8';

/** Pages of wheels for one build of torch, the newest that there is one for. Source: the names of the files on them. */
const PAGES: Readonly<Record<string, Pick<Build, 'versions' | 'python' | 'torch' | 'page' | 'title'>>> = {
  mmcv: {
    versions: '==2.2.*',
    python: ['3.8', '3.12'],
    torch: { specifier: '==2.4.*', tags: /^cu121$/ },
    page: 'https://download.openmmlab.com/mmcv/dist/cu121/torch2.4/index.html',
    title: "mmcv 2.2, from OpenMMLab's page of wheels for torch 2.4",
  },
};

/** What PyPI has under these names is something else; theirs are compiled from their repositories. */
const NOT_ON_PYPI: Readonly<Record<string, string>> = {
  apex: 'https://github.com/NVIDIA/apex#installation',
  detectron2: 'https://detectron2.readthedocs.io/en/latest/tutorials/install.html',
  pytorch3d: 'https://github.com/facebookresearch/pytorch3d/blob/main/INSTALL.md',
};

/** Servers that are published for it alone. */
const LINUX_ONLY = ['vllm', 'sglang'];

/** The builds of an add-on, the newest first; undefined for packages that are not bound to one torch. */
export function addonBuilds(name: string, target: Target): Builds | undefined {
  const page = NOT_ON_PYPI[name];
  if (page !== undefined)
    return { none: `${name} has no wheels on PyPI: it is compiled against the torch that is installed (${page}).` };
  if (GEOMETRIC.includes(name)) return [ofGeometric(name)];
  const { torch, wheels, gpus, code } = gpuPackages();
  const only = gpus.find((row) => row.name === name && row.only === 'cuda' && row.versions.startsWith('>='));
  if (only && target.gpu.kind !== 'cuda')
    return { none: `${name} runs on NVIDIA GPUs alone; without one take ${only.instead}.` };
  const floor = gpus.find((row) => row.name === name && row.capability !== undefined && row.versions.startsWith('>='));
  const plain = {
    name,
    asked: name,
    python: null,
    cuda: null,
    cudnn: null,
    runsOn: (capability: string) =>
      !floor?.capability || codeFits([`compute_${floor.capability.replace('.', '')}`], capability) !== 'none',
  };
  const listed = PAGES[name];
  if (listed !== undefined && target.os === 'linux' && target.architecture === 'x64' && target.gpu.kind === 'cuda')
    return [{ ...plain, ...listed }];
  const pinned = torch.filter((row) => row.name === name);
  if (pinned.length > 0) {
    if (target.os !== 'linux' && LINUX_ONLY.includes(name))
      return { none: `${name} has wheels for Linux alone: take WSL 2.` };
    return pinned.toReversed().map(
      ({ versions, needs, cuda }): Build => ({
        ...plain,
        versions,
        python: pythonsOf(name, versions, target),
        title: `${name} ${versions}, which is compiled for torch ${needs.replace(/^==/, '')}${cuda === undefined ? '' : ` and CUDA ${cuda}`}`,
        // PyPI's wheels go with PyPI's torch, which on Windows is one for the CPU.
        torch: {
          specifier: needs,
          ...(cuda !== undefined
            ? { tags: new RegExp(`^cu${cuda}`) }
            : target.os === 'linux'
              ? { ofPypi: true }
              : { tags: /^cu/ }),
        },
        ...(target.os !== 'linux' && cuda === undefined && { index: 'https://download.pytorch.org/whl/{tag}' }),
      }),
    );
  }
  const published = wheels.filter((row) => row.name === name);
  if (published.length === 0) {
    // What is compiled where it is installed has to see the torch that it is compiled for.
    const isBuiltOnTorch = code.some((row) => row.name === name && row.options?.includes('--no-build-isolation'));
    if (isBuiltOnTorch)
      return [
        {
          ...plain,
          versions: '',
          title: `${name}, which takes its project's wheel for that torch, or compiles it with nvcc`,
          isBuiltOnTorch,
        },
      ];
    return floor === undefined
      ? undefined
      : [
          {
            ...plain,
            versions: '',
            title: `${name}, which needs a GPU of compute capability ${floor.capability} or newer`,
          },
        ];
  }
  return published.toReversed().map(
    ({ versions, newest }): Build => ({
      ...plain,
      versions,
      title: `${name} ${versions}, whose newest wheels are for torch ${newest}`,
      torch: { specifier: `<=${newest}.99`, tags: /^cu12/ },
      isBuiltOnTorch: true,
    }),
  );
}

function ofGeometric(name: string): Build {
  return {
    name,
    asked: name,
    versions: '',
    python: null,
    cuda: null,
    cudnn: null,
    runsOn: () => true,
    title: `${name}, from PyTorch Geometric's page of wheels for that build of torch`,
    torch: { specifier: `<=${GEOMETRIC_NEWEST}.99`, tags: /^(cpu|cu)/ },
    page: 'https://data.pyg.org/whl/torch-{torch}+{tag}.html',
  };
}
