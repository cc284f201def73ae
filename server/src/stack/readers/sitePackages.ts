import { normalized } from '../../published/packageName.ts';
import type { Package } from '../facts/facts.ts';
import { listUnlessAbsent, type Machine, readTextIfThere } from '../machine/machine.ts';

/** The packages in an environment's metadata folders, by normalized name ("nvidia-cudnn-cu12"). */
export class InstalledPackages extends Map<string, Package> {
  /** The name of each package's metadata folder, in its own spelling. */
  readonly metadataFolders = new Map<string, string>();
}

/**
 * Reads the names of `*.dist-info` and `*.egg-info` entries, which contain name and version (PEP 376, PEP 427). A
 * package in an earlier folder hides one of the same name in a later one, as for `import`.
 * @throws if an existing folder may not be read.
 */
export async function readInstalledPackages(machine: Machine, folders: string[]): Promise<InstalledPackages> {
  const packages = new InstalledPackages();
  for (const folder of folders) {
    const here = new Map<string, { version: string; entry: string }[]>();
    for (const entry of (await listUnlessAbsent(machine, folder)) ?? []) {
      const { name, version } = metadataFolder(entry) ?? {};
      if (name === undefined || version === undefined) continue;
      here.set(name, [...(here.get(name) ?? []), { version, entry }]);
    }
    for (const [name, versions] of here) {
      const [newest, ...others] = versions.sort(byVersion).reverse();
      const first = packages.get(name);
      if (newest === undefined) continue;
      const { version, entry } = newest;
      if (first !== undefined) {
        first.hides ??= { version, folder };
        continue;
      }
      packages.set(name, { name, version, folder, alsoInstalled: others.map((each) => each.version) });
      packages.metadataFolders.set(name, entry);
    }
  }
  return packages;
}

/** The normalized name and the version in the name of a metadata folder; undefined for any other entry. */
function metadataFolder(entry: string): { readonly name: string; readonly version: string } | undefined {
  const [, name, version] = entry.match(/^([^~-][^-]*)-(\d[^-]*)(?:-py\d[\d.]*)?\.(?:dist|egg)-info$/) ?? [];
  return name === undefined || version === undefined ? undefined : { name: normalized(name), version };
}

function byVersion(left: { version: string }, right: { version: string }): number {
  return left.version.localeCompare(right.version, 'en', { numeric: true });
}

/** The first folder with the file, and the file's text. */
export async function findInFolders(
  machine: Machine,
  folders: string[],
  ...file: string[]
): Promise<{ folder: string; path: string; text: string } | undefined> {
  for (const folder of folders) {
    const path = machine.path.join(folder, ...file);
    const text = await readTextIfThere(machine, path);
    if (text !== undefined) return { folder, path, text };
  }
  return undefined;
}
