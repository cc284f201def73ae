import { fillIn, findMessages } from '../../messages/find.ts';
import type { Cause } from '../../messages/schema.ts';

/** What a framework or CUDA said when a GPU could not be used, as the catalogue of messages has it. */
export interface GpuFailure {
  /** The verdicts on the stack that may explain it, the most likely first. */
  verdicts: readonly string[];
  /** One sentence. */
  meaning: string;
  /** What may cause it and leaves no trace in what files and programs tell of the stack. */
  untraced: readonly Cause[];
}

/** What a message of a framework means; undefined where it is not one of those known, or says that nothing is wrong. */
export function gpuFailureIn(text: string): GpuFailure | undefined {
  const [found] = findMessages(text).filter(({ message }) => message.rank !== 'harmless');
  if (!found) return undefined;
  const { meaning, causes } = found.message;
  // What holds on certain machines alone comes after what may hold on any.
  const likely = causes.toSorted((left, right) => Number(isSpecial(left)) - Number(isSpecial(right)));
  return {
    verdicts: [...new Set(likely.flatMap(({ verdicts = [] }) => verdicts))],
    meaning: fillIn(meaning, found.parts),
    untraced: causes.filter(({ untraced }) => untraced),
  };
}

function isSpecial({ needs }: Cause): boolean {
  return needs !== undefined;
}
