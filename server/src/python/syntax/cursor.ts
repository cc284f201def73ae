/** The position in the token stream, and the errors found there. `Expressions` extends it, and `Statements` extends that. */
import type { BrokenExpression, Expression, ParseError } from './nodes.ts';
import * as t from './tokens.ts';

/**
 * Maximum nesting of expressions, in levels of the parser's recursion; a bracket takes three to five. Python allows 200
 * brackets.
 */
const MAX_DEPTH = 1_200;

/** Messages for brackets that are not closed, in the order of the bracket kinds. */
const NEVER_CLOSED = ["'(' was never closed", "'[' was never closed", "'{' was never closed"];
const EXPECTED = ["expected ',' or ')'", "expected ',' or ']'", "expected ',' or '}'"];

/** Shared by all nodes with an empty list. */
export const NOTHING: readonly never[] = [];

export abstract class Cursor {
  readonly text: string;
  /** Added to the offsets of all nodes: the offset of this text in the larger text. */
  readonly base: number;
  readonly tokens: t.Tokens;
  readonly kinds: Uint8Array;
  readonly errors: ParseError[] = [];
  isPython2 = false;
  /** Index of the next token. */
  at = 0;
  depth = 0;

  constructor(text: string, base: number, tokens: t.Tokens) {
    this.text = text;
    this.base = base;
    this.tokens = tokens;
    this.kinds = tokens.kinds;
  }

  /** The kind of the next token. */
  get kind(): number {
    return this.kinds[this.at] as number;
  }

  /** Returns the kind of the token `ahead` tokens after the next one. */
  peek(ahead: number): number {
    const index = this.at + ahead;
    return index < this.tokens.count ? (this.kinds[index] as number) : t.END;
  }

  /** Start offset of the next token. */
  get start(): number {
    return (this.tokens.starts[this.at] as number) + this.base;
  }

  /** End offset of the last consumed token. */
  get end(): number {
    return this.at === 0 ? this.base : (this.tokens.ends[this.at - 1] as number) + this.base;
  }

  /** The offset for a missing node: after the last token, but not on an earlier line. */
  get gap(): number {
    return this.at === 0 || (this.kinds[this.at - 1] as number) <= t.DEDENT ? this.start : this.end;
  }

  /** Consumes the next token if it is of the kind. */
  accept(kind: number): boolean {
    if (this.kinds[this.at] !== kind) return false;
    this.at++;
    return true;
  }

  /** Consumes the next token, or reports an error if it is of another kind. */
  expect(kind: number, what: string): boolean {
    if (this.kinds[this.at] === kind) {
      this.at++;
      return true;
    }
    this.error(`expected ${what}`);
    return false;
  }

  /** True if the next token is this soft keyword. */
  isWord(word: string): boolean {
    return this.kind === t.NAME && this.nameOf(this.at) === word;
  }

  nameOf(index: number): string {
    return this.tokens.names[this.tokens.extra[index] as number] as string;
  }

  /** Reports an error at the next token, at most once per token. */
  error(message: string): void {
    const start = this.start;
    const last = this.errors[this.errors.length - 1];
    if (last?.start === start) return;
    const end = Math.max(start, (this.tokens.ends[this.at] as number) + this.base);
    this.errors.push({ start, end, message });
  }

  /** Reads a name; returns the empty string if there is none. `async` was a name until Python 3.7. */
  name(): string {
    if (this.kind === t.NAME) return this.nameOf(this.at++);
    if (this.kind === t.ASYNC || this.kind === t.AWAIT) {
      this.isPython2 = true;
      return this.kinds[this.at++] === t.ASYNC ? 'async' : 'await';
    }
    this.error('expected a name');
    return '';
  }

  broken(start: number, children: readonly Expression[] = NOTHING): BrokenExpression {
    return { kind: 'BrokenExpression', start, end: Math.max(start, this.end), parent: undefined, children };
  }

  /** Reports a missing bracket or a missing comma before it. */
  errorBefore(bracket: number): void {
    this.error(EXPECTED[bracket - t.RPAR] as string);
  }

  /**
   * Enters nested levels. Returns true if they are too deep, and then skips them; otherwise the caller resets `depth`.
   */
  isTooDeep(levels: number): boolean {
    if (this.depth + levels <= MAX_DEPTH) {
      this.depth += levels;
      return false;
    }
    this.error('too many nested expressions');
    this.skip(false);
    return true;
  }

  /** Skips to the end of the enclosing bracket or of the line, or to the next comma at this level. */
  skip(toComma: boolean): void {
    let open = 0;
    for (; ; this.at++) {
      const kind = this.kind;
      if (kind === t.NEWLINE || kind === t.END) return;
      if ((kind >= t.LPAR && kind <= t.LBRACE) || kind === t.FSTRING_START) open++;
      else if ((kind >= t.RPAR && kind <= t.RBRACE) || kind === t.FSTRING_END) {
        if (open === 0) return;
        open--;
      } else if (kind === t.COMMA && toComma && open === 0) return;
    }
  }

  /** Reads a closing bracket and skips anything before it. */
  close(bracket: number): void {
    if (this.accept(bracket)) return;
    const isOpen = this.kind === t.NEWLINE || this.kind === t.END;
    this.error((isOpen ? NEVER_CLOSED : EXPECTED)[bracket - t.RPAR] as string);
    this.skip(false);
    if (this.kind >= t.RPAR && this.kind <= t.RBRACE) this.at++;
  }
}
