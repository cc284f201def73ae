import { printableJson } from '../printable.ts';
import type { ReportRange } from '../python/semantic/reportRange.ts';
import type { Problem } from './problem.ts';

/** A problem in the JSON output of `gpu-doctor check`. */
export interface CheckRecord
  extends ReportRange,
    Pick<Problem, 'filename' | 'code' | 'name' | 'severity' | 'message' | 'fix' | 'url' | 'reasons'> {
  /** The line on which a `# noqa` suppresses it. */
  readonly noqa_row: number;
}

/** The whole output: a list, as in ruff. */
export type CheckReport = readonly CheckRecord[];

/**
 * The shape of `ruff check --output-format json`, for tools that already support it. `severity` is GPU Doctor's own
 * (`error`, `warning`, `information`, `hint`), and each edit of a fix has the `cell` that it changes.
 */
export function renderJson(problems: readonly Problem[]): string {
  const records: CheckReport = problems.map(checkRecordOf);
  return `${printableJson(records, 2)}\n`;
}

/** Returns a problem in the form of `renderJson`. */
export function checkRecordOf(problem: Problem): CheckRecord {
  const { fileRows: _, key: __, related: ___, excerpt: ____, ...record } = problem;
  return { ...record, noqa_row: problem.location.row };
}
