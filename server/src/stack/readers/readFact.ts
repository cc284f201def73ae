import type { KnownFact, UnknownCause, UnknownFact } from '../facts/facts.ts';
import type { Machine } from '../machine/machine.ts';

export function known<T>(machine: Machine, source: string, value: T): KnownFact<T> {
  return { value, source, readAt: machine.now().toISOString() };
}

export function unknownFact(machine: Machine, source: string, cause: UnknownCause, reason: string): UnknownFact {
  return { unknown: reason, cause, source, readAt: machine.now().toISOString() };
}

/** Returns the fact from `read`, or the operating system's reason why it cannot be read. */
export async function readFact<T>(
  machine: Machine,
  source: string,
  read: () => Promise<T>,
): Promise<KnownFact<T> | UnknownFact> {
  try {
    return known(machine, source, await read());
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return unknownFact(machine, source, 'absent', `${source} does not exist`);
    if (code === 'EACCES' || code === 'EPERM')
      return unknownFact(machine, source, 'refused', `no permission to read ${source}`);
    return unknownFact(machine, source, 'unreadable', `${source} cannot be read: ${message}`);
  }
}
