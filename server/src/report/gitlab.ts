import { createHash } from 'node:crypto';
import { printableJson } from '../printable.ts';
import type { Severity } from '../rules/engine/contract.ts';
import type { Problem } from './problem.ts';
import { type RepositoryPaths, repositoryPaths } from './repositoryPaths.ts';

const SEVERITIES: Record<Severity, string> = {
  error: 'critical',
  warning: 'major',
  information: 'minor',
  hint: 'info',
};

/**
 * GitLab's code quality report, which shows problems at the lines of a merge request. It does not support cells: a
 * problem in a notebook has its line in the file, and its message names the cell.
 */
export function renderGitlab(problems: readonly Problem[]): string {
  const seen = new Map<string, number>();
  const paths = repositoryPaths(problems.map(({ filename }) => filename));
  return `${printableJson(
    problems.map((problem) => recordOf(problem, paths, seen)),
    2,
  )}\n`;
}

function recordOf(problem: Problem, { pathOf }: RepositoryPaths, seen: Map<string, number>): object {
  const { cell, code, name, severity, location, fileRows, message } = problem;
  const path = pathOf(problem.filename);
  const where = cell === null ? '' : `Cell ${cell}, line ${location.row}: `;
  return {
    check_name: code,
    description: `${code}: ${where}${message} (${name})`,
    severity: SEVERITIES[severity],
    fingerprint: fingerprintOf(problem, path, seen),
    location: { path, lines: { begin: fileRows.first, end: fileRows.last } },
  };
}

/** Unchanged when lines are added elsewhere, so that GitLab can identify known problems. */
function fingerprintOf({ code, cell, excerpt }: Problem, path: string, seen: Map<string, number>): string {
  const source = excerpt.map(({ text }) => text.trim()).join('\n');
  const content = [path, cell, code, source].join('\0');
  const before = seen.get(content) ?? 0;
  seen.set(content, before + 1);
  return createHash('sha256').update(`${content}\0${before}`).digest('hex');
}
