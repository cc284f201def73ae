import { gpuPackageFiles, gpuPackages } from '../../published/gpuPackages.ts';
import type { BuiltFor, Package } from '../facts/facts.ts';
import { type Machine, readTextIfThere } from '../machine/machine.ts';
import { metadataFile, readOfMetadata } from './metadata.ts';
import type { InstalledPackages } from './sitePackages.ts';

/**
 * The build of its compiled code: from its own file, otherwise from the local tag of its version, otherwise from the
 * wheel that was named at installation.
 */
export async function readBuiltFor(
  machine: Machine,
  installed: InstalledPackages,
  each: Package,
): Promise<BuiltFor | undefined> {
  const said = await saidByFile(machine, each);
  if (said !== undefined) return said;
  const { name, version } = each;
  if (version.includes('+') || !gpuPackages().extensions.includes(name)) {
    return builtForTag(version.split('+')[1] ?? '', `${name}-${version}`);
  }
  const wheel = await wheelNamed(machine, installed, name);
  return wheel && builtForTag(wheel.name.split('+')[1]?.split('-')[0] ?? '', wheel.source);
}

async function saidByFile(machine: Machine, { name, folder }: Package): Promise<BuiltFor | undefined> {
  const row = gpuPackageFiles()[name]?.built_for;
  if (row === undefined) return undefined;
  const source = machine.path.join(folder, ...row.file.split('/'));
  const text = (await readTextIfThere(machine, source).catch(() => undefined)) ?? '';
  const torch = text.match(row.torch)?.[1];
  if (torch === undefined || (row.where !== undefined && text.match(row.where) === null)) return undefined;
  return { torch, cuda: row.cuda === undefined ? cudaOf(torch) : (text.match(row.cuda)?.[1] ?? null), source };
}

/** The wheel that was installed by URL, as recorded by PEP 610. */
async function wheelNamed(
  machine: Machine,
  installed: InstalledPackages,
  name: string,
): Promise<{ name: string; source: string } | undefined> {
  const text = await readOfMetadata(machine, installed, name, 'direct_url.json');
  const wheel = text?.match(/"url": *"[^"]*\/([^"/]+\.whl)["#?]/)?.[1]?.replaceAll(/%2B/gi, '+');
  return wheel === undefined
    ? undefined
    : { name: wheel, source: metadataFile(machine, installed, name, 'direct_url.json') ?? wheel };
}

function builtForTag(local: string, source: string): BuiltFor | undefined {
  const tag = local.replaceAll('.', '');
  // "torch2.4.0" and "pt21cu118".
  const torch =
    local.match(/(?:torch|pt)(\d)\.(\d+)/) ??
    tag.match(/(?:torch|pt)(\d)(\d{1,2}?)(?=\D|$|0?cu)/) ??
    tag.match(/(?:torch|pt)(\d)(\d)/);
  const cuda = cudaOf(tag);
  if (torch === null && cuda === null) return undefined;
  return { torch: torch === null ? null : `${torch[1]}.${torch[2]}`, cuda, source };
}

/** "12.1" for "cu121", "12" for "cu12", "9.2" for "cu92". */
function cudaOf(tag: string): string | null {
  const digits = tag.match(/cu(\d{2,3})/)?.[1];
  if (digits === undefined) return null;
  if (digits.length === 3) return `${digits.slice(0, 2)}.${digits.slice(2)}`;
  return digits === '92' ? '9.2' : digits;
}
