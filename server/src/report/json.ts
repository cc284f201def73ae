import { printableJson } from '../printable.ts';
import type { ReportRange } from '../python/semantic/reportRange.ts';
import type { Severity } from '../rules/engine/contract.ts';
import type { Problem, ProblemFix, ProblemReason } from './problem.ts';

/** What `gpu-doctor check --format json` prints of a problem. */
export interface CheckRecord extends ReportRange {
  readonly code: string;
  /** Absolute path, or `-` for standard input without a name. */
  readonly filename: string;
  /** The first of the ways to mend it. */
  readonly fix: ProblemFix | null;
  readonly message: string;
  readonly name: string;
  /** The line that a `# noqa` belongs on. */
  readonly noqa_row: number;
  readonly severity: Severity;
  /** Address of the rule's page. */
  readonly url: string;
  /** With `--explain-hints`: why it is only a hint. */
  readonly reasons?: readonly ProblemReason[];
}

/** All of it: a list, as ruff prints it. */
export type CheckReport = readonly CheckRecord[];

/**
 * The shape of `ruff check --output-format json`, for tools that read that already. `severity` is GPU Doctor's own
 * (`error`, `warning`, `information`, `hint`), and each edit of a fix has the `cell` that it is made in.
 */
export function renderJson(problems: readonly Problem[], explainsHints = false): string {
  const records: CheckReport = problems.map((problem) => checkRecordOf(problem, explainsHints));
  return `${printableJson(records, 2)}\n`;
}

/** Returns a problem as `renderJson` writes it. */
export function checkRecordOf(problem: Problem, explainsHints = false): CheckRecord {
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
    ...(explainsHints && { reasons: problem.reasons }),
  };
}
