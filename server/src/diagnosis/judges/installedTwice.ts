import type { Action, Install } from '../../commands/action.ts';
import { folderFor } from '../../fit/sameFolder.ts';
import { wheelFor } from '../../fit/wheelTags.ts';
import { gpuPackages } from '../../published/gpuPackages.ts';
import { knownPackage } from '../../published/knownPackages.ts';
import { knownValue, type Package, type StackFacts } from '../../stack/facts/facts.ts';
import { listOf } from '../../stack/facts/gpuName.ts';
import type { Judge } from '../diagnosis.ts';
import { torchIndex } from '../remedies/installTorch.ts';
import { hidesTheEnvironments, pythonPath, unhiding } from '../remedies/libraryPath.ts';

/** Packages that write to the same folder: the imported files are from the one installed last, or from both. */
export const packagesOverwrite: Judge = {
  id: 'packages-overwrite',
  judge(facts) {
    return gpuPackages().one_folder.flatMap(({ folder, names }) => {
      const found = (knownValue(facts.packages) ?? []).filter(({ name }) => names.includes(name));
      const [first, second] = found;
      if (first === undefined || second === undefined || found.some((each) => each.folder !== first.folder)) return [];
      if (folderFor(first, second).fit === 'holds') return [];
      const titles = found.map(({ name, version }) => `${name} ${version}`);
      return [
        {
          severity: 'warning' as const,
          finding: `${listOf(titles)} overwrite each other's files: all of them install the folder "${folder}".`,
          why: found.map((each) => ({ fact: `${each.name} ${each.version}`, source: each.folder })),
          remedies: () => [
            {
              do: 'uninstall' as const,
              title: 'Remove all of them, then install the one that you need',
              packages: found.map(({ name }) => name),
            },
          ],
        },
      ];
    });
  },
};

/** A distribution whose files were removed together with those of another one. */
export const filesLost: Judge = {
  id: 'files-lost',
  judge: (facts) =>
    (knownValue(facts.distributions) ?? []).flatMap(({ name, version, folder, lostFile }) =>
      lostFile === undefined
        ? []
        : [
            {
              severity: 'error' as const,
              finding: `${name} ${version} has lost its files: another package with the same modules was removed.`,
              why: [
                { fact: `${name} ${version} recorded this file, which is gone`, source: lostFile },
                { fact: `${name} ${version}`, source: folder },
              ],
              remedies: () => [{ ...reinstalling({ name, version }), options: ['--no-deps'] }],
            },
          ],
    ),
};

/** A wheel with compiled code for another Python or system, such as one copied from another environment. */
export const wheelOfOtherPython: Judge = {
  id: 'wheel-of-other-python',
  judge(facts) {
    const python = knownValue(facts.interpreter);
    if (!python) return [];
    return (knownValue(facts.distributions) ?? []).flatMap(({ name, version, folder, tags = [] }) => {
      const found = wheelFor(tags, python, knownValue(facts.os)?.family);
      if (found.fit !== 'fails') return [];
      return [
        {
          severity: 'error' as const,
          finding: `The installed ${name} ${version} is a wheel for ${found.builtFor}: this Python ${python.version} does not find its compiled code.`,
          why: [
            { fact: `${name} ${version} has the tag ${tags[0]}`, source: folder },
            { fact: `Python ${python.version}`, source: facts.interpreter.source },
          ],
          remedies: () => [reinstalling({ name, version })],
        },
      ];
    });
  },
};

/** Two installations of one package: an interrupted upgrade, or pip over conda. */
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
          // A package that pip installed over conda's works; conda's next update may break it.
          severity:
            build.alsoInstalled.length > 0 || broken.length > 0 ? ('warning' as const) : ('information' as const),
          finding: `${build.name} is recorded twice in this environment, as ${build.version} and as ${other}${build.alsoInstalled.length > 0 ? '; its files may come from either' : broken.length > 0 ? `, for which conda's ${listOf(broken)} ${broken.length > 1 ? 'were' : 'was'} compiled: importing ${broken.length > 1 ? 'them' : 'it'} fails` : ', which conda may restore with its next update'}.`,
          why: [
            { fact: `Python imports ${build.name} ${build.version}`, source: fact.source },
            { fact: `${build.name} ${other} is also recorded`, source: build.folder },
          ],
          remedies: () => [...(build.alsoInstalled.length > 0 ? [] : undoing(facts, build)), reinstalling(build)],
        },
      ];
    });
  },
};

