import type { Known, NvidiaLibrary, Unknown } from '../facts/facts.ts';
import { environmentVariable, type Machine, realPathIfThere } from '../machine/machine.ts';
import { searchFolders, systemLibraryFolders } from './libraryFolders.ts';
import { known, readFact } from './readFact.ts';

/** Folders of the driver's libraries in WSL, on container hosts and in NixOS. */
const MOUNTED_FOLDERS = ['/usr/lib/wsl/lib', '/usr/local/nvidia/lib64', '/run/opengl-driver/lib'];

/** Every libcuda that could be loaded, by precedence, with the version in its file name if there is one. */
export function readDriverLibraries(machine: Machine): Promise<Known<NvidiaLibrary[]> | Unknown> {
  if (machine.platform === 'darwin') return Promise.resolve(known(machine, 'platform', []));
  if (machine.platform === 'win32') return readWindowsLibrary(machine);
  return readFact(machine, 'LD_LIBRARY_PATH and the folders of the dynamic linker', async () => {
    const usual = [...(await systemLibraryFolders(machine)), ...MOUNTED_FOLDERS];
    const libraries = await Promise.all([
      ...searchFolders(machine).map((folder) => libraryIn(machine, folder, 'libraryPath')),
      ...usual.map((folder) => libraryIn(machine, folder, 'system')),
    ]);
    const found = new Map<string, NvidiaLibrary>();
    for (const library of libraries) if (library && !found.has(library.real)) found.set(library.real, library.library);
    return [...found.values()];
  });
}

async function libraryIn(
  machine: Machine,
  folder: string,
  origin: NvidiaLibrary['origin'],
): Promise<{ real: string; library: NvidiaLibrary } | undefined> {
  const path = machine.path.join(folder, 'libcuda.so.1');
  const real = await realPathIfThere(machine, path);
  if (real === undefined) return undefined;
  const version = machine.path.basename(real).match(/^libcuda\.so\.(\d+\.\d+(?:\.\d+)?)$/)?.[1];
  const plain = machine.path.join(folder, 'libcuda.so');
  const hasPlainName = (await realPathIfThere(machine, plain)) !== undefined;
  return {
    real,
    library: { version: version ?? '1', path, origin, package: null, ...(hasPlainName && { hasPlainName }) },
  };
}

function readWindowsLibrary(machine: Machine): Promise<Known<NvidiaLibrary[]> | Unknown> {
  const windows = environmentVariable(machine, 'SystemRoot') ?? 'C:\\Windows';
  const path = machine.path.join(windows, 'System32', 'nvcuda.dll');
  return readFact(machine, path, async () =>
    (await realPathIfThere(machine, path)) === undefined
      ? []
      : [{ version: '1', path, origin: 'system', package: null }],
  );
}
