/** The report of a repair, as text. */
import { bytesText } from '../checkpoint/byteSizes.ts';
import { printable } from '../printable.ts';
import { variableLines } from '../repair/commandChanges.ts';
import type { Download } from '../repair/installer.ts';
import type { RepairOutcome, Tried } from '../repair/rounds.ts';
import type { Judgment, Trial, TrialResult } from '../repair/trials.ts';

const JUDGMENTS: Readonly<Record<Judgment, string>> = {
  works: '✔ works',
  getsFurther: '→ gets further',
  doesNotHelp: '✘ does not help',
};

/** Returns the line about a remedy that was tried. */
export function triedText({ trial, judgment, check, trouble }: Tried): string {
  const why = trouble ?? (check?.ended === 'failed' ? check.failure.message : '');
  return `── ${JUDGMENTS[judgment]}: ${printable(trial.title)}${why === '' ? '' : ` (${printable(why)})`}\n`;
}

/** Everything that a repair found out. `before` and `after` are the versions of packages by name. */
interface RepairResult {
  readonly outcome: RepairOutcome<unknown>;
  readonly tried: readonly Tried[];
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  readonly isApplied: boolean;
}

/** Returns what works, or why nothing does. */
export function repairText({ outcome, before, after }: RepairResult): string {
  if (outcome.ended === 'noCopy')
    return `A copy of the environment does not fail as the original does (${watched(outcome.check)}), so nothing was tried in it.\n`;
  const { steps } = outcome;
  if (outcome.ended === 'stuck') {
    const further = steps.map(({ title }) => `This gets further: ${printable(title)}\n`);
    return `${further.join('')}No remedy helps against: ${printable(outcome.failure.message)}\n`;
  }
  const changed = changesOf(before, after);
  const width = Math.max(0, ...changed.map(({ name }) => name.length));
  const lines = [
    ...changed.map((each) => `  ${each.name.padEnd(width)}  ${each.before ?? '-'} → ${each.after ?? '-'}`),
    ...steps.flatMap(({ title, edit }) => (edit ? [`  ${edit.filename}: ${title}`] : [])),
    ...steps.flatMap(({ command, calls }) => (calls.length > 0 ? [`    ${command}`] : [])),
    ...steps.flatMap(({ variables }) => variableLines(variables)).map((line) => `    ${line}`),
  ];
  const isInCopy = steps.some(({ calls, edit }) => calls.length > 0 || edit !== null);
  return `Works${isInCopy ? ' in a copy' : ''}: ${[watched(outcome.check), ...lines.map(printable)].join('\n')}\n`;
}

/** The result for programs. */
export function repairJson({ outcome, tried, before, after, isApplied }: RepairResult): object {
  const stepOf = ({ title, command, edit, variables }: Trial) => ({
    title,
    command,
    edit,
    // JSON has no undefined.
    variables: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value ?? null])),
  });
  return {
    version: 1,
    outcome: outcome.ended,
    steps: outcome.ended === 'noCopy' ? [] : outcome.steps.map(stepOf),
    packages: changesOf(before, after),
    seconds: 'check' in outcome && outcome.check.ended !== 'failed' ? outcome.check.seconds : null,
    failure: outcome.ended === 'stuck' ? outcome.failure.message : null,
    applied: isApplied,
    tried: tried.map(({ trial, judgment, check, trouble }) => ({
      ...stepOf(trial),
      judgment,
      failure: trouble ?? (check?.ended === 'failed' ? check.failure.message : null),
    })),
  };
}

/** Returns the announcement of a download. */
export function downloadText({ packages, bytes }: Download): string {
  const names = `${packages} ${packages === 1 ? 'package' : 'packages'}`;
  return `Downloading ${names}, ${bytes === undefined ? 'whose size the index does not list' : `at most ${bytesText(bytes)}`}`;
}

function watched(check: TrialResult): string {
  switch (check.ended) {
    case 'passed':
      return `no error in ${check.seconds.toFixed(1)} s`;
    case 'running':
      return `no error in ${check.seconds.toFixed(0)} s, then it was stopped`;
    case 'failed':
      return `it fails with: ${printable(check.failure.message)}`;
  }
}

function changesOf(before: RepairResult['before'], after: RepairResult['after']) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [old = null, now = null] = [before[name], after[name]];
    return old === now ? [] : [{ name, before: old, after: now }];
  });
}
