/** The report of `gpu-doctor check`, and its exit status. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { shownPath } from '../files/paths.ts';
import { describeSystemError } from '../files/trouble.ts';
import { writeWhole } from '../files/write.ts';
import type { Problem } from '../report/problem.ts';
import type { Severity } from '../rules/engine/contract.ts';
import type { FileAction } from './checkFile.ts';
import type { FileOutcome } from './checkPaths.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { writeError } from './standardError.ts';
import { UsageError } from './usage.ts';

type ReportFormat = 'text' | 'concise' | 'json' | 'sarif' | 'github' | 'gitlab' | 'junit';

export interface ReportOptions {
  readonly action: FileAction;
  readonly format: ReportFormat;
  readonly statistics: boolean;
  readonly outputFile: string | undefined;
  readonly fromInput: boolean;
  /** True to also count fixes that may change what a program does. */
  readonly unsafe: boolean;
  /** True to print only findings and errors. */
  readonly isQuiet: boolean;
  /** The lowest severity that leads to exit status 1; by default all but information do. */
  readonly failOn: Severity | undefined;
  /** Sentences about baselines. */
  readonly notes: readonly string[];
  /** True if the findings were accepted and are therefore not reported. */
  readonly isAccepted: boolean;
}

/** Severities, highest first. */
const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const satisfies readonly Severity[];

/** Writes the report and returns the exit status. */
export async function report(
  outcome: FileOutcome & { readonly output?: string },
  options: ReportOptions,
): Promise<number> {
  const { action, format, fromInput, isQuiet } = options;
  for (const { filename, message, location } of outcome.unchecked)
    writeError(`error: ${location ? `${shownPath(filename)}:${location.row}:${location.column}: ` : ''}${message}\n`);
  if (!isQuiet) for (const warning of outcome.warnings) writeError(`warning: ${warning}\n`);
  const shown = outcome.problems;
  const failed = outcome.unchecked.length > 0;
  if (action === 'diff') {
    process.stdout.write(outcome.diff);
    if (!isQuiet) writeError(outcome.diff === '' ? 'Nothing to fix.\n' : `Would fix ${problems(outcome.fixed)}.\n`);
    return failed ? FAILED : outcome.diff === '' ? 0 : FOUND;
  }
  // For standard input, standard output must contain only the fixed text.
  const stream = fromInput && action === 'fix' ? process.stderr : process.stdout;
  if (fromInput && action === 'fix') process.stdout.write(outcome.output ?? '');
  const text = options.statistics
    ? (await import('../report/statistics.ts')).renderStatistics(
        format === 'json' ? await withUnchecked(shown, outcome) : shown,
        format === 'json' ? 'json' : 'text',
      )
    : await render(shown, outcome, options, options.outputFile === undefined ? stream : {});
  const isForPeople = format === 'text' || format === 'concise';
  const lines = isQuiet
    ? []
    : [...(isForPeople && !options.isAccepted ? summary(shown, outcome, options) : []), ...options.notes];
  // Output for programs contains nothing but the report.
  if (!isForPeople) for (const line of lines) writeError(`${line}\n`);
  const whole = isForPeople ? `${text}${lines.map((line) => `${line}\n`).join('')}` : text;
  if (options.outputFile === undefined) stream.write(whole);
  else await writeReport(options.outputFile, whole);
  return failed ? FAILED : shown.some(({ severity }) => counts(severity, options.failOn)) ? FOUND : 0;
}

/** True for a severity that leads to exit status 1. Information requires no action. */
function counts(severity: Severity, failOn: Severity | undefined): boolean {
  if (failOn === undefined) return severity !== 'information';
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn);
}

/** The problems, and those files that could not be checked. */
async function withUnchecked(
  shown: readonly Problem[],
  { unchecked }: Pick<FileOutcome, 'unchecked'>,
): Promise<Problem[]> {
  const { uncheckedProblem } = await import('../report/uncheckedFile.ts');
  return [...unchecked.map(uncheckedProblem), ...shown];
}

/**
 * Node's recursive `mkdir` never returns if a folder cannot be created although its parent exists, as below `/proc`.
 */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  await mkdir(folder);
}

/** Writes a report to a file, and creates its folder if necessary. */
async function writeReport(file: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(resolve(file)));
    await writeWhole(file, text);
  } catch (error) {
    throw new UsageError(`the report cannot be written: ${file} ${describeSystemError(error)}`);
  }
}

async function render(
  shown: readonly Problem[],
  outcome: Pick<FileOutcome, 'unchecked' | 'warnings'>,
  { format, unsafe, failOn }: Pick<ReportOptions, 'format' | 'unsafe' | 'failOn'>,
  stream: { readonly isTTY?: boolean },
): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('../report/json.ts')).renderJson(await withUnchecked(shown, outcome));
    case 'github':
      return (await import('../report/github.ts')).renderGithub(await withUnchecked(shown, outcome));
    case 'gitlab':
      return (await import('../report/gitlab.ts')).renderGitlab(await withUnchecked(shown, outcome));
    case 'junit':
      return (await import('../report/junit.ts')).renderJunit(await withUnchecked(shown, outcome), ({ severity }) =>
        counts(severity, failOn),
      );
    case 'sarif': {
      const [{ renderSarif }, { version }] = await Promise.all([import('../report/sarif.ts'), import('./version.ts')]);
      return renderSarif(shown, outcome, version);
    }
    case 'text':
    case 'concise': {
      if (shown.length === 0) return '';
      const [{ renderConcise, renderText }, { paintFor }, { linksFor }] = await Promise.all([
        import('../report/text.ts'),
        import('../report/paint.ts'),
        import('../report/links.ts'),
      ]);
      const ink = { paint: paintFor(stream), link: linksFor(stream), unsafe };
      return format === 'concise' ? renderConcise(shown, ink) : renderText(shown, ink);
    }
  }
}

function summary(
  shown: readonly Problem[],
  { files, fixed, hidden, unchecked, warnings }: FileOutcome,
  { action, unsafe }: Pick<ReportOptions, 'action' | 'unsafe'>,
): string[] {
  const lines: string[] = [];
  const count = (applicability: string) => shown.filter(({ fix }) => fix?.applicability === applicability).length;
  const fixable = count('safe') + (unsafe ? count('unsafe') : 0);
  const besides = unsafe ? 0 : count('unsafe');
  const more = besides > 0 ? `, ${besides} more with \`--unsafe-fixes\`` : '';
  if (action === 'fix' && fixed > 0) {
    lines.push(`Found ${problems(shown.length + fixed)} (${fixed} fixed, ${shown.length} remaining).`);
  } else if (action === 'noqa') lines.push(`Silenced ${problems(fixed)}, ${shown.length} remaining.`);
  else if (shown.length > 0) lines.push(`Found ${problems(shown.length)}, ${fixable} fixable with \`--fix\`${more}.`);
  else if (unchecked.length === 0 && files.length > 0)
    lines.push(warnings.length > 0 ? 'No problems found in the parts that parse.' : 'No problems found.');
  const { size } = new Set(unchecked.map(({ filename }) => filename));
  if (size > 0) lines.push(`${size === 1 ? '1 file' : `${size} files`} not checked.`);
  if (hidden > 0) lines.push(`${hidden === 1 ? '1 hint' : `${hidden} hints`} not shown: see \`--hints\`.`);
  return lines;
}

function problems(count: number): string {
  return count === 1 ? '1 problem' : `${count} problems`;
}
