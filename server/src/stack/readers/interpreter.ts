import type { Interpreter, KnownFact, UnknownFact } from '../facts/facts.ts';
import {
  environmentVariable,
  listIfThere,
  type Machine,
  readTextIfThere,
  realPathIfThere,
  searchPath,
} from '../machine/machine.ts';
import { readPythonEnvironment } from './environment.ts';
import { pythonOfKernel } from './kernelspec.ts';
import { known, unknownFact } from './readFact.ts';

interface InterpreterChoice {
  /** The selected Python: a program, the folder of an environment, or a name on the PATH. */
  interpreter?: string;
  /** The kernel name of the active notebook, if it counts. */
  kernel?: string;
  /** Folders whose `.venv`, `venv` or `.conda` counts. */
  folders: string[];
}

/**
 * The Python in which the code runs: the notebook kernel's, then the selected one, then a workspace folder's
 * environment, then the activated one, then the first on PATH. No program is started.
 */
export async function readInterpreter(
  machine: Machine,
  choice: InterpreterChoice,
): Promise<KnownFact<Interpreter> | UnknownFact> {
  const found = await findPython(machine, choice);
  if ('reason' in found) return unknownFact(machine, found.source, 'absent', found.reason);
  const environment = await readPythonEnvironment(machine, found.path);
  const architecture = await readProgramArchitecture(machine, found.path);
  return known(machine, found.path, { path: found.path, chosenBy: found.chosenBy, architecture, ...environment });
}

type Found = { path: string; chosenBy: string } | { source: string; reason: string };

async function findPython(machine: Machine, { interpreter, kernel, folders }: InterpreterChoice): Promise<Found> {
  const { join } = machine.path;
  const ofKernel = kernel === undefined ? undefined : await pythonOfKernel(machine, kernel);
  if (ofKernel !== undefined) {
    if ((await realPathIfThere(machine, ofKernel)) === undefined)
      return {
        source: ofKernel,
        reason: `the kernel "${kernel}" is configured to start a Python that does not exist: ${ofKernel}`,
      };
    return { path: ofKernel, chosenBy: `kernel "${kernel}"` };
  }
  if (interpreter) {
    const path = await resolveSelected(machine, interpreter, folders[0]);
    if (path === undefined)
      return { source: interpreter, reason: `the selected interpreter does not exist: ${interpreter}` };
    return { path, chosenBy: 'selected' };
  }
  for (const folder of folders) {
    // The last one is the Python extension's name for conda environments that it creates.
    for (const name of ['.venv', 'venv', '.conda']) {
      const path = await pythonIn(machine, join(folder, name));
      if (path !== undefined) return { path, chosenBy: 'workspace folder' };
    }
  }
  for (const variable of ['VIRTUAL_ENV', 'CONDA_PREFIX']) {
    const prefix = environmentVariable(machine, variable);
    const path = prefix ? await pythonIn(machine, prefix) : undefined;
    if (path !== undefined) return { path, chosenBy: variable };
  }
  const path = await pythonOnPath(machine, pythonNames(machine), folders);
  return path === undefined ? { source: 'PATH', reason: 'no Python found' } : { path, chosenBy: 'PATH' };
}

export function pythonNames(machine: Machine): string[] {
  return machine.platform === 'win32' ? ['python.exe', 'python3.exe'] : ['python3', 'python'];
}

async function resolveSelected(machine: Machine, selected: string, folder?: string): Promise<string | undefined> {
  const { path } = machine;
  const fromHome = selected.replace(/^~(?=$|[\\/])/, () => machine.home);
  if (!/[\\/]/.test(fromHome)) {
    const names = machine.platform === 'win32' && !/\.exe$/i.test(fromHome) ? [`${fromHome}.exe`] : [fromHome];
    const onPath = await pythonOnPath(machine, names, folder === undefined ? [] : [folder]);
    if (onPath !== undefined) return onPath;
  }
  const full = path.isAbsolute(fromHome) ? fromHome : path.join(folder ?? machine.home, fromHome);
  if ((await realPathIfThere(machine, full)) === undefined) return undefined;
  // The Python extension names an environment by its folder if it has no interpreter path.
  return (await pythonIn(machine, full)) ?? full;
}

