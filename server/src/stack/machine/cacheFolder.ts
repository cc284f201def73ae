import { environmentVariable, type Machine } from './machine.ts';

/** The folder where this user's programs keep data that they can re-create. */
export function cacheFolder(machine: Pick<Machine, 'platform' | 'home' | 'path' | 'env'>): string {
  const { join } = machine.path;
  if (machine.platform === 'win32')
    return environmentVariable(machine, 'LOCALAPPDATA') ?? join(machine.home, 'AppData', 'Local');
  if (machine.platform === 'darwin') return join(machine.home, 'Library', 'Caches');
  // The XDG Base Directory Specification requires ignoring relative paths.
  const wanted = environmentVariable(machine, 'XDG_CACHE_HOME');
  return wanted?.startsWith('/') ? wanted : join(machine.home, '.cache');
}
