/** The report of a repair, as text. */
import { printable } from '../printable.ts';
import type { Outcome, Tried } from '../repair/rounds.ts';
import type { Check, Judgment } from '../repair/trials.ts';

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

/** Returns why a program was not repaired. */
export function unrepairedText(outcome: Exclude<Outcome<unknown>, { ended: 'works' }>): string {
  if (outcome.ended === 'noCopy')
    return `A copy of the environment does not fail as the original does (${watched(outcome.check)}), so nothing was tried in it.\n`;
  const { steps, failure } = outcome;
  const lines = [
    ...steps.map(({ title }) => `This gets further: ${printable(title)}`),
    `No remedy helps against: ${printable(failure.message)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns what works. `before` and `after` are the versions of packages by name. */
export function worksText(
  { steps, check }: Extract<Outcome<unknown>, { ended: 'works' }>,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string {
  const lines = [
    ...changesOf(before, after).map((line) => `  ${line}`),
    ...steps.flatMap(({ title, edit }) => (edit ? [`  ${edit.filename}: ${title}`] : [])),
    ...steps.flatMap(({ command }) => (command === null ? [] : [`    ${command}`])),
  ];
  return `Works in a copy: ${[watched(check), ...lines.map(printable)].join('\n')}\n`;
}

function watched(check: Check): string {
  switch (check.ended) {
    case 'passed':
      return `the program ended without an error after ${check.seconds.toFixed(1)} s`;
    case 'running':
      return `the program ran ${check.seconds.toFixed(0)} s without the error and was stopped`;
    case 'failed':
      return `it fails with: ${printable(check.failure.message)}`;
  }
}

function changesOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changed = names.filter((name) => before[name] !== after[name]);
  const width = Math.max(0, ...changed.map((name) => name.length));
  return changed.map((name) => `${name.padEnd(width)}  ${before[name] ?? '-'} → ${after[name] ?? '-'}`);
}
