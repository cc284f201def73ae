import type { Span } from '../python/semantic/source.ts';
import type { SourceText } from '../python/semantic/sourceText.ts';

/** A text that findings refer to: a program or an environment file. */
export interface JudgedText extends SourceText {
  /** Where a comment about a line can be; behind it by default. */
  readonly remarks?: 'behind' | 'above' | 'nowhere';
  /** The parsed cells. */
  readonly modules: readonly {
    readonly comments: readonly Span[];
    /** Strings over several lines, inside of which comments are not possible. */
    readonly strings: readonly Span[];
    /** Errors that keep the cell from being parsed. */
    readonly errors: readonly unknown[];
  }[];
}
