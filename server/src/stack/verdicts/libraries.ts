import { gpuPackages } from '../catalogue/gpuPackages.ts';
import { knownValue, type Package, type StackFacts } from '../facts/facts.ts';
import { listOf } from '../facts/gpuName.ts';
import { isAtLeast, majorOf } from '../facts/installed.ts';
import { installing, onWindows, quotePath, removing } from '../plan/installing.ts';
import { withoutFolder } from '../plan/libraryPath.ts';
import { compareVersions } from '../releases/cudaDriver.ts';
import type { Judge, Judgement, Remedy } from './verdict.ts';

/**
 * torch 2.1 to 2.5 let the dynamic linker find nvJitLink, and LD_LIBRARY_PATH comes first: an older one of the same
 * family lacks what cuSPARSE of the wheel calls, and `import torch` fails. Since 2.6 torch loads its own one by its path.
 * Source: https://github.com/pytorch/pytorch/pull/141063
 */
export const libraryPathShadows: Judge = {
  id: 'library-path-shadows',
  judge: (facts) => [...beforeTorch(facts), ...beforeJax(facts)],
};

/** jaxlib that was itself built for CUDA lets the library path count before NVIDIA's wheels, unlike its plug-ins. */
function beforeJax(facts: StackFacts): Judgement[] {
  const jaxlib = knownValue(facts.packages)?.find(({ name }) => name === 'jaxlib');
  const wheel = knownValue(facts.nvidiaWheels)?.find(({ name }) => /^nvidia-cublas-cu\d+$/.test(name));
  if (!jaxlib?.version.includes('+cuda') || wheel === undefined) return [];
  const name = `libcublas.so.${majorOf(wheel.version)}`;
  return (knownValue(facts.libraryPath) ?? [])
    .flatMap(({ folder, libraries, versions, variable }) => {
      const version = libraries.includes(name) ? (versions?.[name] ?? toolkitVersion(facts, folder)) : undefined;
      if (version === undefined || compareVersions(minor(version), minor(wheel.version)) >= 0) return [];
      return [
        {
          severity: 'warning' as const,
          finding: `${variable} puts the cuBLAS of CUDA ${version} before the newer one that was installed for JAX, which refuses it ("JAX was built against version ..., which is newer").`,
          why: [
            { fact: `${variable} names ${folder}`, source: facts.libraryPath.source },
            { fact: `${wheel.name} ${wheel.version}`, source: wheel.folder },
          ],
          remedies: withoutFolder(facts, 'libraryPath', folder),
        },
      ];
    })
    .slice(0, 1);
}

function beforeTorch(facts: StackFacts): Judgement[] {
  const torch = knownValue(facts.frameworks.torch);
  if (!torch?.cuda || isAtLeast(torch.version, 2, 6)) return [];
  const wheel = knownValue(facts.nvidiaWheels)?.find(({ name }) => name === 'nvidia-nvjitlink-cu12');
  if (wheel === undefined) return [];
  for (const { folder, libraries, versions, variable } of knownValue(facts.libraryPath) ?? []) {
    const name = 'libnvJitLink.so.12';
    const version = libraries.includes(name) ? (versions?.[name] ?? toolkitVersion(facts, folder)) : undefined;
    if (version === undefined || compareVersions(minor(version), minor(wheel.version)) >= 0) continue;
    return [
      {
        severity: 'warning' as const,
        finding: `${variable} puts CUDA ${version}'s nvJitLink before torch's own ${wheel.version}, and importing torch ${torch.version} then fails.`,
        why: [
          { fact: `${variable} names ${folder}`, source: facts.libraryPath.source },
          { fact: `nvidia-nvjitlink-cu12 ${wheel.version}`, source: wheel.folder },
        ],
        remedies: [
          ...withoutFolder(facts, 'libraryPath', folder),
          { title: 'Install torch 2.6 or newer, which loads its own by its path' },
        ],
      },
    ];
  }
  return [];
}

/** The version of the toolkit that a folder of libraries belongs to, by the toolkit's own record or the folder's name. */
function toolkitVersion(facts: StackFacts, folder: string): string | undefined {
  const toolkit = knownValue(facts.toolkits)?.find(({ root }) => folder.startsWith(`${root}/`));
  return toolkit?.version ?? folder.match(/\/cuda-(\d+\.\d+)/)?.[1];
}

function minor(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

/** Wheels that put their files into one folder whatever CUDA they are for. */
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
        finding: `${listOf(names)} overwrite each other's files: both put them into one folder.`,
        why: pairs.map(({ name, version, folder }) => ({ fact: `${name} ${version}`, source: folder })),
        remedies: [
          { title: 'Give each framework an environment of its own, or install all of them for one CUDA family' },
          ...(keep.length === 0
            ? []
            : installing(
                facts,
                'Write the files that torch needs anew',
                `--no-deps ${keep.map(({ name, version }) => `${name}==${version}`).join(' ')}`,
                { anew: true },
              )),
        ],
      },
    ];
  },
};

function library({ name }: Package): string | undefined {
  return name.match(SHARED_FOLDERS)?.[1];
}

/**
 * Another package has put older libraries in the place of those that torch pins. Newer ones of the same family are
 * compatible; what an older one lacks is an undefined symbol. cuDNN has rules and a verdict of its own.
 */
