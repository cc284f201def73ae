/** Plans as commands for a shell. */
import { PROJECT_TOOLS } from '../../commands/projectTools.ts';
import { quotePath } from '../../commands/shellWords.ts';
import type { Draft } from '../environmentPlan.ts';
import {
  CONDA_NAME,
  commented,
  createCondaEnvironment,
  opening,
  pipArguments,
  pythonReason,
  reasonsOf,
  systemCudaReason,
  trying,
  withoutWheels,
} from './lines.ts';

/** Where commands run, as far as they differ. */
export interface Shell {
  readonly isWindows: boolean;
  /** The folder for the new environment: one that is not there yet. */
  readonly folder: string;
  /** Whether a lock file of uv's holds what the project installs. */
  readonly isUvProject: boolean;
}

export function pipCommands(draft: Draft, shell: Shell): string[] {
  const folder = quotePath(shell.folder, shell.isWindows);
  const python = shell.isWindows ? `${folder}\\Scripts\\python` : `${folder}/bin/python`;
  const version = draft.python?.version;
  const create = shell.isWindows ? `py -${version} -m venv ${folder}` : `python${version} -m venv ${folder}`;
  return [
    ...commented(pythonReason(draft)),
    create,
    ...withoutWheels(draft),
    ...draft.installations.flatMap((each) => [
      ...commented(reasonsOf(each)),
      `${python} -m pip install ${pipArguments(each)}`,
    ]),
    ...trying(draft, smokeTest(folder)),
  ];
}

export function uvCommands(draft: Draft, shell: Shell): string[] {
  if (shell.isUvProject) return uvProject(draft);
  const folder = quotePath(shell.folder, shell.isWindows);
  return [
    ...commented(pythonReason(draft)),
    `uv venv --python ${draft.python?.version} ${folder}`,
    ...withoutWheels(draft),
    ...draft.installations.flatMap((each) => [
      ...commented(reasonsOf(each)),
      `uv pip install --python ${folder} ${pipArguments(each)}`,
    ]),
    ...trying(draft, smokeTest(folder)),
  ];
}

/** What is not written into the project's own file is undone by its next lock. */
function uvProject(draft: Draft): string[] {
  return [
    ...commented(pythonReason(draft)),
    PROJECT_TOOLS.uv.python(draft.python?.version ?? ''),
    ...withoutWheels(draft),
    ...draft.installations.flatMap((each) => {
      const index =
        each.index === null ? undefined : { name: `pytorch-${each.index.match(/[^/]+$/)?.[0]}`, url: each.index };
      const isolation = each.isIsolated
        ? ''
        : each.requirements.map((one) => ` --no-build-isolation-package ${one.match(/^[\w.-]+/)?.[0]}`).join('');
      const packages = pipArguments({ ...each, index: null, keeps: [], isIsolated: true });
      return [...commented(each.reasons), `${PROJECT_TOOLS.uv.add(packages, index)}${isolation}`];
    }),
    ...commented(['Installs what the lock file says now.']),
    'uv sync',
    ...trying(draft, smokeTest('.venv')),
  ];
}

export function condaCommands(draft: Draft, { isWindows }: Shell): string[] {
  const { systemCuda, installations } = draft;
  return [
    ...commented([...pythonReason(draft), ...(systemCuda === null ? [] : [systemCudaReason(systemCuda)])]),
    createCondaEnvironment(draft),
    `conda activate ${CONDA_NAME}`,
    // On Windows, the folder is on the path wherever the environment is activated.
    ...(systemCuda === null || systemCuda.cudnn === null || isWindows ? [] : LEADING),
    ...commented([
      'The packages themselves come from PyPI and from their publishers, for whose wheels GPU Doctor knows what they hold.',
    ]),
    ...installations.flatMap((each) => [...commented(reasonsOf(each)), `python -m pip install ${pipArguments(each)}`]),
    ...trying(draft, smokeTest(isWindows ? '"$env:CONDA_PREFIX"' : '"$CONDA_PREFIX"')),
  ];
}

const LEADING = [
  '# The loader finds the libraries of conda there.',
  'conda env config vars set LD_LIBRARY_PATH="$CONDA_PREFIX/lib"',
  `conda activate ${CONDA_NAME}`,
];

const smokeTest = (folder: string): string => `gpu-doctor stack --smoke --python ${folder}`;

/** The whole text: the opening as comments, then the commands. */
export function script(draft: Draft, commands: readonly string[]): string {
  const body = draft.outcome === 'impossible' ? [] : ['', ...commands];
  return `${[...commented(opening(draft)), ...body].join('\n')}\n`;
}
