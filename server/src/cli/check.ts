import type { Knowledge } from '../rules/engine/contract.ts';
import { isUnknown } from '../stack/facts/facts.ts';
import { type Compared, compareWithBaselines } from './checkBaseline.ts';
import { checkInput } from './checkInput.ts';
import { checkPaths, type FileOutcome } from './checkPaths.ts';
import { report } from './checkReport.ts';
import { type CheckRequest, requestOf } from './checkRequest.ts';
import { FOUND } from './exitStatus.ts';
import { projectSettings } from './projectSettings.ts';
import { writeError } from './standardError.ts';
import { readArguments } from './usage.ts';

/** `gpu-doctor check`: checks the files in the arguments, reports the findings, and returns the exit status. */
export async function check(args: readonly string[]): Promise<number> {
  const read = readArguments('check', args);
  if (!read) return 0;
  const request = requestOf(read);
  if (read.values['show-settings']) return (await import('./showSettings.ts')).showSettings(request);
  if (!read.values.watch) return (await checkOnce(request)).status;
  const { repeatOnChange } = await import('./watch.ts');
  return repeatOnChange(
    { paths: request.paths, isQuiet: request.report.isQuiet },
    async () => (await checkOnce(request)).folders,
  );
}

/** Checks and reports once. Returns the exit status and the folders that were visited. */
async function checkOnce(request: CheckRequest): Promise<{ status: number; folders: readonly string[] }> {
  const { input, overrides, since, baseline, isLive, report: reporting } = request;
  const { action, unsafe, isQuiet } = reporting;
  const known = isLive ? await knownOfMachine() : {};
  // An accepted finding may have become a hint, and hints are only counted on changed lines.
  const hints = request.hints || since !== undefined || baseline.named !== undefined;
  const job = { action, unsafe, hints, changesHints: request.hints, overrides, known };
  const found = input
    ? await checkInput(input.name, job)
    : await checkPaths(request.paths, { ...request, ...job, isQuiet });
  const settingsIn = await projectSettings(overrides);
  const compared = await compareWithBaselines(found, { ...baseline, settingsIn, hints: request.hints, isLive });
  const outcome = { ...found, ...(request.hints ? compared : withoutHints(compared, found.hidden)) };
  const status = await report(outcome, {
    ...reporting,
    notes: compared.notes,
    isAccepted: baseline.action === 'write',
  });
  return { status: status === FOUND && request.exitZero ? 0 : status, folders: found.watchable };
}

/** The problems that are not hints, and the number of hints in addition to those already `hidden`. */
function withoutHints({ problems }: Compared, hidden: number): Pick<FileOutcome, 'problems' | 'hidden'> {
  const loud = problems.filter(({ severity }) => severity !== 'hint');
  return { problems: loud, hidden: hidden + problems.length - loud.length };
}

/** The facts about this machine for rules. Empty without `--live`. */
async function knownOfMachine(): Promise<Knowledge> {
  const [{ readStack }, { thisMachine }, { knowledgeFrom }] = await Promise.all([
    import('../stack/readStack.ts'),
    import('../stack/machine/machine.ts'),
    import('../rules/queries/knowledge.ts'),
  ]);
  const stack = await readStack({ machine: thisMachine(), folders: [process.cwd()] });
  if (isUnknown(stack.gpus)) writeError(`This machine's GPUs are unknown: ${stack.gpus.unknown}.\n`);
  return knowledgeFrom(stack);
}
