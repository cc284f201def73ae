/** Tools that write what they install into the project's own file, as plans and remedies call them. */

/** Where packages come from, beside PyPI. */
export interface PackageIndex {
  /** Such as "pytorch-cu124", as project files name it. */
  readonly name: string;
  readonly url: string;
}

/** How one of the tools is called. */
export interface ProjectTool {
  /** Takes a Python, such as "3.12", for the project. */
  readonly python: (version: string) => string;
  /** Makes an index known, from which only those packages come; null where that takes no step of its own. */
  readonly source: (index: PackageIndex, packages: readonly string[], isWindows: boolean) => string | null;
  /** Installs packages, which are words of a command already. */
  readonly add: (packages: string, index: PackageIndex | undefined) => string;
  readonly remove: (packages: string) => string;
  /** What stands before a program of the environment. */
  readonly run: string;
}

const uv: ProjectTool = {
  python: (version) => `uv python pin ${version}`,
  source: () => null,
  add: (packages, index) => `uv add ${packages}${index ? ` --index ${index.name}=${index.url}` : ''}`,
  remove: (packages) => `uv remove ${packages}`,
  run: 'uv run',
};

const poetry: ProjectTool = {
  python: (version) => `poetry env use ${version}`,
  source: ({ name, url }) => `poetry source add --priority=explicit ${name} ${url}`,
  add: (packages, index) => `poetry add ${index ? `--source ${index.name} ` : ''}${packages}`,
  remove: (packages) => `poetry remove ${packages}`,
  run: 'poetry run',
};

const pdm: ProjectTool = {
  python: (version) => `pdm use ${version}`,
  source: ({ name, url }, packages, isWindows) => {
    const names = packages.map((each) => `"${each}"`).join(', ');
    const lines = ['', '[[tool.pdm.source]]', `name = "${name}"`, `url = "${url}"`, `include_packages = [${names}]`];
    // PDM has no command for it, and a table may stand at the end of the file.
    return isWindows
      ? `Add-Content pyproject.toml ${lines.map((line) => `'${line}'`).join(', ')}`
      : `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} >> pyproject.toml`;
  },
  add: (packages) => `pdm add ${packages}`,
  remove: (packages) => `pdm remove ${packages}`,
  run: 'pdm run',
};

const pipenv: ProjectTool = {
  python: (version) => `pipenv --python ${version}`,
  source: () => null,
  add: (packages, index) => `pipenv install ${index ? `--index ${index.url} ` : ''}${packages}`,
  remove: (packages) => `pipenv uninstall ${packages}`,
  run: 'pipenv run',
};

/** pixi takes packages of another index from its own file alone. */
const pixi: ProjectTool = {
  python: (version) => `pixi add python=${version}`,
  source: () => null,
  add: (packages) => `pixi add --pypi ${packages}`,
  remove: (packages) => `pixi remove --pypi ${packages}`,
  run: 'pixi run',
};

/** The tools by their names. */
export const PROJECT_TOOLS = { uv, poetry, pdm, pipenv, pixi } as const satisfies Record<string, ProjectTool>;

/** The names of packages among words of a command: requirements, options and their values. */
export function namesIn(packages: string): string[] {
  const names = packages
    .replaceAll('"', '')
    .split(' ')
    .flatMap((each) => each.match(/^(\w[\w.-]*)(?:\[[^\]]*\])?(?:[=<>!~].*)?$/)?.[1] ?? []);
  return [...new Set(names)];
}
