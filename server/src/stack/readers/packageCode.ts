import { gpuPackages } from '../../published/gpuPackages.ts';
import { satisfies } from '../../published/specifier.ts';
import type { Package } from '../facts/facts.ts';
import { listUnlessAbsent, type Machine } from '../machine/machine.ts';

/**
 * The files with a package's GPU code, if the catalogue knows their names. Undefined if only metadata is installed, as
 * in an editable installation.
 */
export async function readPackageCode(
  machine: Machine,
  { name, version, folder }: Package,
): Promise<Package['gpuCode'] | undefined> {
  const row = gpuPackages().code.find((each) => each.name === name && satisfies(version, each.versions));
  if (row === undefined) return undefined;
  const list = (place: string) => listUnlessAbsent(machine, place).catch(() => undefined);
  const imported = row.folder.split('/')[0] || name.replaceAll('-', '_');
  const place = machine.path.join(folder, ...row.folder.split('/'));
  const names = (await list(folder))?.includes(imported) ? await list(place) : undefined;
  if (names === undefined) return undefined;
  return { files: names.filter((each) => new RegExp(row.file).test(each)).sort(), folder: place };
}
