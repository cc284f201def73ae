import { concerns } from '../messages/catalogue.ts';
import { fillIn, hasAllParts } from '../messages/find.ts';
import type { Cause, CauseCheck } from '../messages/schema.ts';
import { checkIn, isRule } from './checks.ts';
import type { Situation } from './conditions/condition.ts';
import type { ExplainedCause } from './explanation.ts';

export interface JudgedCause {
  readonly cause: Cause;
  readonly explained: ExplainedCause;
}

/** Maximum number of causes to ask the user about if the facts do not decide. */
const MOST_QUESTIONS = 3;

/**
 * The confirmed causes of a message; if there is none, those between which nothing decides. Excluded causes are left
 * out. Causes that only other output or the code would show, and for which there is no question, count if no other is
 * left.
 */
export function judgedCauses(causes: readonly Cause[], situation: Situation): JudgedCause[] {
  const meant = causes.filter(
    (cause) => concerns(cause, situation.frameworks) && hasAllParts(cause.text, situation.parts),
  );
  const all = meant.flatMap((cause) => judged(cause, situation) ?? []);
  const confirmed = all.filter(({ explained }) => explained.standing === 'confirmed');
  if (confirmed.length > 0)
    return [...confirmed.filter(hasEvidence), ...confirmed.filter((each) => !hasEvidence(each))];
  const likely = all.filter(
    ({ cause }) => !cause.checked_by?.every((check) => isPrinted(check) || (isRule(check) && !cause.ask)),
  );
  return (likely.length > 0 ? likely : all).slice(0, MOST_QUESTIONS);
}

/** Only the message itself confirms the others. */
function hasEvidence({ explained }: JudgedCause): boolean {
  return explained.evidence.length > 0;
}

function isPrinted(check: CauseCheck): check is Exclude<CauseCheck, string> {
  return typeof check !== 'string';
}

function isOfMachine(check: CauseCheck): boolean {
  return !isPrinted(check) && !isRule(check);
}

/** Undefined if the cause is excluded. */
function judged(cause: Cause, situation: Situation): JudgedCause | undefined {
  const { checked_by: checks = [], excluded_by: against = [] } = cause;
  const answer = situation.answers?.[cause.id];
  if (answer === false) return undefined;
  if (against.some((check) => checkIn(check, situation)?.holds)) return undefined;
  const results = checks.map((check) => checkIn(check, situation));
  const evidence = results.flatMap((result) => (result?.holds ? sentence(result.evidence) : []));
  const isConfirmed = answer === true || results.some((result) => result?.holds);
  // People rarely paste all output: only what the machine excludes needs none, not what a rule does not find in a line.
  const isAsked = checks.some(isOfMachine);
  const decisive = results.filter((each, index) => each !== undefined || !isAsked || isOfMachine(checks[index] ?? ''));
  if (!isConfirmed && decisive.length > 0 && decisive.every((result) => result?.holds === false)) return undefined;
  return {
    cause,
    explained: {
      id: cause.id,
      text: fillIn(cause.text, situation.parts),
      standing: isConfirmed ? 'confirmed' : 'possible',
      evidence: [...new Set(evidence)].filter((each) => each !== ''),
    },
  };
}

/** True for a fragment that may start with the name of a package or a file. */
function sentence(fragment: string): string {
  const begun = fragment.replace(
    /^(?:an?|by|it|no|none|the|there|this)(?= )/,
    (word) => word[0]?.toUpperCase() + word.slice(1),
  );
  return /^$|[.!?]$/.test(begun) ? begun : `${begun}.`;
}
