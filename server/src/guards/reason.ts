/** The reason why a finding is only a hint: a short cause, and the code that shows it. */
import type { Span } from '../python/semantic/source.ts';

/** A place in another file of the project. */
export interface OtherPlace {
  /** Absolute path. */
  readonly path: string;
  /** 0-based, as LSP counts. */
  readonly line: number;
  /** 0-based, in UTF-16 units. */
  readonly character: number;
  /** 1-based among all cells of the notebook; absent for scripts. */
  readonly cell?: number;
}

export interface Reason {
  /** A clause without a period that completes "hint because": `this is a test file`. */
  readonly because: string;
  /**
   * The code that shows it: a span of the program, or a place in another file. Absent if the file's path is the reason.
   */
  readonly at?: Span | OtherPlace;
}

/** True for a place in another file. */
export const isInOtherFile = (at: Span | OtherPlace): at is OtherPlace => 'path' in at;
