import { printableJson } from '../printable.ts';
import type { ReportRange } from '../python/semantic/reportRange.ts';
import type { Severity } from '../rules/engine/contract.ts';
import type { Problem, ProblemFix, ProblemReason } from './problem.ts';

/** A problem in the JSON output of `gpu-doctor check`. */
export interface CheckRecord extends ReportRange {
  readonly code: string;
  /** Absolute path, or `-` for standard input without a name. */
  readonly filename: string;
  /** The first fix. */
  readonly fix: ProblemFix | null;
  readonly message: string;
  readonly name: string;
  /** The line on which a `# noqa` suppresses it. */
  readonly noqa_row: number;
  readonly severity: Severity;
  /** Address of the rule's page. */
  readonly url: string;
  /** The reasons why it is only a hint; empty for anything else. */
  readonly reasons: readonly ProblemReason[];
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
  return {
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
    reasons: problem.reasons,
  };
}
