import type { Problem } from './problem.ts';

/**
 * The shape of `ruff check --output-format json`, for tools that read that already. `severity` is GPU Doctor's own
 * (`error`, `warning`, `information`, `hint`), and each edit of a fix has the `cell` that it is made in.
 */
export function renderJson(problems: readonly Problem[]): string {
  const records = problems.map((problem) => ({
    cell: problem.cell,
    code: problem.code,
    end_location: problem.end_location,
    filename: problem.filename,
    fix: problem.fix,
    location: problem.location,
    message: problem.message,
    name: problem.name,
    noqa_row: problem.location.row,
    severity: problem.severity,
    url: problem.url,
  }));
  return `${JSON.stringify(records, null, 2)}\n`;
}
