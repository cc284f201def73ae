import { BudgetExhausted } from './budget.ts';
import type { Checkpoint, Format } from './checkpoint.ts';
import { notChecked } from './verdicts.ts';

/** Of a ZIP file that was looked into. */
export const ZIP_WITHOUT_CHECKPOINT = 'It is a ZIP file, and of what it holds nothing is a checkpoint.';
const NOT_LISTED = 'What is inside is not listed here.';

/** A file of which nothing is listed, and why, as a sentence. */
export function unread(format: Format, size: number, problem = NOT_LISTED): Checkpoint {
  return {
    format,
    size,
    tensors: [],
    imports: [],
    safety: { verdict: 'not-checked', reason: 'Not checked: it could not be read as a checkpoint.' },
    problems: [problem],
  };
}

/** Returns what `read` returns, or what `unread` makes of the reason why the inspection did not get through, a clause that follows "it". */
export async function orUnfinished(
  read: () => Promise<Checkpoint>,
  unread: (why: string) => Checkpoint,
): Promise<Checkpoint> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BudgetExhausted) return unread(error.message);
    // What is too long or nests too deep for JavaScript ends in one.
    if (error instanceof RangeError) return unread('holds more than can be read here');
    throw error;
  }
}

/** A file that an inspection did not get through, and why. @see orUnfinished */
export function unfinished(format: Format, size: number, why: string): Checkpoint {
  const safety = notChecked(`it ${why}`);
  return { format, size, tensors: [], imports: [], safety, problems: [safety.reason] };
}
