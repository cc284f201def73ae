/** A place among the tokens of a text, and what goes wrong there. The parts of the parser are built on it, one on another. */
import type { BrokenExpression, Expression, ParseError } from './nodes.ts';
import * as t from './tokens.ts';

/**
 * How deep expressions may be nested, in levels of the parser's own recursion; a bracket takes three to five. Python
 * allows 200 brackets.
 */
const DEEPEST = 1_200;

/** What is said of closing brackets that are missing, in the order of their kinds. */
const NEVER_CLOSED = ["'(' was never closed", "'[' was never closed", "'{' was never closed"];
const EXPECTED = ["expected ',' or ')'", "expected ',' or ']'", "expected ',' or '}'"];

/** The same list for all nodes that have none of something. */
export const NOTHING: readonly never[] = [];

export abstract class Cursor {
  readonly text: string;
  /** Added to the offsets of all nodes. */
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

  /** The kind of a token behind the next one. */
  peek(ahead: number): number {
    const index = this.at + ahead;
    return index < this.tokens.count ? (this.kinds[index] as number) : t.END;
  }

  /** Where the next token starts. */
  get start(): number {
    return (this.tokens.starts[this.at] as number) + this.base;
  }

  /** Where the last token ended. */
  get end(): number {
    return this.at === 0 ? this.base : (this.tokens.ends[this.at - 1] as number) + this.base;
  }

  /** Where something is missing: behind the last token, but not on an earlier line. */
  get gap(): number {
    return this.at === 0 || (this.kinds[this.at - 1] as number) <= t.DEDENT ? this.start : this.end;
  }

  /** Goes on if the next token is of a kind. */
  accept(kind: number): boolean {
    if (this.kinds[this.at] !== kind) return false;
    this.at++;
    return true;
  }

  /** The same, where it must be. */
  expect(kind: number, what: string): boolean {
    if (this.kinds[this.at] === kind) {
      this.at++;
      return true;
    }
    this.error(`expected ${what}`);
    return false;
  }

  /** True if the next token is a name that is a keyword only here. */
  isWord(word: string): boolean {
    return this.kind === t.NAME && this.nameOf(this.at) === word;
  }

  nameOf(index: number): string {
    return this.tokens.names[this.tokens.extra[index] as number] as string;
  }

  /** Reports the next token, once. */
  error(message: string): void {
    const start = this.start;
    const last = this.errors[this.errors.length - 1];
    if (last?.start === start) return;
    const end = Math.max(start, (this.tokens.ends[this.at] as number) + this.base);
    this.errors.push({ start, end, message });
  }

  /** A name, and the empty string where there is none. `async` was one until Python 3.7. */
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
    return {
      kind: 'BrokenExpression',
      start,
      end: Math.max(start, this.end),
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      children,
    };
  }

  /** Reports that a bracket, or a comma before it, is missing. */
  errorBefore(bracket: number): void {
    this.error(EXPECTED[bracket - t.RPAR] as string);
  }

  /** True where nesting is too deep to go on: then what is nested is skipped. Else `depth` is to be taken back. */
  isTooDeep(levels: number): boolean {
    if (this.depth + levels <= DEEPEST) {
      this.depth += levels;
      return false;
    }
    this.error('too many nested expressions');
    this.skip(false);
    return true;
  }

  /** Goes on to what closes the bracket around, to the end of the line, or to the next comma there. */
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

  /** Reads a closing bracket; what stands before it is skipped. */
  close(bracket: number): void {
    if (this.accept(bracket)) return;
    const isOpen = this.kind === t.NEWLINE || this.kind === t.END;
    this.error((isOpen ? NEVER_CLOSED : EXPECTED)[bracket - t.RPAR] as string);
    this.skip(false);
    if (this.kind >= t.RPAR && this.kind <= t.RBRACE) this.at++;
  }
}
