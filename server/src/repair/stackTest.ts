/** The check of a repair without a program: the stack's diagnoses, and the smoke test of its frameworks. */
import { judgeStack, type Verdict } from '../diagnosis/judgeStack.ts';
import { waysOf } from '../diagnosis/remedies/remedyPlan.ts';
import { runSmokeTest, type SmokeReport } from '../diagnosis/smoke/smoke.ts';
import { thisMachine } from '../stack/machine/machine.ts';
import { readStack } from '../stack/readStack.ts';
import type { ProgramVariables } from './commandChanges.ts';
import { type Failure, type TrialResult, trialOf } from './trials.ts';

/** A problem of a stack: a diagnosis, or a failed computation. */
export interface StackProblem extends Failure {
  /** True for a failed computation, which does not work whatever the diagnoses say. */
  readonly isFailure: boolean;
}

/** Reads and judges the stack of a Python, and computes with its frameworks, which starts it. */
export async function testStack(
  python: string,
  signal: AbortSignal,
  variables?: ProgramVariables,
): Promise<readonly StackProblem[]> {
  const machine = thisMachine(variables);
  const runtime = { refusal: () => undefined };
  const facts = await readStack({ machine, interpreter: python, folders: [], runtime, signal });
  const report = await runSmokeTest(machine, facts, { signal });
  return [...judgeStack(facts).flatMap(problemOf), ...failuresOf(report)];
}

function problemOf({ id, severity, finding, remedies }: Verdict): StackProblem[] {
  if (severity === 'information') return [];
  const trials = waysOf(remedies).flatMap((way) => trialOf(way) ?? []);
  return [{ id, message: finding, location: null, trials, isFailure: false }];
}

function failuresOf({ frameworks }: SmokeReport): StackProblem[] {
  return frameworks.flatMap(({ framework, trouble, devices }) => {
    const troubles = [trouble, ...devices.flatMap(({ steps }) => steps.map((step) => step.trouble))];
    const [first] = troubles.flatMap((each) => each ?? []);
    if (first === undefined) return [];
    const [id, message] = [`${framework} smoke test`, `${framework}: ${first.text}`];
    return [{ id, message, location: null, trials: [], isFailure: true }];
  });
}

/**
 * Judges problems by those of the original: a new one is worse; otherwise, the first that can be repaired is the
 * failure. Diagnoses that no trial can remove, such as an old driver, stay.
 */
export function judgeProblems(
  problems: readonly StackProblem[],
  before: ReadonlySet<Failure['id']>,
  seconds: number,
): TrialResult {
  const fresh = problems.find(({ id }) => !before.has(id));
  if (fresh) return { ended: 'failed', failure: fresh, isWorse: true };
  const failing = problems.find(({ trials }) => trials.length > 0) ?? problems.find(({ isFailure }) => isFailure);
  return failing ? { ended: 'failed', failure: failing } : { ended: 'passed', seconds };
}
