import { quoted } from '../../commands/shellWords.ts';
import { gpuPackages } from '../../published/gpuPackages.ts';
import { knownValue, type Package, type StackFacts } from '../../stack/facts/facts.ts';
import { listOf } from '../../stack/facts/gpuName.ts';
import type { Judge } from '../diagnosis.ts';
import { condaPlace, installing, removing } from '../remedies/installing.ts';
import type { Remedy } from '../remedy.ts';

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
  return `${quoted(`${name}==${release}`)}${tag === undefined ? '' : ` --index-url https://download.pytorch.org/whl/${quoted(tag)}`}`;
}

/** Conda's own comes back by removing what pip has put over it, and writing conda's files anew. */
function undoing(facts: StackFacts, { name }: Package): Remedy[] {
  if (knownValue(facts.interpreter) === undefined) return [];
  const at = condaPlace(facts);
  const own = name === 'torch' ? 'pytorch' : name;
  return [
    ...removing(facts, "Go back to conda's: remove the one of pip", name),
    {
      title: "Write conda's files anew",
      command: `conda install ${at}--force-reinstall ${own}`,
      continues: true,
    },
    {
      title: "Keep the one of pip: remove conda's",
      command: `conda remove ${at}${name === 'torch' ? 'pytorch libtorch' : name}`,
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
