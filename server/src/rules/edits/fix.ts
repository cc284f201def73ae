/** Edits of a program, and fixes made of them. */
import type { Span } from '../../python/semantic/source.ts';

/** Replaces `span` of the program's text by `newText`; an insertion has an empty span. Never crosses a cell. */
export interface Edit {
  readonly span: Span;
  readonly newText: string;
}

/**
 * `safe` fixes keep what the program does on a machine that has the GPU, and are applied by fix-all and on save;
 * a `suggestion` is only offered; `display` is advice whose edits a person has to finish.
 */
export type FixTier = 'safe' | 'suggestion' | 'display';

export interface Fix {
  /** Imperative, says what will be written: ``Add `map_location="cpu"` ``. */
  readonly title: string;
  readonly tier: FixTier;
  /** In source order, not overlapping. */
  readonly edits: readonly Edit[];
}
