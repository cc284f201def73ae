import type { Checkpoint } from '../../checkpoint/checkpoint.ts';
import type { Verdict } from '../../diagnosis/judgeStack.ts';
import { concerns } from '../../messages/catalogue.ts';
import type { Framework } from '../../messages/schema.ts';
import type { StackFacts } from '../../stack/facts/facts.ts';
import type { JudgedLine } from '../judgedLine.ts';

/** The evidence about an error; missing evidence counts as unknown. */
export interface ErrorEvidence {
  readonly facts?: StackFacts;
  readonly verdicts?: readonly Verdict[];
  /** The findings of the rules in the failing line. */
  readonly code?: JudgedLine;
  /** The file that the message or the failing line names. */
  readonly checkpoint?: {
    readonly path: string;
    readonly checkpoint: Checkpoint;
    /** Bytes that are free where it lies. */
    readonly free?: number | undefined;
  };
  /** A file of the project that Python imports instead of the package that the error names. */
  readonly shadow?: string;
  /** The answers of a person, by the id of the cause: true if it applies. */
  readonly answers?: Readonly<Record<string, boolean>>;
}

/** The same, with the text and the captures of the message. */
export interface Situation extends ErrorEvidence {
  readonly text: string;
  /** The line of the message. */
  readonly message?: string;
  readonly parts: Readonly<Record<string, string>>;
  /** The frameworks that the error may belong to; empty if unknown. */
  readonly frameworks: ReadonlySet<Framework>;
}

/**
 * A fact as a sentence fragment with its source; empty if it only states that a text lacks a word, which the author of
 * the text knows.
 */
export interface ShownFact {
  readonly holds: boolean;
  readonly evidence: string;
}

/** True or false with the fact that shows it; undefined if unknown. */
export type Condition = (situation: Situation) => ShownFact | undefined;

/** The evidence is only read where the fact, or its negation, confirms a cause. */
export const shown = (holds: boolean, evidence = ''): ShownFact => ({ holds, evidence });

/** A condition on the facts of the machine. */
export function onFacts(look: (facts: StackFacts, situation: Situation) => ShownFact | undefined): Condition {
  return (situation) => situation.facts && look(situation.facts, situation);
}

/** The negation, shown by the same fact. */
export function not(condition: Condition): Condition {
  return (situation) => {
    const found = condition(situation);
    return found && shown(!found.holds, found.evidence);
  };
}

/** True if the error may belong to the framework, or to any framework if none is given. */
export function concernsFramework(framework: Framework | undefined, { frameworks }: Situation): boolean {
  return concerns({ frameworks: framework && [framework] }, frameworks);
}
