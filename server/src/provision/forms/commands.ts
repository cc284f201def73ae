/** Plans as commands for a shell. */
import { addToProject, namesOf } from '../../commands/installers.ts';
import { PROJECT_TOOLS } from '../../commands/projectTools.ts';
import { quotePath, type Shell } from '../../commands/shells.ts';
import type { Draft } from '../environmentPlan.ts';
import {
  CONDA_NAME,
  commented,
  createCondaEnvironment,
  exportLibraries,
  indexOf,
  installCommands,
  opening,
  pythonReason,
  systemCudaReason,
  trying,
  withoutWheels,
} from './lines.ts';

/** The differences between the places where the commands of a plan run. */
export interface CommandPlace {
  readonly shell: Shell;
  /** The folder for the new environment: one that does not exist yet. */
  readonly folder: string;
  /** True if uv's lock file contains the project's packages. */
  readonly isUvProject: boolean;
}

export function pipCommands(draft: Draft, place: CommandPlace): string[] {
  const folder = quotePath(place.folder, place.shell);
  const version = draft.python?.version;
  return place.shell !== 'posix'
    ? inFolder(draft, place, `py -${version} -m venv ${folder}`, `${folder}\\Scripts\\python -m pip install`)
    : inFolder(draft, place, `python${version} -m venv ${folder}`, `${folder}/bin/python -m pip install`);
}

export function uvCommands(draft: Draft, place: CommandPlace): string[] {
  if (place.isUvProject) return uvProject(draft, place.shell);
  const folder = quotePath(place.folder, place.shell);
  const create = `uv venv --python ${draft.python?.version} ${folder}`;
  return inFolder(draft, place, create, `uv pip install --python ${folder}`);
}

/** The commands for a new environment in a folder. `installer` precedes the arguments of an installation. */
function inFolder(draft: Draft, { folder, shell }: CommandPlace, create: string, installer: string): string[] {
  return [
    ...commented(pythonReason(draft)),
    create,
    ...withoutWheels(draft),
    ...installCommands(draft, installer),
    ...exportLibraries(draft, `$PWD/${folder}`),
    ...trying(draft, smokeTest(quotePath(folder, shell))),
  ];
}

/** The next lock would undo changes that are not in the project's own file. */
function uvProject(draft: Draft, shell: Shell): string[] {
  return [
    ...commented(pythonReason(draft)),
    PROJECT_TOOLS.uv.python(draft.python?.version ?? ''),
    ...withoutWheels(draft),
    ...draft.installations.flatMap((each) => {
      const adding = addToProject('uv', { requirements: each.requirements, index: indexOf(each) }, shell);
      const names = each.isIsolated ? [] : namesOf(each.requirements);
      const options = [
        ...(each.page === null ? [] : [`--find-links ${each.page}`]),
        ...names.map((name) => `--no-build-isolation-package ${name}`),
      ];
      return [...commented(each.reasons), [...adding, ...options].join(' ')];
    }),
    ...commented(['Installs what is now in the lock file.']),
    'uv sync',
    ...exportLibraries(draft, '$PWD/.venv'),
    ...trying(draft, smokeTest('.venv')),
  ];
}

export function condaCommands(draft: Draft, place: CommandPlace): string[] {
  const windows = place.shell !== 'posix';
  const { systemCuda } = draft;
  return [
    ...commented([...pythonReason(draft), ...(systemCuda === null ? [] : [systemCudaReason(systemCuda)])]),
    createCondaEnvironment(draft),
    `conda activate ${CONDA_NAME}`,
    // On Windows, the folder is on the PATH of activated environments.
    ...(systemCuda === null || systemCuda.cudnn === null || windows ? [] : LEADING),
    ...commented([
      'The packages themselves come from PyPI and from their publishers, because GPU Doctor knows what those wheels contain.',
    ]),
    ...installCommands(draft, 'python -m pip install'),
    ...exportLibraries(draft, '$CONDA_PREFIX'),
    ...trying(draft, smokeTest(windows ? '"$env:CONDA_PREFIX"' : '"$CONDA_PREFIX"')),
  ];
}

const LEADING = [
  "# The loader finds conda's libraries there.",
  'conda env config vars set LD_LIBRARY_PATH="$CONDA_PREFIX/lib"',
  `conda activate ${CONDA_NAME}`,
];

const smokeTest = (folder: string): string => `gpu-doctor stack --smoke --python ${folder}`;

/** The whole text: the introduction as comments, then the commands. */
export function commandScript(draft: Draft, commands: readonly string[]): string {
  const body = draft.outcome === 'impossible' ? [] : ['', ...commands];
  return `${[...commented(opening(draft)), ...body].join('\n')}\n`;
}
