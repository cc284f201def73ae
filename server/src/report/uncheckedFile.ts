import { DOCUMENTATION } from '../documentation.ts';
import type { Problem } from './problem.ts';

/** A file that could not be checked, or only in part. */
export interface UncheckedFile {
  /** Absolute path, or `-` for standard input without a name. */
  readonly filename: string;
  /** A sentence that names the file and the reason. */
  readonly message: string;
}

/** The code of such a file in formats that have only findings; no rule has it. */
export const UNCHECKED = 'GPU000';

/** Returns an unchecked file as a problem at its start, so that no format hides it. */
export function uncheckedProblem({ filename, message }: UncheckedFile): Problem {
  const start = { row: 1, column: 1 };
  return {
    filename,
    cell: null,
    location: start,
    end_location: start,
    fileRows: { first: 1, last: 1 },
    key: { rule: UNCHECKED, text: message, line: '', above: '', below: '' },
    code: UNCHECKED,
    name: 'unchecked-file',
    severity: 'error',
    message,
    fix: null,
    url: `${DOCUMENTATION}/command-line.md`,
    related: [],
    reasons: [],
    excerpt: [{ row: 1, text: message, start: 0, end: 0 }],
  };
}
