import { type Machine, readTextIfThere } from '../machine/machine.ts';

/**
 * The bytes of the magic number are not UTF-8 and decode to four replacement characters; the processor type follows.
 */
const MAGIC = '\ufffd'.repeat(4);
const HEADERS = { x64: `${MAGIC}\x07\0\0\x01`, arm64: `${MAGIC}\x0c\0\0\x01` };

/**
 * The only processor that a macOS program is built for, from its file header (`mach/machine.h`); null for universal
 * programs, and on other systems.
 */
export async function readProgramArchitecture(machine: Machine, program: string): Promise<'x64' | 'arm64' | null> {
  if (machine.platform !== 'darwin') return null;
  const header = await readTextIfThere(machine, program, MAGIC.length + 4).catch(() => undefined);
  if (header === HEADERS.x64) return 'x64';
  return header === HEADERS.arm64 ? 'arm64' : null;
}
