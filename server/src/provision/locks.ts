/** The lock files, each with the command that redoes it. */
export const LOCKS: readonly (readonly [file: string, command: string])[] = [
  ['uv.lock', 'uv lock'],
  ['poetry.lock', 'poetry lock'],
  ['pdm.lock', 'pdm lock'],
  ['Pipfile.lock', 'pipenv lock'],
  ['pixi.lock', 'pixi lock'],
  ['conda-lock.yml', 'conda-lock'],
];
