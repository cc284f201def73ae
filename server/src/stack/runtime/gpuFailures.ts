import { fillIn, findMessages } from '../../messages/find.ts';
import type { Cause } from '../../messages/schema.ts';

/** A message from a framework or CUDA about an unusable GPU, from the catalogue of messages. */
interface GpuFailure {
  /** The names of checks that may explain it, the most likely first. */
  checks: readonly string[];
  /** One sentence. */
  meaning: string;
  /** The likeliest cause that only a look at the machine decides, since nothing that was read does. */
  unchecked: Cause | undefined;
}

/** The meaning of a framework's message; undefined if it is unknown, or reports no problem. */
export function gpuFailureIn(text: string): GpuFailure | undefined {
  const [found] = findMessages(text).filter(({ message }) => message.rank !== 'harmless');
  if (!found) return undefined;
  const { meaning, causes } = found.message;
  // Causes for certain machines come after causes for any machine.
  const likely = causes.toSorted((left, right) => Number(isSpecial(left)) - Number(isSpecial(right)));
  const checks = likely.flatMap(({ checked_by: those = [] }) => those);
  return {
    checks: [...new Set(checks.filter((check) => typeof check === 'string'))],
    meaning: fillIn(meaning, found.parts),
    unchecked: causes.find(({ checked_by: those, ask }) => those === undefined || ask !== undefined),
  };
}

function isSpecial({ excluded_by: against = [] }: Cause): boolean {
  return against.some((check) => typeof check === 'string' && check.startsWith('not-'));
}
