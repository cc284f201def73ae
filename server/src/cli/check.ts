import { availableParallelism } from 'node:os';
import type { Knowledge } from '../rules/engine/contract.ts';
import { isUnknown } from '../stack/facts/facts.ts';
import type { Action } from './checkFile.ts';
import { checkInput } from './checkInput.ts';
import { checkPaths } from './checkPaths.ts';
import { type ReportOptions, report } from './checkReport.ts';
import { FOUND } from './exitStatus.ts';
import { type Overrides, readList, readRules } from './projectSettings.ts';
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
  const hints = values.hints || explainsHints || failOn === 'hint';
  const outcome = fromInput
    ? await checkInput(values['stdin-filename'], { action, hints, overrides, known })
    : await checkPaths(paths, { action, hints, jobs, isCached, isQuiet, forceExclude, overrides, known });
  const options: ReportOptions = {
    action,
    format,
    statistics: values.statistics,
    explainsHints,
    outputFile: values['output-file'],
    fromInput,
    isQuiet,
    failOn,
  };
  const status = await report(outcome, options);
  return status === FOUND && values['exit-zero'] ? 0 : status;
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