export const nvidiaWheelsOlder: Judge = {
  id: 'nvidia-wheels-older',
  judge(facts) {
    const torch = knownValue(facts.frameworks.torch);
    const wheels = knownValue(facts.nvidiaWheels) ?? [];
    const older = (torch?.pinned ?? []).flatMap((pin) => {
      const wheel = wheels.find(({ name }) => name === pin.name);
      const behind = wheel !== undefined && compareVersions(minor(wheel.version), minor(pin.version)) < 0;
      return behind && !pin.name.startsWith('nvidia-cudnn') ? [{ pin, wheel }] : [];
    });
    const [first] = older;
    if (!torch || first === undefined) return [];
    const more = older.length > 1 ? ` and ${older.length - 1} more are` : ' is';
    return [
      {
        severity: 'warning',
        finding: `${first.pin.name} ${first.wheel.version}${more} older than what torch ${torch.version} was built with; importing it can fail.`,
        why: older.map(({ pin, wheel }) => ({
          fact: `${pin.name} ${wheel.version} is installed, torch requires ${pin.version}`,
          source: wheel.folder,
        })),
        remedies: [
          ...installing(
            facts,
            'Install what torch requires',
            older.map(({ pin }) => `${pin.name}==${pin.version}`).join(' '),
          ),
          { title: 'Give torch an environment of its own where another package needs the older ones' },
        ],
      },
    ];
  },
};

/** Packages that write the same folder: what is imported is of the one installed last, or of both. */
export const packagesOverwrite: Judge = {
  id: 'packages-overwrite',
  judge(facts) {
    return gpuPackages().one_folder.flatMap(({ folder, names }) => {
      const found = (knownValue(facts.packages) ?? []).filter(({ name }) => names.includes(name));
      const [first] = found;
      if (first === undefined || found.length < 2 || found.some((each) => each.folder !== first.folder)) return [];
      const titles = found.map(({ name, version }) => `${name} ${version}`);
      return [
        {
          severity: 'warning' as const,
          finding: `${listOf(titles)} overwrite each other's files: all of them install the folder "${folder}".`,
          why: found.map((each) => ({ fact: `${each.name} ${each.version}`, source: each.folder })),
          remedies: removing(
            facts,
            'Remove all of them, then install the one that is wanted',
            found.map(({ name }) => name).join(' '),
          ),
        },
      ];
    });
  },
};

/** Two installations of one package: an upgrade that broke off, or pip over conda. */
export const installedTwice: Judge = {
  id: 'installed-twice',
  judge(facts) {
    const { torch, torchvision, tensorflow, keras, jax } = facts.frameworks;
    return [torch, torchvision, tensorflow, keras, jax].flatMap((fact) => {
      const build = knownValue<Package | null>(fact);
      if (!build) return [];
      const [other] = [...build.alsoInstalled, ...ofConda(facts, build)];
      if (other === undefined) return [];
      const broken = builtOnCondas(facts, build.name);
      return [
        {
          // What pip has put over conda's runs; it is conda's next update that may break it.
          severity:
            build.alsoInstalled.length > 0 || broken.length > 0 ? ('warning' as const) : ('information' as const),
          finding: `${build.name} is recorded twice in this environment, as ${build.version} and as ${other}${build.alsoInstalled.length > 0 ? '; its files may be of either' : broken.length > 0 ? `, for which ${listOf(broken)} of conda ${broken.length > 1 ? 'were' : 'was'} compiled: importing ${broken.length > 1 ? 'them' : 'it'} fails` : ', which the next update by conda may put back'}.`,
          why: [
            { fact: `${build.name} ${build.version} is what Python imports`, source: fact.source },
            { fact: `${build.name} ${other} is recorded as well`, source: build.folder },
          ],
          remedies: [
            ...(build.alsoInstalled.length > 0 ? [] : undoing(facts, build)),
            ...installing(facts, `Install ${build.name} anew`, pinned(build), { anew: true }),
          ],
        },
      ];
    });
  },
};

/** Without its local tag, which only the index of that tag knows. */
function pinned({ name, version }: Package): string {
  const [release, tag] = version.split('+');
  return `${name}==${release}${tag === undefined ? '' : ` --index-url https://download.pytorch.org/whl/${tag}`}`;
}

/** Conda's own comes back by removing what pip has put over it, and writing conda's files anew. */
function undoing(facts: StackFacts, { name }: Package): Remedy[] {
  const prefix = knownValue(facts.interpreter)?.prefix;
  if (prefix === undefined) return [];
  const at = quotePath(prefix, onWindows(facts));
  const own = name === 'torch' ? 'pytorch' : name;
  return [
    ...removing(facts, "Go back to conda's: remove the one of pip", name),
    {
      title: "Write conda's files anew",
      command: `conda install --prefix ${at} --force-reinstall ${own}`,
      continues: true,
    },
    {
      title: "Keep the one of pip: remove conda's",
      command: `conda remove --prefix ${at} ${name === 'torch' ? 'pytorch libtorch' : name}`,
    },
  ];
}

/** What conda has installed for its own torch, which the one of pip breaks. */
function builtOnCondas(facts: StackFacts, name: string): string[] {
  if (name !== 'torch') return [];
  return (knownValue(facts.condaPackages) ?? [])
    .filter((each) => /^(pytorch3d|torchvision|torchaudio|torchtext)$/.test(each.name))
    .filter(({ name: each }) => {
      const fact = each === 'torchvision' || each === 'torchaudio' ? facts.frameworks[each] : undefined;
      const build = fact && knownValue(fact);
      return !build || build.installer === null || build.installer === 'conda';
    })
    .map((each) => each.name);
}

/** What conda believes to have installed, where pip has put another version over it. */
function ofConda(facts: StackFacts, { name, version }: Package): string[] {
  const names = name === 'torch' ? ['pytorch', 'libtorch'] : [name];
  const packages = knownValue(facts.condaPackages)?.filter((each) => names.includes(each.name)) ?? [];
  const stray = packages.find((each) => !version.startsWith(each.version));
  return stray === undefined ? [] : [`${stray.version} of conda`];
}
