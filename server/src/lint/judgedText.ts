import type { Span } from '../python/semantic/source.ts';
import type { SourceText } from '../python/semantic/sourceText.ts';

/** A text as findings are reported on it, whatever its language: a program is one, and so is a file of requirements. */
export interface JudgedText extends SourceText {
  /** Where a comment about a line can be; behind it by default. */
  readonly remarks?: 'behind' | 'above' | 'nowhere';
  /** The parsed cells. */
  readonly modules: readonly {
    readonly comments: readonly Span[];
    /** Strings over several lines, in which no comment can stand. */
    readonly strings: readonly Span[];
    /** Whatever keeps the cell from being read. */
    readonly errors: readonly unknown[];
  }[];
}
