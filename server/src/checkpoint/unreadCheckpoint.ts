import { BudgetExhausted } from './budget.ts';
import type { Checkpoint, Format } from './checkpoint.ts';
import { notChecked } from './verdicts.ts';

/** The problem of a ZIP file whose members were inspected. */
export const ZIP_WITHOUT_CHECKPOINT = 'It is a ZIP file without a checkpoint in it.';
/** The doubt about an HDF5 file that does not begin where the file begins, as a clause. */
export const BEHIND_OTHER_DATA = 'it has other data before its start';
const NOT_LISTED = 'GPU Doctor does not list its contents.';

/** Describes a file whose contents are not listed; the reason is a sentence. */
export function unreadCheckpoint(format: Format, size: number, problem = NOT_LISTED): Checkpoint {
  return {
    format,
    size,
    tensors: [],
    imports: [],
    safety: { verdict: 'not-checked', reason: 'Not checked: it could not be read as a checkpoint.' },
    problems: [problem],
  };
}

/**
 * Returns the result of `read`. If the inspection could not finish, `unread` gets the reason as a clause that follows
 * "it".
 */
export async function withFallback(
  read: () => Promise<Checkpoint>,
  unread: (why: string) => Checkpoint,
): Promise<Checkpoint> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BudgetExhausted) return unread(error.message);
    // JavaScript throws a RangeError for values that are too long or too deeply nested.
    if (error instanceof RangeError) return unread('contains more than GPU Doctor can read');
    throw error;
  }
}

/** Describes a file whose inspection could not finish, and why. @see withFallback */
export function unfinishedCheckpoint(format: Format, size: number, why: string): Checkpoint {
  const safety = notChecked(`it ${why}`);
  return { format, size, tensors: [], imports: [], safety, problems: [safety.reason] };
}
