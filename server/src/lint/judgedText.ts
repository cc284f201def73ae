import type { Span } from '../python/semantic/source.ts';
import type { SourceText } from '../python/semantic/sourceText.ts';

/** Text that findings refer to: a program or an environment file. */
export interface JudgedText extends SourceText {
  /** Where a comment about a line can be placed; after the line's code by default. */
  readonly remarks?: 'behind' | 'above' | 'nowhere';
  /** The parsed cells. */
  readonly modules: readonly {
    readonly comments: readonly Span[];
    /** Multiline strings, in which comments are not possible. */
    readonly strings: readonly Span[];
    /** Errors that keep the cell from being parsed. */
    readonly errors: readonly unknown[];
  }[];
}
