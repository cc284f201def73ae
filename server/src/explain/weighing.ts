import type { Verdict } from '../diagnosis/judgeStack.ts';
import { concerns } from '../messages/catalogue.ts';
import { expressionOf, fillIn } from '../messages/find.ts';
import type { Cause, Remedy } from '../messages/schema.ts';
import { isUnknown } from '../stack/facts/facts.ts';
import { isOf, type Situation } from './conditions/condition.ts';
import { conditions } from './conditions/conditions.ts';
import type { ExplainedCause } from './explanation.ts';
import type { JudgedLine } from './judgedLine.ts';

export interface Weighed {
  readonly cause: Cause;
  readonly said: ExplainedCause;
  /** Confirmed causes first, excluded ones last. */
  readonly order: number;
}

/**
 * The possible causes of a message, most likely first, each with the evidence that confirms or excludes it. Causes without
 * information for the reader are omitted: those excluded only because words are missing and, if another cause is
 * confirmed, those that only words could show.
 */
export function weighedCauses(causes: readonly Cause[], situation: Situation): Weighed[] {
  const all = causes
    .filter((cause) => concerns(cause, situation.frameworks) && isGiven(cause, situation))
    .map((cause) => weighed(cause, situation))
    .filter(({ cause, said }) => said.standing !== 'possible' || hasItsWords(cause, situation.text))
    .filter(({ said }) => said.standing !== 'ruled-out' || said.evidence.length > 0)
    .sort((a, b) => a.order - b.order);
  const isConfirmed = all[0]?.said.standing === 'confirmed';
  return all.filter(({ cause, order }) => !(isConfirmed && order === LACKING && isOnlyInWords(cause)));
}

function weighed(cause: Cause, situation: Situation): Weighed {
  const { text, parts } = situation;
  const lacking = lackingFor(cause, situation);
  const shown =
    lacking.length > 0
      ? []
      : [
          ...verdictsFor(cause, situation).map(({ finding }) => finding),
          ...findingsFor(cause, situation).map(({ message }) => message),
          ...factsFor(cause.when, situation),
        ];
  const denied = shown.length > 0 ? [] : [...lacking, ...factsFor(cause.unless, situation)];
  // Evidence from the machine outweighs the text.
  const reported =
    denied.length > 0 ? [] : [...(cause.implied ? saidBy(situation) : []), ...quotedFrom(cause.said, text)];
  const confirming = [...shown, ...reported];
  const against = confirming.length > 0 ? [] : [...denied, ...quotedFrom(cause.denied, text)];
  const hints = confirming.length > 0 ? [] : quotedFrom(cause.hint, text);
  const standing = confirming.length > 0 ? 'confirmed' : against.length > 0 ? 'ruled-out' : 'possible';
  return {
    cause,
    said: {
      id: cause.id,
      text: fillIn(cause.text, parts),
      standing,
      // Evidence about an excluded cause would only confuse the reader.
      evidence: unique(against.length > 0 ? against : [...confirming, ...hints]).filter((each) => each !== ''),
    },
    order:
      standing === 'confirmed'
        ? 0
        : standing === 'ruled-out'
          ? 4
          : hints.length > 0
            ? 1
            : lacksItsSigns(cause, situation)
              ? LACKING
              : 2,
  };
}

/** The order of causes if evidence is ignored. */
export const LACKING = 3;

/**
 * True if confirming evidence would be visible but is missing: the text lacks its words, or the facts contradict it.
 */
function lacksItsSigns({ common, said, verdicts, when = [] }: Cause, situation: Situation): boolean {
  if (common) return false;
  if (said !== undefined || (verdicts !== undefined && wasLookedAt(situation))) return true;
  const shown = when.map((name) => conditions[name]?.(situation));
  return shown.length > 0 && shown.every((each) => each?.holds === false);
}

function hasItsWords({ with: words }: Cause, text: string): boolean {
  return words === undefined || expressionOf(words).test(text);
}

/**
 * True if only words in the text could confirm the cause. If they are missing and another cause is confirmed, it adds
 * nothing.
 */
function isOnlyInWords({ said, when, verdicts, rules, look }: Cause): boolean {
  return said !== undefined && !when && !verdicts && !rules && !look;
}

/** True if the absence of a diagnosis is evidence, which it is not for a machine known only from a text or a record. */
function wasLookedAt({ facts }: Situation): boolean {
  return facts !== undefined && !(isUnknown(facts.pciGpus) && facts.pciGpus.cause === 'notAsked');
}

/** The diagnoses of the machine that confirm a cause. */
export function verdictsFor({ verdicts = [] }: Cause, situation: Situation): Verdict[] {
  return (situation.verdicts ?? []).filter(({ id, framework }) => verdicts.includes(id) && isOf(framework, situation));
}

/** The findings in the failing line that confirm a cause. */
export function findingsFor({ rules = [] }: Cause, { code }: Situation): JudgedLine['findings'] {
  return (code?.findings ?? []).filter((finding) => rules.includes(finding.code));
}

/** The facts that satisfy conditions. */
function factsFor(names: readonly string[] | undefined, situation: Situation): string[] {
  return (names ?? []).flatMap((name) => {
    const shown = conditions[name]?.(situation);
    return shown?.holds ? [sentence(shown.evidence)] : [];
  });
}

/** The conditions of a cause that are not met. */
function lackingFor({ needs = [] }: Cause, situation: Situation): string[] {
  return needs.flatMap((name) => {
    const found = conditions[name]?.(situation);
    return found?.holds === false ? [sentence(found.evidence)] : [];
  });
}

function saidBy({ message = '' }: Situation): string[] {
  return [`The message says "${shortened(message.replace(/\s+/g, ' ').trim())}".`];
}

/** Matches them as whole words. */
function quotedFrom(pattern: string | undefined, text: string): string[] {
  const found = pattern === undefined ? null : expressionOf(pattern).exec(text);
  if (found === null) return [];
  const end = found.index + found[0].length;
  const before = /\w*$/.exec(text.slice(Math.max(0, found.index - LONGEST_WORD), found.index))?.[0];
  const after = /^[\w.]*\w/.exec(text.slice(end, end + LONGEST_WORD))?.[0];
  const words = `${/^\w/.test(found[0]) ? before : ''}${found[0]}${/\w$/.test(found[0]) && after ? after : ''}`;
  return [`The text says "${shortened(words.replace(/\s+/g, ' ').trim())}".`];
}

const LONGEST_WORD = 80;

/** Both ends of a long text, because these contain the words of the pattern. */
function shortened(quote: string): string {
  return quote.length <= 160 ? quote : `${quote.slice(0, 70).trim()} ... ${quote.slice(-70).trim()}`;
}

/** True for a fragment that may start with the name of a package or a file. */
function sentence(fragment: string): string {
  const begun = fragment.replace(
    /^(?:an?|by|it|no|none|the|there|this)(?= )/,
    (word) => word[0]?.toUpperCase() + word.slice(1),
  );
  return /^$|[.!?]$/.test(begun) ? begun : `${begun}.`;
}

function unique(sentences: readonly string[]): string[] {
  return [...new Set(sentences)];
}

/** True if all of its placeholders have values. */
export function isGiven({ given = [] }: Pick<Remedy, 'given'>, { parts }: Situation): boolean {
  return given.every((part) => Object.hasOwn(parts, part));
}
