/** Plans for tools that write what they install into the project's own file: Poetry, PDM and Pipenv. */
import { quoted } from '../../commands/shellWords.ts';
import type { Draft, Installation } from '../environmentPlan.ts';
import { commented, pipArguments, pythonReason, reasonsOf, trying, withoutWheels } from './lines.ts';

/** How one of the tools is told. */
interface Tool {
  readonly python: (version: string) => string;
  /** What makes an index known, which only the packages that name it come from. */
  readonly source: (name: string, url: string, packages: readonly string[]) => string | null;
  readonly add: (packages: string, index: Source | undefined) => string;
  readonly run: string;
}

interface Source {
  readonly name: string;
  readonly url: string;
}

const POETRY: Tool = {
  python: (version) => `poetry env use ${version}`,
  source: (name, url) => `poetry source add --priority=explicit ${name} ${url}`,
  add: (packages, index) => `poetry add ${index ? `--source ${index.name} ` : ''}${packages}`,
  run: 'poetry run',
};

const PIPENV: Tool = {
  python: (version) => `pipenv --python ${version}`,
  source: () => null,
  add: (packages, index) => `pipenv install ${index ? `--index ${index.url} ` : ''}${packages}`,
  run: 'pipenv run',
};

function pdm(isWindows: boolean): Tool {
  return {
    python: (version) => `pdm use ${version}`,
    source: (name, url, packages) => {
      const names = packages.map((each) => `"${each}"`).join(', ');
      const lines = ['', '[[tool.pdm.source]]', `name = "${name}"`, `url = "${url}"`, `include_packages = [${names}]`];
      // PDM has no command for it, and a table may stand at the end of the file.
      return isWindows
        ? `Add-Content pyproject.toml ${lines.map((line) => `'${line}'`).join(', ')}`
        : `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} >> pyproject.toml`;
    },
    add: (packages) => `pdm add ${packages}`,
    run: 'pdm run',
  };
}

export const poetryCommands = (draft: Draft): string[] => commands(draft, POETRY);
export const pipenvCommands = (draft: Draft): string[] => commands(draft, PIPENV);
export const pdmCommands = (draft: Draft, isWindows: boolean): string[] => commands(draft, pdm(isWindows));

function commands(draft: Draft, tool: Tool): string[] {
  const { python, installations } = draft;
  return [
    ...commented(pythonReason(draft)),
    tool.python(python?.version ?? ''),
    ...withoutWheels(draft),
    ...installations.flatMap((each) => installing(each, tool)),
    ...trying(draft, `${tool.run} gpu-doctor stack --smoke`),
  ];
}

function installing(installation: Installation, tool: Tool): string[] {
  const { index, page, requirements, reasons, isIsolated } = installation;
  // These tools know no pages of wheels, and build each package by itself.
  if (page !== null || !isIsolated)
    return [
      ...commented(reasonsOf(installation)),
      ...commented(['The lock file does not hold it: install it again after each sync.']),
      `${tool.run} python -m pip install ${pipArguments(installation)}`,
    ];
  const source = index === null ? undefined : { name: `pytorch-${index.match(/[^/]+$/)?.[0]}`, url: index };
  const names = requirements.map((each) => each.match(/^[\w.-]+/)?.[0] ?? '');
  const known = source && tool.source(source.name, source.url, names);
  // The lock file keeps what came from an index of its own.
  return [...commented(reasons), ...(known ? [known] : []), tool.add(requirements.map(quoted).join(' '), source)];
}
