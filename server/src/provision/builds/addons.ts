/** Packages with code compiled for one torch. */
import { gpuPackages } from '../../stack/catalogue/gpuPackages.ts';
import { codeFits } from '../../stack/releases/gpuCode.ts';
import { publishedReleases, wheelSystemOf } from '../../stack/releases/publishedWheels.ts';
import { fits } from '../needs.ts';
import type { Target } from '../target.ts';
import type { Build, Builds } from './build.ts';

/** PyTorch Geometric's, which has pages of wheels for each build of torch. */
const GEOMETRIC = ['pyg-lib', 'torch-scatter', 'torch-sparse', 'torch-cluster', 'torch-spline-conv'];
/** The newest torch that its pages are known to have wheels for. Source: README of pytorch_scatter. */
const GEOMETRIC_NEWEST = '2.8';

/** What PyPI has under these names is something else; theirs are compiled from their repositories. */
const NOT_ON_PYPI: Readonly<Record<string, string>> = {
  apex: 'https://github.com/NVIDIA/apex#installation',
  detectron2: 'https://detectron2.readthedocs.io/en/latest/tutorials/install.html',
  pytorch3d: 'https://github.com/facebookresearch/pytorch3d/blob/main/INSTALL.md',
};

/** The builds of an add-on, the newest first; undefined for packages that are not bound to one torch. */
export function addonBuilds(name: string, target: Target): Builds | undefined {
  const page = NOT_ON_PYPI[name];
  if (page !== undefined)
    return { none: `${name} has no wheels on PyPI: it is compiled against the torch that is installed (${page}).` };
  if (GEOMETRIC.includes(name)) return [ofGeometric(name)];
  const { torch, wheels, gpus } = gpuPackages();
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
  const pinned = torch.filter((row) => row.name === name);
  if (pinned.length > 0) {
    if (target.os !== 'linux' && name === 'vllm') return { none: 'vllm has wheels for Linux alone: take WSL 2.' };
    return pinned.toReversed().map(
      ({ versions, needs }): Build => ({
        ...plain,
        versions,
        python: pythonsOf(name, versions, target),
        title: `${name} ${versions}, which is compiled for torch ${needs.slice(2)}`,
        // PyPI's wheels go with PyPI's torch, which on Windows is one for the CPU.
        ...(target.os === 'linux'
          ? { torch: { specifier: needs, ofPypi: true } }
          : { torch: { specifier: needs, tags: /^cu/ }, index: 'https://download.pytorch.org/whl/{tag}' }),
      }),
    );
  }
  const published = wheels.filter((row) => row.name === name);
  if (published.length === 0) return floor === undefined ? undefined : [{ ...plain, versions: '', title: name }];
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

/** The Pythons that any of those releases has wheels on PyPI for; null where that is not known. */
function pythonsOf(name: string, versions: string, { os, architecture }: Target): Build['python'] {
  const system = wheelSystemOf(os, architecture);
  const ranges = (publishedReleases(name) ?? [])
    .filter(({ version }) => fits(version, versions))
    .flatMap(({ wheels }) => (system && wheels.get(system)) ?? []);
  if (ranges.length === 0) return null;
  const newest = Math.max(...ranges);
  return [`3.${Math.min(...ranges)}`, newest === Infinity ? '3.99' : `3.${newest}`];
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
