/** Why a finding is only a hint: a short cause, and the place that shows it. */
import type { Span } from '../python/semantic/source.ts';

/** A place in another file of the project. */
export interface OtherPlace {
  /** Absolute path. */
  readonly path: string;
  /** 0-based, as LSP counts. */
  readonly line: number;
  /** 0-based, in UTF-16 units. */
  readonly character: number;
  /** In a notebook: 1-based among all of its cells. */
  readonly cell?: number;
}

export interface Reason {
  /** A clause without a full stop that completes "hint because": `this is a test file`. */
  readonly because: string;
  /** The code that shows it: a span of the program, or a place in another file. Absent where the file's path does. */
  readonly at?: Span | OtherPlace;
}

/** True for a reason's place that lies in another file. */
export const isElsewhere = (at: Span | OtherPlace): at is OtherPlace => 'path' in at;
