import type { Verdict } from '../diagnosis/judgeStack.ts';
import { diagnosesIn } from '../diagnosis/relationDiagnoses.ts';
import { expressionOf } from '../messages/find.ts';
import type { Cause, CauseCheck } from '../messages/schema.ts';
import { type ShownFact, type Situation, shown } from './conditions/condition.ts';
import { conditions } from './conditions/conditions.ts';
import { diagnosed, verdictsOf } from './conditions/diagnosed.ts';
import type { JudgedLine } from './judgedLine.ts';

/** The result of a check that the catalogue names; undefined if neither the machine nor the text shows it. */
export function checkIn(check: CauseCheck, situation: Situation): ShownFact | undefined {
  if (typeof check !== 'string') return printedIn(check.printed, situation);
  if (check.startsWith('not-')) {
    const found = checkIn(check.slice('not-'.length), situation);
    return found && shown(!found.holds, found.evidence);
  }
  if (check === 'message') return shown(true, '');
  const condition = conditions[check];
  if (condition !== undefined) return condition(situation);
  if (!isRule(check)) return diagnosed([check], situation);
  const findings = findingsOf([check], situation).map(({ message }) => message);
  if (findings.length === 0 && situation.code === undefined) return undefined;
  return shown(findings.length > 0, findings.join(' '));
}

export function isRule(check: string): boolean {
  return /^GPU\d{3}$/.test(check);
}

/** The diagnoses of the machine that confirm a cause. */
export function verdictsFor({ checked_by: checks = [] }: Cause, situation: Situation): Verdict[] {
  return verdictsOf(diagnosesIn(checks), situation);
}

/** The findings in the failing line that confirm a cause. */
export function findingsFor({ checked_by: checks = [] }: Cause, situation: Situation): JudgedLine['findings'] {
  return findingsOf(checks, situation);
}

function findingsOf(checks: readonly CauseCheck[], { code }: Situation): JudgedLine['findings'] {
  return (code?.findings ?? []).filter((finding) => checks.includes(finding.code));
}

/** Undefined if the text lacks the output, because people rarely paste all of it. */
function printedIn(pattern: string, { text }: Situation): ShownFact | undefined {
  const match = expressionOf(pattern).exec(text);
  return match === null ? undefined : shown(true, `The text says "${shortened(wholeWords(match, text))}".`);
}

function wholeWords(match: RegExpExecArray, text: string): string {
  const [found] = match;
  const end = match.index + found.length;
  const before = /\w*$/.exec(text.slice(Math.max(0, match.index - LONGEST_WORD), match.index))?.[0];
  const after = /^[\w.]*\w/.exec(text.slice(end, end + LONGEST_WORD))?.[0];
  return `${/^\w/.test(found) ? before : ''}${found}${/\w$/.test(found) && after ? after : ''}`;
}

const LONGEST_WORD = 80;

/** Both ends of a long text, because these contain the words of the pattern. */
function shortened(quote: string): string {
  const line = quote.replace(/\s+/g, ' ').trim();
  return line.length <= 160 ? line : `${line.slice(0, 70).trim()} ... ${line.slice(-70).trim()}`;
}
