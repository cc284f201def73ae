import { printableLines } from '../printable.ts';
import type { Severity } from '../rules/engine/contract.ts';
import type { Problem } from './problem.ts';
import { type RepositoryPaths, repositoryPaths } from './repositoryPaths.ts';

const COMMANDS: Record<Severity, string> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
};

/** Workflow commands of GitHub Actions, which show each problem at its line in a pull request. */
export function renderGithub(problems: readonly Problem[]): string {
  const paths = repositoryPaths(problems.map(({ filename }) => filename));
  return problems.map((problem) => `${renderProblem(problem, paths)}\n`).join('');
}

function renderProblem(problem: Problem, { pathOf }: RepositoryPaths): string {
  const { filename, fileRows, cell, code, name, severity, location, end_location, message, fix } = problem;
  const path = pathOf(filename);
  const { first: line, last: endLine } = fileRows;
  const properties: Record<string, string | number> = { title: `gpu-doctor (${code})`, file: path, line, endLine };
  // The columns in a cell's line differ from those in the notebook's file.
  if (cell === null && line === endLine)
    Object.assign(properties, { col: location.column, endColumn: end_location.column });
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  const place = `${path}:${cell === null ? '' : `cell ${cell}:`}${location.row}:${location.column}`;
  const advice = fix ? `\n  fix: ${fix.message}` : '';
  return `::${COMMANDS[severity]} ${list.join(',')}::${escapeData(`${place}: ${code} ${message} (${name})${advice}`)}`;
}

/** Line breaks are escaped; other control characters are replaced. */
function escapeData(text: string): string {
  return printableLines(text.replaceAll('\r\n', '\n'))
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
