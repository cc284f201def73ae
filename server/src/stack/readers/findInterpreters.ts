import {
  environmentVariable,
  listIfThere,
  type Machine,
  readTextIfThere,
  realPathIfThere,
  searchPath,
} from '../machine/machine.ts';
import { readPythonEnvironment } from './environment.ts';
import { pythonIn, pythonNames } from './interpreter.ts';
import { readInstalledPackages } from './sitePackages.ts';

/** The origin of a Python. */
type InterpreterKind = 'workspace' | 'activated' | 'conda' | 'virtualenv' | 'uv' | 'pyenv' | 'system';

export interface FoundInterpreter {
  /** The full path of the program. */
  readonly path: string;
  readonly kind: InterpreterKind;
  /** The folder name of its environment. */
  readonly name: string;
  /** As in "3.12.1"; null if files do not show it. */
  readonly version: string | null;
  /** The frameworks installed in it, as in "torch 2.5.1+cu124". */
  readonly frameworks: readonly string[];
}

const FRAMEWORKS = ['torch', 'tensorflow', 'keras', 'jax', 'onnxruntime', 'onnxruntime-gpu'];

/** Maximum number of environments to inspect; on a machine with more, people can type a name. */
const MOST = 100;

/**
 * The Pythons on a machine: environments in the given folders, the activated one, environments of conda and of tools
 * with a central folder for them, the installations of uv and pyenv, and the ones on PATH. No program is started.
 */
export async function findInterpreters(machine: Machine, folders: readonly string[]): Promise<FoundInterpreter[]> {
  const found: FoundInterpreter[] = [];
  const known = new Set<string>();
  for (const { path, kind } of (await candidates(machine, folders)).slice(0, MOST)) {
    // In system folders, several names belong to one program; an environment's is a link to another's.
    const identity = kind === 'system' ? ((await realPathIfThere(machine, path)) ?? path) : path;
    if (known.has(identity) || known.has(path)) continue;
    known.add(identity).add(path);
    found.push(await describe(machine, path, kind));
  }
  return found;
}

interface Candidate {
  readonly path: string;
  readonly kind: InterpreterKind;
}

async function candidates(machine: Machine, folders: readonly string[]): Promise<Candidate[]> {
  const { join } = machine.path;
  const places: [InterpreterKind, string[]][] = [];
  for (const folder of folders) places.push(['workspace', await environmentsIn(machine, folder)]);
  const activated = ['VIRTUAL_ENV', 'CONDA_PREFIX'].flatMap((name) => environmentVariable(machine, name) ?? []);
  places.push(['activated', activated], ['conda', await condaPrefixes(machine)]);
  const kept = [
    environmentVariable(machine, 'WORKON_HOME') ?? join(machine.home, '.virtualenvs'),
    join(machine.home, '.local', 'share', 'virtualenvs'),
    join(machine.home, '.cache', 'pypoetry', 'virtualenvs'),
  ];
  for (const folder of kept) places.push(['virtualenv', await subfolders(machine, folder)]);
  places.push(['uv', await subfolders(machine, uvFolder(machine))]);
  for (const folder of pyenvFolders(machine)) places.push(['pyenv', await subfolders(machine, folder)]);

  const all: Candidate[] = [];
  for (const [kind, prefixes] of places) {
    for (const prefix of prefixes) {
      const path = await pythonIn(machine, prefix);
      if (path !== undefined) all.push({ path, kind });
    }
  }
  for (const folder of searchPath(machine)) {
    // On Windows, these programs only open the store, or, with pyenv, start another one.
    if (/\\Microsoft\\WindowsApps\\?$|[\\/]shims[\\/]?$/i.test(folder)) continue;
    const names = await listIfThere(machine, folder);
    const own = names.filter((name) => /^python(3(\.\d+)?)?(\.exe)?$/i.test(name)).sort();
    for (const name of new Set([...pythonNames(machine).filter((each) => own.includes(each)), ...own]))
      all.push({ path: join(folder, name), kind: 'system' });
  }
  return all;
}

async function describe(machine: Machine, path: string, kind: InterpreterKind): Promise<FoundInterpreter> {
  const { version, prefix, sitePackages } = await readPythonEnvironment(machine, path);
  const packages = await readInstalledPackages(machine, [...sitePackages]).catch(() => new Map());
  const frameworks = FRAMEWORKS.flatMap((name) => {
    const { version = undefined } = packages.get(name) ?? {};
    return version === undefined ? [] : [`${name} ${version}`];
  });
  return { path, kind, name: machine.path.basename(prefix), version: version ?? null, frameworks };
}

/** The environments in a folder, the ones with the usual names first. */
async function environmentsIn(machine: Machine, folder: string): Promise<string[]> {
  const { join } = machine.path;
  const names = await listIfThere(machine, folder);
  const usual = ['.venv', 'venv', '.conda'].filter((name) => names.includes(name));
  const others: string[] = [];
  for (const name of names.filter((each) => !usual.includes(each)).sort()) {
    const inside = await listIfThere(machine, join(folder, name));
    if (inside.includes('pyvenv.cfg') || inside.includes('conda-meta')) others.push(name);
  }
  return [...usual, ...others].map((name) => join(folder, name));
}

/** The environments in conda's own list, and in conda installations in the usual places. */
async function condaPrefixes(machine: Machine): Promise<string[]> {
  const { join, dirname } = machine.path;
  const list = await readTextIfThere(machine, join(machine.home, '.conda', 'environments.txt')).catch(() => undefined);
  const listed = (list ?? '').split(/\r?\n/).filter(Boolean);
  const program = environmentVariable(machine, 'CONDA_EXE');
  const roots = [
    ...(program ? [dirname(dirname(program))] : []),
    ...(environmentVariable(machine, 'MAMBA_ROOT_PREFIX')
      ? [environmentVariable(machine, 'MAMBA_ROOT_PREFIX') ?? '']
      : []),
    ...['miniconda3', 'anaconda3', 'miniforge3', 'mambaforge', 'micromamba'].map((name) => join(machine.home, name)),
    ...(machine.platform === 'win32' ? [] : ['/opt/conda', '/opt/miniconda3', '/opt/anaconda3']),
  ];
  const installed: string[] = [];
  for (const root of roots) installed.push(root, ...(await subfolders(machine, join(root, 'envs'))));
  return [...listed, ...installed];
}

function uvFolder(machine: Machine): string {
  const { join } = machine.path;
  const roaming = environmentVariable(machine, 'APPDATA');
  return (
    environmentVariable(machine, 'UV_PYTHON_INSTALL_DIR') ??
    (machine.platform === 'win32' && roaming
      ? join(roaming, 'uv', 'python')
      : join(environmentVariable(machine, 'XDG_DATA_HOME') ?? join(machine.home, '.local', 'share'), 'uv', 'python'))
  );
}

function pyenvFolders(machine: Machine): string[] {
  const { join } = machine.path;
  const root = environmentVariable(machine, 'PYENV_ROOT');
  const usual = machine.platform === 'win32' ? join(machine.home, '.pyenv', 'pyenv-win') : join(machine.home, '.pyenv');
  return [...new Set([...(root ? [root] : []), usual])].map((folder) => join(folder, 'versions'));
}

async function subfolders(machine: Machine, folder: string): Promise<string[]> {
  return (await listIfThere(machine, folder)).sort().map((name) => machine.path.join(folder, name));
}
