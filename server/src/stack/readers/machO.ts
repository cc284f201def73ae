import { type Machine, readTextIfThere } from '../machine/machine.ts';

/** The bytes of the magic number are no UTF-8 and come out as four replacements; the type of processor follows. */
const MAGIC = '\ufffd'.repeat(4);
const HEADERS = { x64: `${MAGIC}\x07\0\0\x01`, arm64: `${MAGIC}\x0c\0\0\x01` };

/**
 * The one processor that a program of macOS is built for, by the first bytes of its file (`mach/machine.h`); null for
 * programs for both, and on other systems.
 */
export async function readProgramArchitecture(machine: Machine, program: string): Promise<'x64' | 'arm64' | null> {
  if (machine.platform !== 'darwin') return null;
  const header = await readTextIfThere(machine, program, MAGIC.length + 4).catch(() => undefined);
  if (header === HEADERS.x64) return 'x64';
  return header === HEADERS.arm64 ? 'arm64' : null;
}
