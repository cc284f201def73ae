import type { BuiltFor, Package, Requirement } from '../facts/facts.ts';
import { type Machine, readTextIfThere } from '../machine/machine.ts';

/** What requirements are read of: packages of which there can be only one that fits the GPU. */
const TOLD_OF =
  /^(torch|torchvision|torchaudio|tensorflow|jax|jaxlib|transformers|xformers|triton|numpy|flashinfer-python|sgl-kernel|jax-cuda\d+-pjrt)$/;

/** What a package's metadata require without condition, or for this platform. */
export async function readRequirements(machine: Machine, { name, version, folder }: Package): Promise<Requirement[]> {
  for (const spelled of new Set([name.replaceAll('-', '_'), name])) {
    const file = machine.path.join(folder, `${spelled}-${version}.dist-info`, 'METADATA');
    const text = await readTextIfThere(machine, file).catch(() => undefined);
    if (text !== undefined) return requirementsIn(machine, text);
  }
  return [];
}

function requirementsIn(machine: Machine, metadata: string): Requirement[] {
  const lines = metadata.matchAll(/^Requires-Dist: *([\w.-]+)(?:\[[^\]]*\])? *\(?([^;()\n]*)\)? *(?:;([^\n]*))?$/gm);
  return [...lines].flatMap(([, raw = '', specifier = '', marker = '']) => {
    const name = raw.toLowerCase().replace(/[-_.]+/g, '-');
    if (!TOLD_OF.test(name) || !holds(machine, marker)) return [];
    return [{ name, specifier: specifier.trim() }];
  });
}

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'Linux', win32: 'Windows', darwin: 'Darwin' };

/** Whether a condition on the platform holds; of any other it is not known. */
function holds(machine: Machine, marker: string): boolean {
  return marker.split(/\band\b/).every((clause) => {
    if (clause.trim() === '') return true;
    const [, variable, value] = clause.match(/^\s*(?:\(\s*)?(\w+)\s*==\s*["']([^"']*)["']\s*(?:\)\s*)?$/) ?? [];
    if (variable === 'platform_system') return value === PLATFORMS[machine.platform];
    if (variable === 'sys_platform') return value === machine.platform;
    if (variable === 'platform_machine') return value === (machine.architecture === 'x64' ? 'x86_64' : 'aarch64');
    return false;
  });
}

/** What its compiled code was made for: as a file of its own says, else by the local tag of its version. */
export async function readBuiltFor(
  machine: Machine,
  { name, version, folder }: Package,
): Promise<BuiltFor | undefined> {
  if (name === 'xformers') {
    const file = machine.path.join(folder, 'xformers', 'cpp_lib.json');
    const text = await readTextIfThere(machine, file).catch(() => undefined);
    const torch = text?.match(/"torch"\s*:\s*"(\d+(?:\.\d+)+(?:\+\w+)?)"/)?.[1];
    if (torch !== undefined) return { torch, cuda: cudaOf(torch), source: file };
  }
  const local = version.split('+')[1] ?? '';
  const tag = local.replaceAll('.', '');
  // "torch2.4.0" and "pt21cu118".
  const torch =
    local.match(/(?:torch|pt)(\d)\.(\d+)/) ??
    tag.match(/(?:torch|pt)(\d)(\d{1,2}?)(?=\D|$|0?cu)/) ??
    tag.match(/(?:torch|pt)(\d)(\d)/);
  const cuda = cudaOf(tag);
  if (torch === null && cuda === null) return undefined;
  return { torch: torch === null ? null : `${torch[1]}.${torch[2]}`, cuda, source: `${name}-${version}` };
}

/** "12.1" of "cu121", "12" of "cu12", "9.2" of "cu92". */
function cudaOf(tag: string): string | null {
  const digits = tag.match(/cu(\d{2,3})/)?.[1];
  if (digits === undefined) return null;
  if (digits.length === 3) return `${digits.slice(0, 2)}.${digits.slice(2)}`;
  return digits === '92' ? '9.2' : digits;
}