/** Without its local tag, which only the index for that tag accepts. */
function reinstalling({ name, version }: Pick<Package, 'name' | 'version'>): Install {
  const [release, tag] = version.split('+');
  return {
    do: 'install',
    title: `Reinstall ${name}`,
    requirements: [`${name}==${release}`],
    ...(tag !== undefined && { index: torchIndex(tag) }),
    reinstalls: true,
  };
}

/** Restores conda's own files, or keeps pip's. */
function undoing(facts: StackFacts, { name }: Package): Action[] {
  if (knownValue(facts.interpreter) === undefined) return [];
  const own = name === 'torch' ? 'pytorch' : name;
  return [
    { do: 'uninstall', title: "Go back to conda's build: remove the one from pip", packages: [name] },
    {
      do: 'condaInstall',
      title: "Reinstall conda's build",
      specs: [own],
      channels: [],
      reinstalls: true,
      continues: true,
    },
    {
      do: 'condaRemove',
      title: "Keep the build from pip: remove conda's",
      packages: name === 'torch' ? ['pytorch', 'libtorch'] : [name],
    },
  ];
}

/** True for a package that conda compiles against its own torch. */
function isBuiltOnTorch(name: string): boolean {
  const file = knownPackage(name);
  return file?.conda !== undefined && (file.needs ?? file.uses?.[0]) === 'torch';
}

/** Packages that conda installed for its own torch, which pip's torch breaks. */
function builtOnCondas(facts: StackFacts, name: string): string[] {
  if (name !== 'torch') return [];
  return (knownValue(facts.condaPackages) ?? [])
    .filter((each) => isBuiltOnTorch(each.name))
    .filter(({ name: each }) => {
      const fact = each === 'torchvision' || each === 'torchaudio' ? facts.frameworks[each] : undefined;
      const build = fact && knownValue(fact);
      return !build || build.installer === null || build.installer === 'conda';
    })
    .map((each) => each.name);
}

/** The version recorded by conda, if pip installed another one over it. */
function ofConda(facts: StackFacts, { name, version }: Package): string[] {
  const names = name === 'torch' ? ['pytorch', 'libtorch'] : [name];
  const packages = knownValue(facts.condaPackages)?.filter((each) => names.includes(each.name)) ?? [];
  const stray = packages.find((each) => !version.startsWith(each.version));
  return stray === undefined ? [] : [`${stray.version} from conda`];
}

/** A package in the user's folder or on PYTHONPATH precedes the environment's own. */
export const hiddenInstallation: Judge = {
  id: 'hidden-installation',
  judge(facts) {
    const { torch, torchvision, tensorflow, keras, jax } = facts.frameworks;
    const frameworks = [torch, torchvision, tensorflow, keras, jax].map((fact) => knownValue<Package | null>(fact));
    // Compiled code of the environment works with its NumPy.
    const numpy = knownValue(facts.packages)?.find(({ name }) => name === 'numpy');
    const found = [...frameworks, numpy].filter((build) => build != null && hidesTheEnvironments(facts, build));
    return found.slice(0, 1).map((build) => {
      const { name, version, folder, hides } = build;
      const where = pythonPath(facts).includes(folder) ? 'PYTHONPATH' : "the user's own folder";
      return {
        severity: 'warning' as const,
        finding: `${name} ${version} in ${where} hides the environment's ${name} ${hides.version}.`,
        why: [
          { fact: `Python imports ${name} ${version}`, source: folder },
          { fact: `the environment has ${name} ${hides.version}`, source: hides.folder },
        ],
        remedies: () => unhiding(facts, build),
      };
    });
  },
};
