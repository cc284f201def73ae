import type { Interpreter } from '../facts/facts.ts';
import {
  environmentVariable,
  listIfThere,
  type Machine,
  readTextIfThere,
  realPathIfThere,
} from '../machine/machine.ts';

type PythonEnvironment = Pick<Interpreter, 'version' | 'prefix' | 'environment' | 'sitePackages'>;

/**
 * The environment of an interpreter: its folder, its Python version and the folders from which it imports packages,
 * derived from the files around it like CPython's own startup (`site.py`, PEP 405), without starting it.
 */
export async function readPythonEnvironment(machine: Machine, python: string): Promise<PythonEnvironment> {
  const { dirname, join } = machine.path;
  const bin = dirname(python);
  for (const prefix of [dirname(bin), bin]) {
    const config = await readTextIfThere(machine, join(prefix, 'pyvenv.cfg')).catch(() => undefined);
    if (config !== undefined) return readVenv(machine, prefix, parsePyvenv(config));
  }
  // A link in /usr/bin or ~/.local/bin points to the installation.
  const real = (await realPathIfThere(machine, python)) ?? python;
  const prefix = prefixOf(machine, real);
  const version = await pythonVersion(machine, prefix, real);
  const own = await ownSitePackages(machine, prefix, version);
  return {
    version,
    prefix,
    environment: await environmentKind(machine, prefix),
    sitePackages: [...(await pythonPath(machine)), ...(await userSite(machine, version)), ...own],
  };
}

async function readVenv(machine: Machine, prefix: string, config: Record<string, string>): Promise<PythonEnvironment> {
  const { dirname } = machine.path;
  const recorded = (config.version ?? config.version_info)?.match(/^\d+\.\d+(\.\d+)?/)?.[0];
  const version = recorded ?? (await pythonVersion(machine, prefix, prefix));
  const sitePackages = [...(await pythonPath(machine)), ...(await ownSitePackages(machine, prefix, version))];
  if (config['include-system-site-packages']?.toLowerCase() === 'true' && config.home) {
    const base = machine.platform === 'win32' ? config.home : dirname(config.home);
    sitePackages.push(...(await userSite(machine, version)), ...(await ownSitePackages(machine, base, version)));
  }
  return { version, prefix, environment: 'venv', sitePackages };
}

/** Parses the `key = value` lines of pyvenv.cfg, with keys in lower case. */
function parsePyvenv(text: string): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, key, value] = line.match(/^\s*([^=]+?)\s*=\s*(.*?)\s*$/) ?? [];
    if (key !== undefined && value !== undefined) entries[key.toLowerCase()] = value;
  }
  return entries;
}

function prefixOf(machine: Machine, python: string): string {
  const folder = machine.path.dirname(python);
  return /^(bin|Scripts)$/i.test(machine.path.basename(folder)) ? machine.path.dirname(folder) : folder;
}

async function environmentKind(machine: Machine, prefix: string): Promise<Interpreter['environment']> {
  if ((await listIfThere(machine, machine.path.join(prefix, 'conda-meta'))).length > 0) return 'conda';
  if (/[\\/]\.?pyenv(-win)?[\\/]versions[\\/]/.test(prefix)) return 'pyenv';
  return /^(\/usr(\/local)?|\/|[A-Z]:\\Program Files.*|[A-Z]:\\Python\d+)$/i.test(prefix) ? 'system' : 'other';
}

