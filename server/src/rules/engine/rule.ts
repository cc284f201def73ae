/** The definition of a rule: its metadata, its selectors, and its judgement of their matches. */

import type { Evidence } from '../../guards/evidence.ts';
import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import type { Expression } from '../../python/syntax/nodes.ts';
import type { Knowledge, Observation, RuleMetadata } from './contract.ts';
import type { Derived, Selector } from './selector.ts';

/** The context in which rules judge a program. */
export interface RuleContext {
  readonly program: Program;
  /** Knowledge beyond the text. */
  readonly known: Knowledge;
  /** True for a test file, in which most findings are hints. */
  readonly isTestFile: boolean;
  /** Reasons why findings in this file are hints, whatever the code; empty for an ordinary file. */
  readonly aboutFile: readonly Reason[];
  /** Returns all matches of a selector, in source order. */
  matchesOf<T>(selector: Selector<T> | Derived<T>): readonly T[];
  /** Returns the evidence for a GPU where an expression runs. */
  evidenceAt(expression: Expression): Evidence;
  /** Reports an observation. Of several at one place, the loudest counts, and the first of those. */
  report(observation: Observation): void;
}

/** A rule's selectors and its judgement of their matches. */
export interface Listener {
  readonly selectors: readonly Selector<unknown>[];
  handle(context: RuleContext): void;
}

export interface Rule extends RuleMetadata {
  readonly listener: Listener;
  /**
   * If this selector has matches, the rest of the project may raise findings of this rule. Otherwise it only lowers
   * them.
   */
  readonly asksProject?: Selector<unknown>;
}

/** Listens to one selector and judges each match separately. */
export function on<T>(selector: Selector<T> | Derived<T>, handle: (match: T, context: RuleContext) => void): Listener {
  return {
    selectors: ['from' in selector ? selector.from : selector],
    handle(context) {
      for (const match of context.matchesOf(selector)) handle(match, context);
    },
  };
}

/** Listens for rules about the order or the whole of a program: called once, for a program with any match. */
export function inProgram(selectors: readonly Selector<unknown>[], handle: (context: RuleContext) => void): Listener {
  return {
    selectors,
    handle(context) {
      if (selectors.some((selector) => context.matchesOf(selector).length > 0)) handle(context);
    },
  };
}
