/** Parses Python text into a syntax tree. */

import { extendSpans } from './extendSpans.ts';
import type { Module, ParseError, Span } from './nodes.ts';
import { Statements } from './statements.ts';
import { tokenize } from './tokenizer.ts';

interface ParseOptions {
  /** Added to all offsets: the offset of this text in a larger text. */
  readonly base?: number;
  /** True to accept IPython syntax. */
  readonly notebook?: boolean;
}

/**
 * Parses text. Never fails: invalid code is listed in `errors` and affects only its own statement. Runs in linear time.
 */
export function parseModule(text: string, { base = 0, notebook = false }: ParseOptions = {}): Module {
  const tokens = tokenize(text, notebook);
  const parser = new Statements(text, base, tokens);
  const body = parser.module();
  if (parser.errors.length > 0) extendSpans(body);
  const errors = tokens.errors.map((error) => moved(error, base)).concat(parser.errors);
  return {
    body,
    errors: errors.sort((a, b) => a.start - b.start),
    comments: base === 0 ? tokens.comments : tokens.comments.map((span) => moved(span, base)),
    strings: base === 0 ? tokens.strings : tokens.strings.map((span) => moved(span, base)),
    isPython2: parser.isPython2,
  };
}

const moved = <T extends Span | ParseError>(span: T, by: number): T => ({
  ...span,
  start: span.start + by,
  end: span.end + by,
});
