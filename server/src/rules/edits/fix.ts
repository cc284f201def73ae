/** Edits of a program, and the fixes that they form. */
import type { Span } from '../../python/semantic/source.ts';

/** Replaces `span` of the program's text by `newText`; an insertion has an empty span. Never crosses a cell. */
export interface Edit {
  readonly span: Span;
  readonly newText: string;
}

/**
 * `safe` fixes keep the behavior of the program on a machine with the GPU; fix-all and fix on save apply them. A
 * `suggestion` is only offered. `display` is advice whose edits a person has to complete.
 */
export type FixTier = 'safe' | 'suggestion' | 'display';

export interface Fix {
  /** An imperative that states what is written: ``Add `map_location="cpu"` ``. */
  readonly title: string;
  readonly tier: FixTier;
  /** In source order, not overlapping. */
  readonly edits: readonly Edit[];
}
