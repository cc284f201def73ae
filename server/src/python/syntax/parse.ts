/** A text of Python -> its syntax tree. */
import type { Module, ParseError, Span } from './nodes.ts';
import { settle } from './settle.ts';
import { Statements } from './statements.ts';
import { tokenize } from './tokenizer.ts';

export interface ParseOptions {
  /** Added to all offsets: where the text begins in what it is a part of. */
  readonly base?: number;
  /** Lines of IPython are read as such. */
  readonly notebook?: boolean;
}

/**
 * Reads a text. It never fails: what is no Python is in `errors` and costs the statement that it is in. Takes time in
 * proportion to the length of the text.
 */
export function parseModule(text: string, { base = 0, notebook = false }: ParseOptions = {}): Module {
  const tokens = tokenize(text, notebook);
  const parser = new Statements(text, base, tokens);
  const body = parser.module();
  if (parser.errors.length > 0) settle(body);
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
