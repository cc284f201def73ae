import type { Checkpoint } from '../../checkpoint/checkpoint.ts';
import type { Verdict } from '../../diagnosis/judgeStack.ts';
import { concerns } from '../../messages/catalogue.ts';
import type { Framework } from '../../messages/schema.ts';
import type { StackFacts } from '../../stack/facts/facts.ts';
import type { JudgedLine } from '../judgedLine.ts';

/** Everything that an error is joined with; what is not given is not known. */
export interface Known {
  readonly facts?: StackFacts;
  readonly verdicts?: readonly Verdict[];
  /** What the rules find in the failing line. */
  readonly code?: JudgedLine;
  /** The file that the message or the failing line names. */
  readonly checkpoint?: { readonly path: string; readonly checkpoint: Checkpoint };
}

/** The same, with the text and what was captured from the message. */
export interface Situation extends Known {
  readonly text: string;
  /** The line of the message. */
  readonly message?: string;
  readonly parts: Readonly<Record<string, string>>;
  /** Which it can be of; empty where that is not known. */
  readonly frameworks: ReadonlySet<Framework>;
}

/** A fact as a sentence fragment, with where it was read; empty where a text has not a word of it, which is no news to its author. */
export interface Shown {
  readonly holds: boolean;
  readonly evidence: string;
}

/** Whether something is so, with the fact that shows it; undefined where that is not known. */
export type Condition = (situation: Situation) => Shown | undefined;

export const shown = (holds: boolean, evidence: string): Shown => ({ holds, evidence });

/** A condition on the facts of the machine. */
export function onFacts(look: (facts: StackFacts, situation: Situation) => Shown | undefined): Condition {
  return (situation) => situation.facts && look(situation.facts, situation);
}

/** The opposite, shown by the same fact. */
export function not(condition: Condition): Condition {
  return (situation) => {
    const found = condition(situation);
    return found && shown(!found.holds, found.evidence);
  };
}

/** Whether the error can be of a framework, or of any where none is named. */
export function isOf(framework: Framework | undefined, { frameworks }: Situation): boolean {
  return concerns({ frameworks: framework && [framework] }, frameworks);
}
