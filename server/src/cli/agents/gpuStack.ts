import { judgeStack, planOf, stackText } from '../../diagnosis/index.ts';
import type { StackFacts } from '../../stack/facts/facts.ts';
import { judgedText } from '../stackFrom.ts';
import type { Answered, Context } from './context.ts';
import { factsWith } from './python.ts';
import { Refusal } from './refusal.ts';
import type { ReadStack } from './results.ts';
import type { InputOf } from './tools.ts';

/** Reads and diagnoses this machine's stack. */
export async function readGpuStack(
  { python }: InputOf<'read_gpu_stack'>,
  context: Context,
): Promise<Answered<'read_gpu_stack'>> {
  const structured = judged(await factsWith(python, context));
  return { text: structured.readout, structured };
}

/** Diagnoses the stack that a text describes, and explains the error in it. */
export async function judgeReport({ text: report }: InputOf<'judge_report'>): Promise<Answered<'judge_report'>> {
  const { facts, error = null } = await judgedText(report, 'The report');
  const stack = facts && judgedOrRefused(facts);
  const text = [stack?.readout, error].filter((part) => part != null).join('\n\n');
  const structured = { verdicts: [], plan: [], ...stack, readout: stack?.readout ?? null, error };
  return { text, structured };
}

/** Facts in a text may have any shape. */
function judgedOrRefused(facts: StackFacts): ReadStack {
  try {
    return judged(facts);
  } catch (error) {
    if (error instanceof TypeError) throw new Refusal('The report is damaged: its facts have an unknown shape.');
    throw error;
  }
}

function judged(facts: StackFacts): ReadStack {
  const verdicts = judgeStack(facts);
  return { verdicts, plan: planOf(verdicts), readout: stackText(facts, verdicts).trimEnd() };
}
