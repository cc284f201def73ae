/** What a rule is: what it says of itself, what it listens to, and what it makes of what it hears. */

import type { Evidence } from '../../guards/evidence.ts';
import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import type { Expression } from '../../python/syntax/nodes.ts';
import type { Knowledge, Observation, RuleMetadata } from './contract.ts';
import type { Derived, Selector } from './selector.ts';

/** What rules work with while a program is judged. */
export interface RuleContext {
  readonly program: Program;
  /** What is known beyond the text. */
  readonly known: Knowledge;
  /** Whether the file is one of tests, in which most findings are hints. */
  readonly isTestFile: boolean;
  /** Why findings in this file are hints, whatever the code; empty for an ordinary file. */
  readonly aboutFile: readonly Reason[];
  /** All that there is of what the rule listens to, in source order. */
  matchesOf<T>(selector: Selector<T> | Derived<T>): readonly T[];
  /** What makes sure of a GPU where an expression runs. */
  evidenceAt(expression: Expression): Evidence;
  /** Of several observations at one place the loudest is reported, and the first of those. */
  report(observation: Observation): void;
}

/** What is done about what a rule hears: about each place, or about all of a program together. */
export interface Listener {
  readonly selectors: readonly Selector<unknown>[];
  handle(context: RuleContext): void;
}

export interface Rule extends RuleMetadata {
  readonly listener: Listener;
  /** Where it has matches, the rest of the project may raise findings of this rule. Elsewhere it only lowers them. */
  readonly asksProject?: Selector<unknown>;
}

/** Listens to one kind of place; each is judged by itself. */
export function on<T>(selector: Selector<T> | Derived<T>, handle: (match: T, context: RuleContext) => void): Listener {
  return {
    selectors: ['from' in selector ? selector.from : selector],
    handle(context) {
      for (const match of context.matchesOf(selector)) handle(match, context);
    },
  };
}

/** For rules about the order or the whole of a program: called once, for a program that has any such place. */
export function inProgram(selectors: readonly Selector<unknown>[], handle: (context: RuleContext) => void): Listener {
  return {
    selectors,
    handle(context) {
      if (selectors.some((selector) => context.matchesOf(selector).length > 0)) handle(context);
    },
  };
}
