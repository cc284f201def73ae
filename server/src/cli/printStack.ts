import type { Verdict } from '../diagnosis/diagnosis.ts';
import type { PlanStep } from '../diagnosis/remedies/remedyPlan.ts';
import { printableJson } from '../printable.ts';
import type { StackFacts } from '../stack/facts/facts.ts';

/** The JSON output of `gpu-doctor stack`. */
export interface StackReport extends StackFacts {
  readonly verdicts: readonly Verdict[];
  /** The remedies, in order, that together solve all problems. */
  readonly plan: readonly PlanStep[];
}

/** Prints facts with their diagnoses and remedies. */
export async function printStack(facts: StackFacts, json: boolean): Promise<number> {
  const { judgeStack, planOf, stackText } = await import('../diagnosis/index.ts');
  const verdicts = judgeStack(facts);
  const report: StackReport = { ...facts, verdicts, plan: planOf(verdicts) };
  const text = json ? printableJson(report, 2) : stackText(facts, verdicts);
  process.stdout.write(`${text.trimEnd()}\n`);
  return 0;
}