/** The interpreter of an environment's folder. */
export async function pythonIn(machine: Machine, prefix: string): Promise<string | undefined> {
  const { join } = machine.path;
  const folders = machine.platform === 'win32' ? [join(prefix, 'Scripts'), prefix] : [join(prefix, 'bin')];
  for (const folder of folders) {
    const names = await listIfThere(machine, folder);
    const name = pythonNames(machine).find((each) => names.includes(each));
    if (name !== undefined) return join(folder, name);
  }
  return undefined;
}

async function pythonOnPath(machine: Machine, names: string[], folders: string[]): Promise<string | undefined> {
  for (const folder of searchPath(machine)) {
    // On Windows, these programs only open the store.
    if (/\\Microsoft\\WindowsApps\\?$/i.test(folder)) continue;
    for (const name of names) {
      const file = machine.path.join(folder, name);
      if ((await realPathIfThere(machine, file)) === undefined) continue;
      const path = isPyenvShim(machine, folder) ? await pythonOfPyenv(machine, folder, name, folders) : file;
      if (path !== undefined) return path;
    }
  }
  return undefined;
}

function isPyenvShim(machine: Machine, folder: string): boolean {
  return machine.path.basename(folder) === 'shims' && /pyenv/i.test(folder);
}

/**
 * The version that pyenv's shim would start: from PYENV_VERSION, the nearest `.python-version` or pyenv's own `version`
 * file; undefined if pyenv leaves the choice to the rest of PATH ("system").
 */
async function pythonOfPyenv(
  machine: Machine,
  shims: string,
  name: string,
  folders: string[],
): Promise<string | undefined> {
  const { join, dirname } = machine.path;
  const root = dirname(shims);
  const texts = [environmentVariable(machine, 'PYENV_VERSION')];
  for (const start of folders) {
    for (let folder = start; ; folder = dirname(folder)) {
      texts.push(await readTextIfThere(machine, join(folder, '.python-version')).catch(() => undefined));
      if (dirname(folder) === folder) break;
    }
  }
  texts.push(await readTextIfThere(machine, join(root, 'version')).catch(() => undefined));
  const text = texts.find((each) => each?.trim());
  const installed = await listIfThere(machine, join(root, 'versions'));
  for (const version of text?.split(/[\s:]+/).filter(Boolean) ?? []) {
    // "3.11" means its latest release.
    const exact = installed.includes(version)
      ? version
      : installed
          .filter((each) => each.startsWith(`${version}.`))
          .sort(byVersion)
          .at(-1);
    if (exact === undefined) continue;
    const bin = machine.platform === 'win32' ? join(root, 'versions', exact) : join(root, 'versions', exact, 'bin');
    if ((await listIfThere(machine, bin)).includes(name)) return join(bin, name);
  }
  return undefined;
}

function byVersion(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}

/**
 * The bytes of the magic number are not UTF-8 and decode to four replacement characters; the processor type follows.
 */
const MAGIC = '\ufffd'.repeat(4);
const HEADERS = { x64: `${MAGIC}\x07\0\0\x01`, arm64: `${MAGIC}\x0c\0\0\x01` };

/**
 * The only processor that a macOS program is built for, from its file header (`mach/machine.h`); null for universal
 * programs, and on other systems.
 */
async function readProgramArchitecture(machine: Machine, program: string): Promise<'x64' | 'arm64' | null> {
  if (machine.platform !== 'darwin') return null;
  const header = await readTextIfThere(machine, program, MAGIC.length + 4).catch(() => undefined);
  if (header === HEADERS.x64) return 'x64';
  return header === HEADERS.arm64 ? 'arm64' : null;
}
