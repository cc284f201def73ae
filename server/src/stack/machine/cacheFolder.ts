import { environmentVariable, type Machine } from './machine.ts';

/** The folder in which programs of this user keep data that they can re-create. */
export function cacheFolder(machine: Pick<Machine, 'platform' | 'home' | 'path' | 'env'>): string {
  const { join } = machine.path;
  if (machine.platform === 'win32')
    return environmentVariable(machine, 'LOCALAPPDATA') ?? join(machine.home, 'AppData', 'Local');
  if (machine.platform === 'darwin') return join(machine.home, 'Library', 'Caches');
  // The XDG Base Directory Specification has relative paths ignored.
  const wanted = environmentVariable(machine, 'XDG_CACHE_HOME');
  return wanted?.startsWith('/') ? wanted : join(machine.home, '.cache');
}
