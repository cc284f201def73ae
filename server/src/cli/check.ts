import { availableParallelism } from 'node:os';
import type { Knowledge } from '../rules/engine/contract.ts';
import { isUnknown } from '../stack/facts/facts.ts';
import { type Compared, compareWithBaselines } from './checkBaseline.ts';
import type { Action } from './checkFile.ts';
import { checkInput } from './checkInput.ts';
import { checkPaths, type Outcome } from './checkPaths.ts';
import { type ReportOptions, report } from './checkReport.ts';
import { FOUND } from './exitStatus.ts';
import { type Overrides, projectSettings, readList, readRules } from './projectSettings.ts';
import { writeError } from './standardError.ts';
import { readArguments, UsageError } from './usage.ts';

/** `gpu-doctor check`: judges what the arguments name, reports it, and returns the exit status. */
export async function check(args: readonly string[]): Promise<number> {
  const read = readArguments('check', args);
  if (!read) return 0;
  const { values, positionals } = read;
  const format = values['output-format'];
  if (values.statistics && format !== 'text' && format !== 'json')
    throw new UsageError('`--statistics` is shown as text or json');
  const action: Action = values.diff ? 'diff' : values.fix ? 'fix' : 'report';
  const paths = positionals.length > 0 ? positionals : ['.'];
  const fromInput = paths.includes('-');
  if (fromInput && paths.length > 1) throw new UsageError('`-` stands alone: standard input is the only file then');
  if (values['stdin-filename'] !== undefined && !fromInput) {
    throw new UsageError('`--stdin-filename` names standard input, which is read when the path is `-`');
  }

  if (fromInput && values.since !== undefined)
    throw new UsageError('`--since` needs files: standard input has no history');
  if (values['write-baseline'] && (values['prune-baseline'] || action !== 'report' || values.since !== undefined))
    throw new UsageError('`--write-baseline` stands without `--prune-baseline`, `--fix`, `--diff` and `--since`');

  const jobs = readJobs(values.jobs);
  const overrides: Overrides = {
    config: values.config,
    isolated: values.isolated,
    select: readRules('--select', values.select),
    extendSelect: readRules('--extend-select', values['extend-select']),
    ignore: readRules('--ignore', values.ignore),
    exclude: readList(values.exclude),
    extendExclude: readList(values['extend-exclude']),
    includesVendored: values['include-vendored'],
  };
  // What is found with facts about the machine, or is to be mended, is found out anew.
  const isCached = !values['no-cache'] && !values.live && action === 'report';
  const known = values.live ? await knownOfMachine() : {};
  const { 'explain-hints': explainsHints, 'force-exclude': forceExclude, 'fail-on': failOn, quiet: isQuiet } = values;
  const { baseline, since } = values;
  const wantsHints = values.hints || explainsHints || failOn === 'hint';
  const settingsIn = await projectSettings(overrides);
  const baselineAction = values['write-baseline'] ? 'write' : values['prune-baseline'] ? 'prune' : 'read';
  // An accepted finding may be a hint by now, and of hints only those on changed lines are counted.
  const hints = wantsHints || since !== undefined || baseline !== undefined;
  const found = fromInput
    ? await checkInput(values['stdin-filename'], { action, hints, overrides, known })
    : await checkPaths(paths, { action, hints, jobs, isCached, isQuiet, forceExclude, since, overrides, known });
  const isLive = values.live;
  const compared = await compareWithBaselines(found, {
    action: baselineAction,
    named: baseline,
    settingsIn,
    hints: wantsHints,
    isLive,
  });
  const outcome = { ...found, ...(wantsHints ? compared : withoutHints(compared, found.hidden)) };
  const options: ReportOptions = {
    action,
    format,
    statistics: values.statistics,
    explainsHints,
    outputFile: values['output-file'],
    fromInput,
    isQuiet,
    failOn,
    notes: compared.notes,
  };
  const status = await report(outcome, options);
  return status === FOUND && values['exit-zero'] ? 0 : status;
}

/** The problems that are no hints, and how many hints there are besides those that are `hidden` already. */
function withoutHints({ problems }: Compared, hidden: number): Pick<Outcome, 'problems' | 'hidden'> {
  const loud = problems.filter(({ severity }) => severity !== 'hint');
  return { problems: loud, hidden: hidden + problems.length - loud.length };
}

/** What there is to know about this machine for rules. Nothing is known of it without `--live`. */
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

/** The number of threads; a `UsageError` for what is none. */
function readJobs(given: string | undefined): number {
  if (given === undefined) return availableParallelism();
  if (!/^[1-9]\d{0,3}$/.test(given)) throw new UsageError(`\`--jobs ${given}\` is no number of threads`);
  return Number(given);
}
