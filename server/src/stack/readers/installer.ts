import type { Package } from '../facts/facts.ts';
import { type Machine, readTextIfThere } from '../machine/machine.ts';

/** The installer of a package, from its metadata: "pip", "uv", "conda"; null if not recorded. */
export async function readInstaller(machine: Machine, { name, version, folder }: Package): Promise<string | null> {
  for (const spelled of new Set([name.replaceAll('-', '_'), name])) {
    const file = machine.path.join(folder, `${spelled}-${version}.dist-info`, 'INSTALLER');
    const text = await readTextIfThere(machine, file).catch(() => undefined);
    if (text?.trim()) return text.trim();
  }
  return null;
}