/** As exact as files allow: the C header of the installation, conda's record, or names that contain "3.11". */
async function pythonVersion(machine: Machine, prefix: string, python: string): Promise<string | null> {
  const { join, basename } = machine.path;
  for (const name of await listIfThere(machine, join(prefix, 'conda-meta'))) {
    const version = name.match(/^python-(\d+\.\d+\.\d+)-.*\.json$/)?.[1];
    if (version !== undefined) return version;
  }
  const short =
    basename(python).match(/^python(\d+\.\d+)t?(?:\.exe)?$/)?.[1] ?? (await versionOfLibrary(machine, prefix));
  const headers = machine.platform === 'win32' ? ['include'] : short === undefined ? [] : [`include/python${short}`];
  for (const folder of headers) {
    const text = await readTextIfThere(machine, join(prefix, folder, 'patchlevel.h')).catch(() => undefined);
    const version = text?.match(/^#define\s+PY_VERSION\s+"(\d+\.\d+\.\d+)/m)?.[1];
    if (version !== undefined) return version;
  }
  return short ?? null;
}

/** "3.11" from `lib/python3.11`, or on Windows from `python311.dll`. */
async function versionOfLibrary(machine: Machine, prefix: string): Promise<string | undefined> {
  if (machine.platform === 'win32') {
    const names = await listIfThere(machine, prefix);
    const [, major, minor] = names.join('\n').match(/^python(\d)(\d+)\.dll$/im) ?? [];
    return major === undefined ? undefined : `${major}.${minor}`;
  }
  const versions = (await listIfThere(machine, machine.path.join(prefix, 'lib'))).flatMap(
    (name) => name.match(/^python(3\.\d+)t?$/)?.[1] ?? [],
  );
  return versions.length === 1 ? versions[0] : undefined;
}

/** The folders of `site.getsitepackages()` for a prefix, with Debian's own. Only those that exist. */
async function ownSitePackages(machine: Machine, prefix: string, version: string | null): Promise<string[]> {
  const { join } = machine.path;
  if (machine.platform === 'win32') return existing(machine, [join(prefix, 'Lib', 'site-packages')]);
  const short = version?.match(/^\d+\.\d+/)?.[0];
  if (short === undefined) return [];
  const roots = prefix === '/usr' ? ['/usr/local', '/usr'] : [prefix];
  const folders = roots.flatMap((root) =>
    ['lib', 'lib64'].flatMap((lib) =>
      [`python${short}`, `python${short}t`].flatMap((python) => [
        join(root, lib, python, 'site-packages'),
        join(root, lib, python, 'dist-packages'),
      ]),
    ),
  );
  return existing(machine, [...folders, ...(prefix === '/usr' ? ['/usr/lib/python3/dist-packages'] : [])]);
}

/** `site.getusersitepackages()`, which precedes an installation's own folders and is not part of a venv. */
async function userSite(machine: Machine, version: string | null): Promise<string[]> {
  const { join } = machine.path;
  const short = version?.match(/^\d+\.\d+/)?.[0];
  if (short === undefined || environmentVariable(machine, 'PYTHONNOUSERSITE')) return [];
  const base = environmentVariable(machine, 'PYTHONUSERBASE');
  if (machine.platform === 'win32') {
    const root = base ?? join(environmentVariable(machine, 'APPDATA') ?? machine.home, 'Python');
    return existing(machine, [join(root, `Python${short.replace('.', '')}`, 'site-packages')]);
  }
  const folders = [join(base ?? join(machine.home, '.local'), 'lib', `python${short}`, 'site-packages')];
  if (machine.platform === 'darwin') {
    folders.push(join(machine.home, 'Library', 'Python', short, 'lib', 'python', 'site-packages'));
  }
  return existing(machine, folders);
}

/**
 * Clusters provide their software through PYTHONPATH. Relative entries depend on the working directory of a program.
 */
function pythonPath(machine: Machine): Promise<string[]> {
  const entries = environmentVariable(machine, 'PYTHONPATH')?.split(machine.path.delimiter) ?? [];
  return existing(
    machine,
    entries.filter((entry) => machine.path.isAbsolute(entry)),
  );
}

/** The existing folders, each once: `lib64` is often a link to `lib`. */
async function existing(machine: Machine, folders: string[]): Promise<string[]> {
  const found = new Map<string, string>();
  for (const folder of folders) {
    const real = await realPathIfThere(machine, folder);
    if (real !== undefined && !found.has(real)) found.set(real, folder);
  }
  return [...found.values()];
}
