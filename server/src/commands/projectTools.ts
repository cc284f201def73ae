/** The commands of tools that write their packages into the project's own file, for plans and remedies. */

import type { Shell } from './shells.ts';

/** A package index other than PyPI. */
export interface PackageIndex {
  /** Its name in project files, such as "pytorch-cu124". */
  readonly name: string;
  readonly url: string;
}

interface ProjectToolCommands {
  /** Selects a Python, such as "3.12", for the project. */
  readonly python: (version: string) => string;
  /** Declares an index for these packages only; null if that needs no separate command. */
  readonly source: (index: PackageIndex, packages: readonly string[], shell: Shell) => string | null;
  /** Installs packages, which are already quoted. */
  readonly add: (packages: string, index: PackageIndex | undefined) => string;
  readonly remove: (packages: string) => string;
  /** Precedes a program in the environment. */
  readonly run: string;
}

const uv: ProjectToolCommands = {
  python: (version) => `uv python pin ${version}`,
  source: () => null,
  add: (packages, index) => `uv add ${packages}${index ? ` --index ${index.name}=${index.url}` : ''}`,
  remove: (packages) => `uv remove ${packages}`,
  run: 'uv run',
};

const poetry: ProjectToolCommands = {
  python: (version) => `poetry env use ${version}`,
  source: ({ name, url }) => `poetry source add --priority=explicit ${name} ${url}`,
  add: (packages, index) => `poetry add ${index ? `--source ${index.name} ` : ''}${packages}`,
  remove: (packages) => `poetry remove ${packages}`,
  run: 'poetry run',
};

const pdm: ProjectToolCommands = {
  python: (version) => `pdm use ${version}`,
  source: ({ name, url }, packages, shell) => {
    const names = packages.map((each) => `"${each}"`).join(', ');
    const lines = ['', '[[tool.pdm.source]]', `name = "${name}"`, `url = "${url}"`, `include_packages = [${names}]`];
    // PDM has no command for this, but a table can be appended to the file.
    return shell === 'posix'
      ? `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} >> pyproject.toml`
      : `Add-Content pyproject.toml ${lines.map((line) => `'${line}'`).join(', ')}`;
  },
  add: (packages) => `pdm add ${packages}`,
  remove: (packages) => `pdm remove ${packages}`,
  run: 'pdm run',
};

const pipenv: ProjectToolCommands = {
  python: (version) => `pipenv --python ${version}`,
  source: () => null,
  add: (packages, index) => `pipenv install ${index ? `--index ${index.url} ` : ''}${packages}`,
  remove: (packages) => `pipenv uninstall ${packages}`,
  run: 'pipenv run',
};

/** pixi only reads packages from another index from its own file. */
const pixi: ProjectToolCommands = {
  python: (version) => `pixi add python=${version}`,
  source: () => null,
  add: (packages) => `pixi add --pypi ${packages}`,
  remove: (packages) => `pixi remove --pypi ${packages}`,
  run: 'pixi run',
};

/** The tools by their names. */
export const PROJECT_TOOLS = { uv, poetry, pdm, pipenv, pixi } as const satisfies Record<string, ProjectToolCommands>;

export type ProjectToolName = keyof typeof PROJECT_TOOLS;
