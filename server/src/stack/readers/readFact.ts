import type { Known, Unknown, UnknownCause } from '../facts/facts.ts';
import type { Machine } from '../machine/machine.ts';

export function known<T>(machine: Machine, source: string, value: T): Known<T> {
  return { value, source, readAt: machine.now().toISOString() };
}

export function unknown(machine: Machine, source: string, cause: UnknownCause, reason: string): Unknown {
  return { unknown: reason, cause, source, readAt: machine.now().toISOString() };
}

/** Returns the fact from `read`, or the operating system's reason why it cannot be read. */
export async function readFact<T>(
  machine: Machine,
  source: string,
  read: () => Promise<T>,
): Promise<Known<T> | Unknown> {
  try {
    return known(machine, source, await read());
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return unknown(machine, source, 'absent', `${source} does not exist`);
    if (code === 'EACCES' || code === 'EPERM')
      return unknown(machine, source, 'refused', `no permission to read ${source}`);
    return unknown(machine, source, 'unreadable', `${source} cannot be read: ${message}`);
  }
}
