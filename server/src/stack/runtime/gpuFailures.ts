import { fillIn, findMessages } from '../../messages/find.ts';
import type { Cause } from '../../messages/schema.ts';

/** A message from a framework or CUDA about an unusable GPU, from the catalogue of messages. */
export interface GpuFailure {
  /** The stack diagnoses that may explain it, the most likely first. */
  verdicts: readonly string[];
  /** One sentence. */
  meaning: string;
  /** Possible causes for which files and program output about the stack contain no evidence. */
  untraced: readonly Cause[];
}

/** The meaning of a framework's message; undefined if it is unknown, or reports no problem. */
export function gpuFailureIn(text: string): GpuFailure | undefined {
  const [found] = findMessages(text).filter(({ message }) => message.rank !== 'harmless');
  if (!found) return undefined;
  const { meaning, causes } = found.message;
  // Causes for certain machines come after causes for any machine.
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
