/** Packages with code compiled for one torch. */

import { gpuPackages } from '../../published/gpuPackages.ts';
import { knownPackage } from '../../published/knownPackages.ts';
import type { GpuPackage } from '../../published/packageSchema.ts';
import type { Builds, PublishedBuild, TorchNeed } from '../build.ts';
import type { PlanTarget } from '../target.ts';
import { pythonsOf } from './pythons.ts';

/** Returns the builds of an add-on, the newest first; undefined for packages that are not tied to one torch. */
export function addonBuilds(name: string, target: PlanTarget): Builds | undefined {
  const { installation, page, systems } = knownPackage(name) ?? {};
  if (installation !== undefined)
    return {
      none: `${name} has no wheels on PyPI: it is compiled against the torch that is installed (${installation}).`,
    };
  if (page?.newest !== undefined) return [ofEachTorch(name, page, page.newest)];
  const { torch, wheels, gpus, code } = gpuPackages();
  const only = gpus.find((row) => row.name === name && row.only === 'cuda' && row.versions.startsWith('>='));
  if (only && target.gpu.kind !== 'cuda')
    return { none: `${name} only runs on NVIDIA GPUs; without one, use ${only.instead}.` };
  const floor = gpus.find((row) => row.name === name && row.capability !== undefined && row.versions.startsWith('>='));
  const plain = {
    name,
    asked: name,
    python: null,
    cuda: null,
    cudnn: null,
    lowest: floor?.capability,
  };
  const listed = page && ofOneTorch(name, page);
  if (listed !== undefined && target.os === 'linux' && target.architecture === 'x64' && target.gpu.kind === 'cuda')
    return [{ ...plain, ...listed }];
  const pinned = torch.filter((row) => row.name === name);
  if (pinned.length > 0) {
    if (systems !== undefined && !systems.includes(target.os)) return { none: noWheelsFor(name, systems) };
    // PyPI's wheels with GPU code match PyPI's torch, which on Windows is a CPU build. Others match any build.
    const isForGpus = gpus.some((row) => row.name === name);
    const own: Partial<TorchNeed> = !isForGpus ? {} : target.os === 'linux' ? { ofPypi: true } : { tags: /^cu/ };
    return pinned.toReversed().map(
      ({ versions, needs, cuda }): PublishedBuild => ({
        ...plain,
        versions,
        python: pythonsOf(name, versions, target),
        title: `${name} ${versions}, which ${isForGpus ? 'is compiled for' : 'needs'} torch ${needs.replace(/^==/, '')}${cuda === undefined ? '' : ` and CUDA ${cuda}`}`,
        torch: { specifier: needs, ...(cuda === undefined ? own : { tags: new RegExp(`^cu${cuda}`) }) },
        ...(isForGpus && target.os !== 'linux' && cuda === undefined && { index: INDEX_OF_TORCH }),
      }),
    );
  }
  const published = wheels.filter((row) => row.name === name);
  if (published.length === 0) {
    // A package that is compiled during installation must see the torch that it is compiled for.
    const isBuiltOnTorch = code.some((row) => row.name === name && row.options?.includes('--no-build-isolation'));
    if (isBuiltOnTorch)
      return [
        {
          ...plain,
          versions: '',
          title: `${name}, which uses its project's wheel for that torch, or compiles it with nvcc`,
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
    ({ versions, newest }): PublishedBuild => ({
      ...plain,
      versions,
      title: `${name} ${versions}, which has wheels up to torch ${newest}`,
      torch: { specifier: `<=${newest}.99`, tags: /^cu12/ },
      isBuiltOnTorch: true,
    }),
  );
}

const INDEX_OF_TORCH = 'https://download.pytorch.org/whl/{tag}';

type Page = NonNullable<GpuPackage['page']>;

/** From a page that lists the wheels for each torch build, up to the newest one listed. */
function ofEachTorch(name: string, { url, of }: Page, newest: string): PublishedBuild {
  return {
    name,
    asked: name,
    versions: '',
    python: null,
    cuda: null,
    cudnn: null,
    title: `${name}, from ${of} for that build of torch`,
    torch: { specifier: `<=${newest}.99`, tags: /^(cpu|cu)/ },
    page: url,
  };
}

/** From a page that lists the wheels for one torch build. */
function ofOneTorch(
  name: string,
  { url, of, versions = '', python, torch = '', tag = '' }: Page,
): Pick<PublishedBuild, 'versions' | 'python' | 'torch' | 'page' | 'title'> {
  const release = versions.replace(/^==|\.\*$/g, '');
  return {
    versions,
    python: python ?? null,
    torch: { specifier: torch, tags: new RegExp(`^${tag}$`) },
    page: url,
    title: `${name} ${release}, from ${of}`,
  };
}

const SYSTEM_NAMES = { linux: 'Linux', windows: 'Windows', macos: 'macOS' } as const;

function noWheelsFor(name: string, systems: readonly (keyof typeof SYSTEM_NAMES)[]): string {
  const those = systems.map((system) => SYSTEM_NAMES[system]).join(' and ');
  return `${name} only has wheels for ${those}${systems.includes('linux') ? ': use WSL 2' : ''}.`;
}
