import type { Action } from '../../commands/action.ts';
import { jaxHas } from '../../published/releases/jaxReleases.ts';
import { firstTorchWith, torchHas } from '../../published/releases/torchReleases.ts';
import { compareVersions, majorOf, minorOf } from '../../published/versions.ts';
import { knownValue, type Package, type StackFacts } from '../../stack/facts/facts.ts';
import { listOf } from '../../stack/facts/gpuName.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { withoutFolder } from '../remedies/libraryPath.ts';

/**
 * torch 2.1 to 2.5 let the dynamic linker find nvJitLink, and LD_LIBRARY_PATH takes precedence: an older nvJitLink of
 * the same family lacks functions that the wheel's cuSPARSE calls, so `import torch` fails. Since 2.6, torch loads its
 * own by its path. Source: https://github.com/pytorch/pytorch/pull/141063
 */
export const libraryPathShadows: Judge = {
  id: 'library-path-shadows',
  judge: (facts) => [...beforeTorch(facts), ...beforeJax(facts), ...beforeJaxPlugin(facts)],
};

/**
 * JAX's plug-ins load the wheels by their paths, except nvJitLink, which the wheel's cuSPARSE loads with the linker.
 */
function beforeJaxPlugin(facts: StackFacts): Judgement[] {
  const jax = knownValue(facts.frameworks.jax);
  const hasPlugin = knownValue(facts.packages)?.some(({ name }) => name === 'jax-cuda12-plugin');
  if (!jax || !hasPlugin || jaxHas('nvjitlink_by_path', jax.version)) return [];
  const found = olderJitLink(facts);
  if (found === undefined) return [];
  return [shadowing(facts, found, `and JAX ${jax.version} then cannot load cuSPARSE and runs on the CPU`, [])];
}

interface ShadowingJitLink {
  readonly folder: string;
  readonly variable: string;
  readonly version: string;
  readonly wheel: Package;
}

/** A folder on the library path with an nvJitLink that is older than the one in NVIDIA's wheel. */
function olderJitLink(facts: StackFacts): ShadowingJitLink | undefined {
  const wheel = knownValue(facts.nvidiaWheels)?.find(({ name }) => name === 'nvidia-nvjitlink-cu12');
  if (wheel === undefined) return undefined;
  const name = 'libnvJitLink.so.12';
  for (const { folder, libraries, versions, variable } of knownValue(facts.libraryPath) ?? []) {
    const version = libraries.includes(name) ? (versions?.[name] ?? toolkitVersion(facts, folder)) : undefined;
    if (version !== undefined && compareVersions(minorOf(version), minorOf(wheel.version)) < 0)
      return { folder, variable, version, wheel };
  }
  return undefined;
}

function shadowing(
  facts: StackFacts,
  { folder, variable, version, wheel }: ShadowingJitLink,
  effect: string,
  others: Action[],
): Judgement {
  return {
    severity: 'warning',
    finding: `${variable} puts nvJitLink of CUDA ${version} before the wheel's own ${wheel.version}, ${effect}.`,
    why: [
      { fact: `${variable} names ${folder}`, source: facts.libraryPath.source },
      { fact: `${wheel.name} ${wheel.version}`, source: wheel.folder },
    ],
    remedies: () => [...withoutFolder(facts, 'libraryPath', folder), ...others],
  };
}

/**
 * For a jaxlib that was itself built for CUDA, the library path precedes NVIDIA's wheels; for its plug-ins it does not.
 */
function beforeJax(facts: StackFacts): Judgement[] {
  const jaxlib = knownValue(facts.packages)?.find(({ name }) => name === 'jaxlib');
  const wheel = knownValue(facts.nvidiaWheels)?.find(({ name }) => /^nvidia-cublas-cu\d+$/.test(name));
  if (!jaxlib?.version.includes('+cuda') || wheel === undefined) return [];
  const name = `libcublas.so.${majorOf(wheel.version)}`;
  return (knownValue(facts.libraryPath) ?? [])
    .flatMap(({ folder, libraries, versions, variable }) => {
      const version = libraries.includes(name) ? (versions?.[name] ?? toolkitVersion(facts, folder)) : undefined;
      if (version === undefined || compareVersions(minorOf(version), minorOf(wheel.version)) >= 0) return [];
      return [
        {
          severity: 'warning' as const,
          finding: `${variable} puts cuBLAS of CUDA ${version} before JAX's newer one, and JAX rejects it ("JAX was built against version ..., which is newer").`,
          why: [
            { fact: `${variable} names ${folder}`, source: facts.libraryPath.source },
            { fact: `${wheel.name} ${wheel.version}`, source: wheel.folder },
          ],
          remedies: () => withoutFolder(facts, 'libraryPath', folder),
        },
      ];
    })
    .slice(0, 1);
}

