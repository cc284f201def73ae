import type { KnownFact, SystemMemory, UnknownFact } from '../facts/facts.ts';
import { type Machine, readTextIfThere } from '../machine/machine.ts';
import { known, unknownFact } from './readFact.ts';

/** The main memory, and the size of `/dev/shm`, which is half of the memory unless it was mounted with another one. */
export async function readSystemMemory(machine: Machine): Promise<KnownFact<SystemMemory> | UnknownFact> {
  const bytes = machine.mainMemory();
  if (bytes === null) return unknownFact(machine, 'the system', 'absent', 'the system reports no memory');
  const total = Math.floor(bytes / 2 ** 20);
  const mounts = await readTextIfThere(machine, '/proc/mounts').catch(() => undefined);
  const options = mounts?.match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1];
  const size = options?.match(/\bsize=(\d+)k\b/)?.[1];
  const shared =
    options === undefined ? null : size === undefined ? Math.floor(total / 2) : Math.floor(Number(size) / 1024);
  return known(machine, mounts === undefined ? 'the system' : 'the system and /proc/mounts', { total, shared });
}
