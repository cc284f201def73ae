import type { Interpreter } from '../facts/facts.ts';
import { listIfThere, type Machine, readTextIfThere, searchPath } from '../machine/machine.ts';

/** Programs that remedies may use. */
const USED = [
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
  return USED.filter((name) => names.has(name));
}

/** True if uv created the environment, which by default has no pip. */
export async function isMadeByUv(machine: Machine, interpreter: Interpreter | undefined): Promise<boolean> {
  if (interpreter?.environment !== 'venv') return false;
  const config = machine.path.join(interpreter.prefix, 'pyvenv.cfg');
  return /^uv\s*=/m.test((await readTextIfThere(machine, config).catch(() => undefined)) ?? '');
}