function beforeTorch(facts: StackFacts): Judgement[] {
  const torch = knownValue(facts.frameworks.torch);
  if (!torch?.cuda || torchHas('nvjitlink_by_path', torch.version)) return [];
  const found = olderJitLink(facts);
  if (found === undefined) return [];
  const newer: Action = {
    do: 'advise',
    title: `Install torch ${firstTorchWith('nvjitlink_by_path')} or newer, which loads its own by path`,
  };
  return [shadowing(facts, found, `and importing torch ${torch.version} then fails`, [newer])];
}

/**
 * The version of the toolkit that a folder of libraries belongs to, from the toolkit's own record or the folder's name.
 */
function toolkitVersion(facts: StackFacts, folder: string): string | undefined {
  const toolkit = knownValue(facts.toolkits)?.find(({ root }) => folder.startsWith(`${root}/`));
  return toolkit?.version ?? folder.match(/\/cuda-(\d+\.\d+)/)?.[1];
}

/** Wheels that install their files into the same folder for every CUDA version. */
const SHARED_FOLDERS = /^nvidia-(cudnn|nccl|cusparselt|nvshmem)-cu(\d+)$/;

export const nvidiaWheelsOverwrite: Judge = {
  id: 'nvidia-wheels-overwrite',
  judge(facts) {
    const wheels = (knownValue(facts.nvidiaWheels) ?? []).filter(({ name }) => SHARED_FOLDERS.test(name));
    const pairs = wheels.flatMap((wheel) => {
      const other = wheels.find(
        (each) => each !== wheel && each.folder === wheel.folder && library(each) === library(wheel),
      );
      return other === undefined ? [] : [wheel];
    });
    if (pairs.length === 0) return [];
    const names = pairs.map(({ name, version }) => `${name} ${version}`);
    const wanted = majorOf(knownValue(facts.frameworks.torch)?.cuda ?? '');
    const keep = pairs.filter(({ name }) => wanted !== '' && name.endsWith(`-cu${wanted}`));
    return [
      {
        severity: 'warning',
        finding: `${listOf(names)} overwrite each other's files: they use the same folder.`,
        why: pairs.map(({ name, version, folder }) => ({ fact: `${name} ${version}`, source: folder })),
        remedies: () => [
          {
            do: 'advise',
            title: 'Give each framework its own environment, or install all of them for the same major version of CUDA',
          },
          ...(keep.length === 0
            ? []
            : [
                {
                  do: 'install' as const,
                  title: 'Reinstall the files that torch needs',
                  requirements: keep.map(({ name, version }) => `${name}==${version}`),
                  options: ['--no-deps'],
                  reinstalls: true as const,
                },
              ]),
        ],
      },
    ];
  },
};

function library({ name }: Package): string | undefined {
  return name.match(SHARED_FOLDERS)?.[1];
}

/**
 * Another package has replaced the libraries that torch pins with older ones. Newer ones of the same family are
 * compatible; functions that an older one lacks are undefined symbols. cuDNN has its own rules and diagnosis.
 */
export const nvidiaWheelsOlder: Judge = {
  id: 'nvidia-wheels-older',
  judge(facts) {
    const torch = knownValue(facts.frameworks.torch);
    const wheels = knownValue(facts.nvidiaWheels) ?? [];
    const older = (torch?.pinned ?? []).flatMap((pin) => {
      const wheel = wheels.find(({ name }) => name === pin.name);
      const behind = wheel !== undefined && compareVersions(minorOf(wheel.version), minorOf(pin.version)) < 0;
      return behind && !pin.name.startsWith('nvidia-cudnn') ? [{ pin, wheel }] : [];
    });
    const [first] = older;
    if (!torch || first === undefined) return [];
    const more = older.length > 1 ? ` and ${older.length - 1} more are` : ' is';
    return [
      {
        severity: 'warning',
        finding: `${first.pin.name} ${first.wheel.version}${more} older than what torch ${torch.version} was built with; importing torch can fail.`,
        why: older.map(({ pin, wheel }) => ({
          fact: `${pin.name} ${wheel.version} is installed, torch requires ${pin.version}`,
          source: wheel.folder,
        })),
        remedies: () => [
          {
            do: 'install',
            title: 'Install what torch requires',
            requirements: older.map(({ pin }) => `${pin.name}==${pin.version}`),
          },
          { do: 'advise', title: 'Give torch its own environment if another package needs the older ones' },
        ],
      },
    ];
  },
};
