import { DOCUMENTATION } from '../documentation.ts';
import type { Problem } from './problem.ts';

/** A file that could not be checked, or only in part. */
export interface UncheckedFile {
  /** Absolute path, or `-` for standard input without a name. */
  readonly filename: string;
  /** A sentence with the reason, which names the file if there is no location. */
  readonly message: string;
  /** The place in the file that is the reason. */
  readonly location?: Problem['location'];
}

/** The code of such a file in formats that have only findings; no rule has it. */
export const UNCHECKED = 'GPU000';

/** Returns an unchecked file as a problem at its start, so that no format hides it. */
export function uncheckedProblem({ filename, message, location: start = START }: UncheckedFile): Problem {
  return {
    filename,
    cell: null,
    location: start,
    end_location: start,
    fileRows: { first: start.row, last: start.row },
    key: { rule: UNCHECKED, text: message, line: '', above: '', below: '' },
    code: UNCHECKED,
    name: 'unchecked-file',
    severity: 'error',
    message,
    fix: null,
    url: `${DOCUMENTATION}/command-line.md`,
    related: [],
    reasons: [],
    excerpt: [{ row: start.row, text: message, start: 0, end: 0 }],
  };
}

const START: Problem['location'] = { row: 1, column: 1 };
