/** Reports the differences between this machine's stack and the one that the project has recorded. */
import { documentationPage } from '../../documentation.ts';
import type { Verdict } from '../diagnosis.ts';
import type { StackDifference } from './compareStacks.ts';
import { RECORD_FILE } from './recordFile.ts';

/** One difference from the record, as a sentence for its line. */
export function sentenceOf({ subject, expected, found, path }: StackDifference): string {
  if (path[0] === 'gpus') return `Recorded: ${expected}. This machine: ${found}.`;
  return found === null
    ? `There is no ${subject} here; ${expected} was recorded.`
    : `${upperFirst(subject)} is ${found} here; ${expected} was recorded.`;
}

/** Names of packages and frameworks keep their case. */
const upperFirst = (subject: string): string =>
  subject.includes(' ') || subject === 'driver' ? subject.charAt(0).toUpperCase() + subject.slice(1) : subject;

/** GPUs need no label. */
function labelled(subject: string, what: string | null, path: readonly PropertyKey[]): string {
  if (path[0] === 'gpus') return what === null || what === 'none' ? 'no GPU' : what;
  return what === null ? `no ${subject}` : `${subject} ${what}`;
}

/** Maximum number of items that a finding names; the file shows all of them. */
const NAMED = 3;

/**
 * All differences as one diagnosis of the stack, as severe as the worst of them but never an error, because the machine
 * itself may be fine.
 */
export function driftVerdict(differences: readonly StackDifference[], file: string): Verdict | undefined {
  if (differences.length === 0) return undefined;
  const rank = { error: 0, warning: 1, information: 2 };
  const worstFirst = [...differences].sort((a, b) => rank[a.severity] - rank[b.severity]);
  const named = worstFirst.slice(0, NAMED);
  const more = differences.length - named.length;
  const recorded = named.map(({ subject, expected, path }) => labelled(subject, expected, path)).join(', ');
  const here = named.map(({ subject, found, path }) => labelled(subject, found, path)).join(', ');
  return {
    id: 'stack-drift',
    severity: worstFirst[0]?.severity === 'information' ? 'information' : 'warning',
    finding: `Recorded: ${recorded}. This machine: ${here}${more > 0 ? `, and ${more} more ${more > 1 ? 'differ' : 'differs'}` : ''}.`,
    why: worstFirst.map((difference) => ({ fact: sentenceOf(difference).replace(/\.$/, ''), source: file })),
    remedies: [
      { title: `Show what differs from ${RECORD_FILE}`, command: `gpu-doctor stack --compare ${RECORD_FILE} live` },
      { title: 'Install what is recorded, or record this stack if it works as well' },
    ],
    page: documentationPage('stack', 'stack-drift'),
  };
}
