import { type Interpreter, type Known, knownValue, type ProjectTool, type Unknown } from '../facts/facts.ts';
import { listIfThere, type Machine } from '../machine/machine.ts';
import { known } from './readFact.ts';

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
  interpreter: Known<Interpreter> | Unknown,
  folders: string[],
): Promise<Known<ProjectTool | null> | Unknown> {
  if (knownValue(interpreter)?.environment === 'system') return known(machine, "the system's Python", null);
  for (const folder of folders) {
    const names = await listIfThere(machine, folder);
    const sign = SIGNS.find(([file]) => names.includes(file));
    if (sign !== undefined) return known(machine, machine.path.join(folder, sign[0]), sign[1]);
  }
  return known(machine, folders.join(', ') || 'no folder', null);
}
