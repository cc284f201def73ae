import { shownPath, slashed } from '../files/paths.ts';
import { printableLines } from '../printable.ts';
import type { Severity } from '../rules/engine/contract.ts';
import type { Problem } from './problem.ts';

const COMMANDS: Record<Severity, string> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
};

/** Workflow commands of GitHub Actions, which show each problem beside its line in a pull request. */
export function renderGithub(problems: readonly Problem[]): string {
  return problems.map((problem) => `${renderProblem(problem)}\n`).join('');
}

function renderProblem({
  filename,
  cell,
  code,
  name,
  severity,
  location,
  end_location,
  message,
  fix,
}: Problem): string {
  // Git writes slashes on every system.
  const path = slashed(shownPath(filename));
  const properties: Record<string, string | number> = { title: `gpu-doctor (${code})`, file: path };
  // The lines of a cell are not those of the notebook's file, which is all that an annotation can point to.
  if (cell === null) {
    const columns = location.row === end_location.row ? { col: location.column, endColumn: end_location.column } : {};
    Object.assign(properties, { line: location.row, endLine: end_location.row, ...columns });
  }
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  const place = `${path}:${cell === null ? '' : `cell ${cell}:`}${location.row}:${location.column}`;
  const advice = fix ? `\n  fix: ${fix.message}` : '';
  return `::${COMMANDS[severity]} ${list.join(',')}::${escapeData(`${place}: ${code} ${message} (${name})${advice}`)}`;
}

/** Line ends are escaped; what else would steer the terminal of a log is replaced. */
function escapeData(text: string): string {
  return printableLines(text.replaceAll('\r\n', '\n'))
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
