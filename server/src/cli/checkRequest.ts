import type { BaselineAction } from './checkBaseline.ts';
import type { FileAction } from './checkFile.ts';
import { defaultJobs, type PathsOptions } from './checkPaths.ts';
import type { ReportOptions } from './checkReport.ts';
import { readList, readRules } from './projectSettings.ts';
import { type readArguments, UsageError } from './usage.ts';

/** The options of a check on the command line. */
export interface CheckRequest extends Pick<PathsOptions, 'jobs' | 'isCached' | 'forceExclude' | 'overrides' | 'since'> {
  readonly paths: readonly string[];
  /** Set for standard input: its name, if any. */
  readonly input: { readonly name: string | undefined } | undefined;
  /** True if hints are reported. */
  readonly hints: boolean;
  readonly isLive: boolean;
  readonly exitZero: boolean;
  readonly baseline: { readonly action: BaselineAction; readonly named: string | undefined };
  readonly report: Omit<ReportOptions, 'notes' | 'isAccepted'>;
}

/** Throws a `UsageError` for contradictory options. */
export function requestOf({ values, positionals }: CheckArguments): CheckRequest {
  const paths = positionals.length > 0 ? positionals : ['.'];
  const fromInput = paths.includes('-');
  refuse(fromInput && paths.length > 1, '`-` cannot be combined with other paths');
  refuse(
    values['stdin-filename'] !== undefined && !fromInput,
    '`--stdin-filename` names standard input, which is read when the path is `-`',
  );
  const { 'output-format': format, baseline, since, live: isLive } = values;
  refuse(values.statistics && format !== 'text' && format !== 'json', '`--statistics` is shown as text or json');
  refuse(fromInput && since !== undefined, '`--since` needs files: standard input has no history');
  refuse(fromInput && values.watch, '`--watch` needs files: standard input does not change');
  const action: FileAction = values['add-noqa'] ? 'noqa' : values.diff ? 'diff' : values.fix ? 'fix' : 'report';
  const baselineAction = values['write-baseline'] ? 'write' : values['prune-baseline'] ? 'prune' : 'read';
  refuse(
    values['write-baseline'] && (values['prune-baseline'] || action !== 'report' || since !== undefined),
    '`--write-baseline` cannot be combined with `--prune-baseline`, `--add-noqa`, `--fix`, `--diff` or `--since`',
  );
  refuse(
    action === 'noqa' && (values.fix || values.diff || fromInput || baseline !== undefined),
    '`--add-noqa` cannot be combined with `--fix`, `--diff`, `--baseline` or standard input',
  );
  refuse(
    values.watch && (action === 'noqa' || baselineAction !== 'read'),
    '`--watch` cannot be combined with `--add-noqa`, `--write-baseline` or `--prune-baseline`',
  );
  return {
    paths,
    input: fromInput ? { name: values['stdin-filename'] } : undefined,
    hints: values.hints || values['fail-on'] === 'hint',
    jobs: readJobs(values.jobs),
    // Results with facts about the machine, and results to be fixed, are not cached.
    isCached: !values['no-cache'] && !isLive && action === 'report',
    isLive,
    exitZero: values['exit-zero'],
    forceExclude: values['force-exclude'],
    since,
    baseline: { action: baselineAction, named: baseline },
    overrides: {
      config: values.config,
      isolated: values.isolated,
      select: readRules('--select', values.select),
      extendSelect: readRules('--extend-select', values['extend-select']),
      ignore: readRules('--ignore', values.ignore),
      exclude: readList(values.exclude),
      extendExclude: readList(values['extend-exclude']),
    },
    report: {
      action,
      format,
      statistics: values.statistics,
      outputFile: values['output-file'],
      fromInput,
      unsafe: values['unsafe-fixes'],
      isQuiet: values.quiet,
      failOn: values['fail-on'],
    },
  };
}

type CheckArguments = NonNullable<ReturnType<typeof readArguments<'check'>>>;

function refuse(isWrong: boolean, message: string): void {
  if (isWrong) throw new UsageError(message);
}

/** The number of threads; throws a `UsageError` for an invalid one. */
function readJobs(given: string | undefined): number {
  if (given === undefined) return defaultJobs();
  if (!/^[1-9]\d{0,3}$/.test(given)) throw new UsageError(`\`--jobs ${given}\` is not a number of threads`);
  return Number(given);
}
