import { type Interpreter, type KnownFact, knownValue, type ProjectTool, type UnknownFact } from '../facts/facts.ts';
import { listIfThere, type Machine, readTextIfThere, searchPath } from '../machine/machine.ts';
import { known } from './readFact.ts';

/** Programs that remedies may use and that a machine may lack. */
export const OPTIONAL_PROGRAMS: readonly string[] = [
  'uv',
  'conda',
  'mamba',
  'micromamba',
  'pixi',
  'docker',
  'git',
  'git-lfs',
  'nvcc',
  'gcc',
  'cmake',
  'ninja',
];

/** The programs among those that are on PATH; a folder that cannot be listed counts as empty. */
export async function readPrograms(machine: Machine): Promise<string[]> {
  const listings = await Promise.all([...new Set(searchPath(machine))].map((folder) => listIfThere(machine, folder)));
  const names = new Set(listings.flat().map((name) => name.replace(/\.(?:exe|cmd|bat)$/i, '')));
  return OPTIONAL_PROGRAMS.filter((name) => names.has(name));
}

/** True if uv created the environment, which by default has no pip. */
export async function isMadeByUv(machine: Machine, interpreter: Interpreter | undefined): Promise<boolean> {
  if (interpreter?.environment !== 'venv') return false;
  const config = machine.path.join(interpreter.prefix, 'pyvenv.cfg');
  return /^uv\s*=/m.test((await readTextIfThere(machine, config).catch(() => undefined)) ?? '');
}

/** Files that identify the tool that locks a project's packages, the most specific first. */
const SIGNS: readonly [file: string, tool: ProjectTool][] = [
  ['uv.lock', 'uv'],
  ['poetry.lock', 'poetry'],
  ['pdm.lock', 'pdm'],
  ['pixi.lock', 'pixi'],
  ['pixi.toml', 'pixi'],
  ['Pipfile.lock', 'pipenv'],
];

/** The tool that locks the packages of the folders; a system Python belongs to no project. */
export async function readProjectTool(
  machine: Machine,
  interpreter: KnownFact<Interpreter> | UnknownFact,
  folders: string[],
): Promise<KnownFact<ProjectTool | null> | UnknownFact> {
  if (knownValue(interpreter)?.environment === 'system') return known(machine, "the system's Python", null);
  for (const folder of folders) {
    const names = await listIfThere(machine, folder);
    const sign = SIGNS.find(([file]) => names.includes(file));
    if (sign !== undefined) return known(machine, machine.path.join(folder, sign[0]), sign[1]);
  }
  return known(machine, folders.join(', ') || 'no folder', null);
}
