import type { DiagnosisSeverity, Verdict } from '../diagnosis/diagnosis.ts';
import type { PlanStep } from '../diagnosis/remedies/remedyPlan.ts';
import { printableJson } from '../printable.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import { FOUND } from './exitStatus.ts';

/** The severest first. */
const SEVERITIES: readonly DiagnosisSeverity[] = ['error', 'warning', 'information'];

/** The JSON output of `gpu-doctor stack`. */
export interface StackReport extends StackFacts {
  readonly verdicts: readonly Verdict[];
  /** The remedies, in order, that together solve all problems. */
  readonly plan: readonly PlanStep[];
}

/**
 * Prints facts with their diagnoses and remedies. Returns the exit status: 1 for a diagnosis of at least the given
 * severity.
 */
export async function printStack(facts: StackFacts, json: boolean, failOn?: DiagnosisSeverity): Promise<number> {
  const { judgeStack, planOf, stackText } = await import('../diagnosis/index.ts');
  const verdicts = judgeStack(facts);
  const report: StackReport = { ...facts, verdicts, plan: planOf(verdicts) };
  const text = json ? printableJson(report, 2) : stackText(facts, verdicts);
  process.stdout.write(`${text.trimEnd()}\n`);
  const counting = failOn === undefined ? [] : SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  return verdicts.some(({ severity }) => counting.includes(severity)) ? FOUND : 0;
}
