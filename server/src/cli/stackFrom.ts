/** Diagnoses a machine described in a file: either facts that this program printed there, or a post. */
import type { DiagnosisSeverity, Verdict } from '../diagnosis/diagnosis.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import { describedFacts, describedName, describedText, isJson, NOT_OURS } from './describedMachine.ts';
import { printStack } from './printStack.ts';
import { UsageError } from './usage.ts';

/**
 * `gpu-doctor stack --from`: diagnoses the machine in a file; for a post with an error, it also explains the error.
 * Facts in a file may have any shape; those that cannot be diagnosed were not printed by this program.
 */
export async function printStackFrom(path: string, json: boolean, failOn?: DiagnosisSeverity): Promise<number> {
  const { facts, error } = await judgedText(await describedText(path), describedName(path), json);
  const status =
    facts === undefined
      ? 0
      : await printStack(facts, json, failOn).catch((trouble: unknown) => {
          if (trouble instanceof TypeError) throw new UsageError(`${describedName(path)} ${NOT_OURS}`);
          throw trouble;
        });
  if (facts === undefined) process.stdout.write('The text contains no program output that describes a machine.\n');
  if (error !== undefined) process.stdout.write(`\n${error}`);
  return status;
}

/**
 * Reads a text that describes a machine: its facts and, if requested, the explanation of its error. Throws a
 * `UsageError` that starts with the name if the text contains neither.
 */
export async function judgedText(
  text: string,
  name: string,
  ignoresError = false,
): Promise<{ readonly facts: StackFacts | undefined; readonly error: string | undefined }> {
  const described = await describedFacts(text, name);
  const facts = 'facts' in described ? described.facts : undefined;
  const error = ignoresError || isJson(text) ? undefined : await errorIn(text, facts);
  if (error === undefined && 'trouble' in described) throw new UsageError(described.trouble);
  return { facts, error };
}

/**
 * The explanation of a post's error on its machine; one line if a diagnosis already covers the error, undefined if the
 * error is unknown.
 */
async function errorIn(text: string, facts: StackFacts | undefined): Promise<string | undefined> {
  const [{ explainErrors }, { gather }, { readPaste }, { explanationText }, { paintFor }] = await Promise.all([
    import('../explain/explain.ts'),
    import('../explain/gather.ts'),
    import('../explain/reading/paste.ts'),
    import('../report/explanation.ts'),
    import('../report/paint.ts'),
  ]);
  const paste = readPaste(text);
  // The files that the post names are on another machine.
  const nothing = async () => undefined;
  const known = await gather(paste, facts, { readText: nothing, readCheckpoint: nothing }, process.cwd());
  const explanations = explainErrors(paste, known);
  const [first] = explanations;
  if (first === undefined) return undefined;
  const evidence = first.causes[0]?.evidence ?? [];
  const isJudged = (known.verdicts ?? []).some(({ finding }: Verdict) => evidence.includes(finding));
  if (isJudged) return `The error in the text results from it: ${first.title}. More: ${first.url}\n`;
  return `The error in the text\n\n${explanationText(explanations, paintFor(process.stdout))}`;
}
