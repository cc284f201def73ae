import { environmentVariable, listIfThere, type Machine, readTextIfThere, searchPath } from '../machine/machine.ts';

/** Default folders of the dynamic linker in common distributions. */
const DEFAULT_FOLDERS = [
  '/usr/local/lib',
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
];

/** The variable with the folders that are searched first. */
export function libraryPathVariable(machine: Machine): 'LD_LIBRARY_PATH' | 'PATH' {
  return machine.platform === 'win32' ? 'PATH' : 'LD_LIBRARY_PATH';
}

/**
 * The folders of LD_LIBRARY_PATH, or of PATH on Windows, in order. Relative ones depend on a program's working
 * directory.
 */
export function searchFolders(machine: Machine): string[] {
  if (machine.platform === 'win32') return searchPath(machine);
  const value = environmentVariable(machine, 'LD_LIBRARY_PATH') ?? '';
  return value.split(':').filter((entry) => machine.path.isAbsolute(entry));
}

/** The folders that the dynamic linker searches next: from `/etc/ld.so.conf`, then the defaults. Linux only. */
export async function systemLibraryFolders(machine: Machine): Promise<string[]> {
  if (machine.platform !== 'linux') return [];
  const names = (await listIfThere(machine, '/etc/ld.so.conf.d')).filter((name) => name.endsWith('.conf')).sort();
  const files = ['/etc/ld.so.conf', ...names.map((name) => `/etc/ld.so.conf.d/${name}`)];
  const texts = await Promise.all(files.map((file) => readTextIfThere(machine, file).catch(() => undefined)));
  const folders = texts
    .flatMap((text) => text?.split('\n') ?? [])
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line.startsWith('/'));
  return [...new Set([...folders, ...DEFAULT_FOLDERS])];
}
