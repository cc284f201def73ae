/** The definition of a rule: its metadata, its selectors, and the function that checks their matches. */

import type { Evidence } from '../../guards/evidence.ts';
import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import type { Expression } from '../../python/syntax/nodes.ts';
import type { Knowledge, RuleMetadata } from './contract.ts';
import type { Observer } from './observe.ts';
import type { Derived, Matches, Selector } from './selector.ts';

/** The context in which rules check a program. */
export interface RuleContext extends Pick<Observer, 'report' | 'attempt'> {
  readonly program: Program;
  /** Knowledge beyond the text. */
  readonly known: Knowledge;
  /** True for a test file, in which most findings are hints. */
  readonly isTestFile: boolean;
  /** Reasons why findings in this file are hints, whatever the code is; empty for an ordinary file. */
  readonly aboutFile: readonly Reason[];
  /** Returns all matches of a selector, in source order. */
  matchesOf<T>(selector: Selector<T> | Derived<T>): readonly T[];
  /** Returns the evidence for a GPU at the point where an expression runs. */
  evidenceAt(expression: Expression): Evidence;
}

/** A rule's selectors and the function that checks their matches. */
interface Listener {
  readonly selectors: readonly Selector<unknown>[];
  handle(context: RuleContext): void;
}

export interface Rule extends RuleMetadata {
  readonly listener: Listener;
  /**
   * True if the rest of the project may raise findings of this rule, by what the program contains. Otherwise the project
   * only lowers them.
   */
  asksProject?(matches: Matches): boolean;
}

/** Listens to one selector and checks each match separately. */
export function on<T>(selector: Selector<T> | Derived<T>, handle: (match: T, context: RuleContext) => void): Listener {
  return {
    selectors: ['from' in selector ? selector.from : selector],
    handle(context) {
      for (const match of context.matchesOf(selector)) context.attempt(() => handle(match, context));
    },
  };
}

/**
 * Listens on behalf of a rule about the order or the whole of a program: called once for each program with any match.
 */
export function inProgram(selectors: readonly Selector<unknown>[], handle: (context: RuleContext) => void): Listener {
  return {
    selectors,
    handle(context) {
      if (selectors.some((selector) => context.matchesOf(selector).length > 0)) handle(context);
    },
  };
}
