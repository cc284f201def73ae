/** Reads the `*.dist-info` folders of installed distributions. */
import { type ParsedRequirement, parseRequirement } from '../../published/requirement.ts';
import { type Machine, readTextIfThere } from '../machine/machine.ts';
import type { InstalledPackages } from './sitePackages.ts';

/** The requirements in a distribution's metadata, whatever their condition. */
export async function declaredRequirements(
  machine: Machine,
  installed: InstalledPackages,
  name: string,
): Promise<ParsedRequirement[]> {
  // The description below the head may quote such lines.
  const [head = ''] = ((await readOfMetadata(machine, installed, name, 'METADATA')) ?? '').split(/\r?\n\r?\n/, 1);
  return [...head.matchAll(/^Requires-Dist:(.*)$/gm)].flatMap(([, line = '']) => parseRequirement(line.trim()) ?? []);
}

/** A file in the metadata folder of a distribution; undefined without it. */
export async function readOfMetadata(
  machine: Machine,
  installed: InstalledPackages,
  name: string,
  file: 'METADATA' | 'INSTALLER' | 'WHEEL' | 'direct_url.json',
): Promise<string | undefined> {
  const place = metadataFile(machine, installed, name, file);
  return place === undefined ? undefined : readTextIfThere(machine, place).catch(() => undefined);
}

/** The path of such a file, whether or not it exists. */
export function metadataFile(
  machine: Machine,
  installed: InstalledPackages,
  name: string,
  file: string,
): string | undefined {
  const { folder } = installed.get(name) ?? {};
  const own = installed.metadataFolders.get(name);
  return folder === undefined || own === undefined ? undefined : machine.path.join(folder, own, file);
}

/** The program that installed a package: "pip", "uv", "conda"; null if not recorded. */
export async function readInstaller(
  machine: Machine,
  installed: InstalledPackages,
  name: string,
): Promise<string | null> {
  return (await readOfMetadata(machine, installed, name, 'INSTALLER'))?.trim() || null;
}
