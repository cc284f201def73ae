/** Text -> statements. */
import { hasBrokenLayout } from './brokenLayout.ts';
import { readStatements } from './read.ts';
import type * as py from './syntax.ts';

/** A parsed text. */
export interface Parsed {
  readonly text: string;
  /** The offset of its first character. */
  readonly base: number;
  /** True when some part of the text is not Python. */
  readonly hasErrors: boolean;
  readonly body: readonly py.Statement[];
}

/** Parses `text`, whose first character gets the offset `base`. */
export function parse(text: string, base: number): Parsed {
  const { statements, hasErrors } = readStatements(text, base);
  return { text, base, hasErrors: hasErrors || hasBrokenLayout(text), body: statements };
}
