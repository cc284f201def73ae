/** Blocks and compound statements. */
import { NOTHING } from './cursor.ts';
import { Expressions } from './expressions.ts';
import type * as py from './nodes.ts';
import { readPatterns } from './patterns.ts';
import { readSimpleStatement, readTypeParameters } from './simpleStatements.ts';
import * as t from './tokens.ts';

/**
 * Maximum number of branches of an `if`. Further branches, found only in generated code, are read as consecutive
 * blocks.
 */
const MAX_BRANCHES = 200;

export class Statements extends Expressions {
  /** The tokenizer's errors, in order; `#wrong` counts those in statements that were already read. */
  readonly #tokenErrors: readonly py.Span[];
  #passedTokenErrors = 0;
  /** Handlers whose type consists of two expressions, the second of which is a name that Python 2 binds. */
  readonly #pairHandlers: py.ExceptHandler[] = [];

  constructor(text: string, base: number, tokens: t.Tokens & { readonly errors: readonly py.ParseError[] }) {
    super(text, base, tokens);
    this.#tokenErrors = tokens.errors;
  }

  module(): py.Statement[] {
    const body: py.Statement[] = [];
    while (this.kind !== t.END) this.#statements(body);
    if (this.isPython2) for (const handler of this.#pairHandlers) bindName(handler);
    return body;
  }

  /** Reads a logical line and the blocks below it. */
  #statements(body: py.Statement[]): void {
    const { kind } = this;
    if (kind === t.NEWLINE || kind === t.DEDENT) {
      this.at++;
      return;
    }
    if (kind === t.INDENT) {
      const start = this.start;
      this.error('unexpected indent');
      const inner = this.#indented();
      body.push({ kind: 'Broken', start, end: inner.at(-1)?.end ?? start, parent: undefined, body: inner });
      return;
    }
    const compound = this.#compound();
    if (compound) body.push(compound);
    else this.#simpleLine(body);
  }

  #simpleLine(body: py.Statement[]): void {
    do {
      if (this.kind === t.NEWLINE) break;
      body.push(this.#checked(this.#errorsBefore()));
    } while (this.accept(t.SEMI));
    if (this.accept(t.NEWLINE)) {
      if (this.kind !== t.INDENT || body.at(-1)?.kind !== 'Broken') return;
      // A block indented below an invalid statement belongs to it.
      const broken = body.pop() as py.Broken;
      const inner = [...broken.body, ...this.#indented()];
      body.push({ ...broken, end: Math.max(broken.end, inner.at(-1)?.end ?? 0), body: inner });
    }
  }

  #errorsBefore(): number {
    while (
      this.#passedTokenErrors < this.#tokenErrors.length &&
      (this.#tokenErrors[this.#passedTokenErrors] as py.Span).start + this.base < this.start
    )
      this.#passedTokenErrors++;
    return this.errors.length + this.#passedTokenErrors;
  }

  /** Reads a simple statement and marks it as broken if it contains an error; the rest of a broken one is skipped. */
  #checked(wrong: number): py.Statement {
    const start = this.start;
    const before = this.at;
    const statement = readSimpleStatement(this);
    const { kind } = this;
    if (kind !== t.NEWLINE && kind !== t.SEMI && kind !== t.END) {
      this.error('expected the end of the statement');
      this.#skipStatement(before);
    }
    if (wrong === this.errors.length + this.#passedTokenErrors && this.#isErrorFree()) return statement;
    const isNothing =
      statement.kind === 'Expr' && statement.value.kind === 'BrokenExpression' && statement.value.children.length === 0;
    const body = isNothing ? NOTHING : [statement];
    return { kind: 'Broken', start, end: Math.max(start, this.end), parent: undefined, body };
  }

  #isErrorFree(): boolean {
    const next = this.#tokenErrors[this.#passedTokenErrors];
    return next === undefined || next.start + this.base >= this.end;
  }

  /** Skips to the end of the statement, or to the end of the line after a colon; always consumes at least one token. */
  #skipStatement(before: number): void {
    if (this.at === before) this.at++;
    for (;;) {
      const { kind } = this;
      if (kind === t.NEWLINE || kind === t.END || kind === t.SEMI) return;
      if (kind === t.COLON) return this.#skipLine();
      this.at++;
      if (kind >= t.LPAR && kind <= t.LBRACE) this.skip(false);
    }
  }

  #skipLine(): void {
    while (this.kind !== t.NEWLINE && this.kind !== t.END) this.at++;
  }

  /** Reads the statements of a block, including its INDENT and DEDENT. */
  #indented(): py.Statement[] {
    const body: py.Statement[] = [];
    this.at++;
    while (this.kind !== t.DEDENT && this.kind !== t.END) this.#statements(body);
    this.accept(t.DEDENT);
    return body;
  }

  /** Reads the block after the header of a compound statement. */
  #block(): readonly py.Statement[] {
    if (!this.accept(t.COLON)) {
      this.error("expected ':'");
      while (this.kind !== t.NEWLINE && this.kind !== t.END && this.kind !== t.COLON) this.at++;
      this.accept(t.COLON);
    }
    if (this.kind !== t.NEWLINE) {
      const body: py.Statement[] = [];
      if (this.kind !== t.END) this.#simpleLine(body);
      return body;
    }
    this.at++;
    if (this.peek(0) === t.INDENT) return this.#indented();
    this.error('expected an indented block');
    return NOTHING;
  }

  /** The end of a compound statement: that of its last token, including a semicolon but not the line end. */
  #lastEnd(): number {
    let last = this.at - 1;
    while (last > 0 && (this.kinds[last] as number) <= t.DEDENT) last--;
    return (this.tokens.ends[last] as number) + this.base;
  }

  // Compound statements

  #compound(): py.Statement | undefined {
    const start = this.start;
    switch (this.kind) {
      case t.IF:
        return this.#if(start, 0);
      case t.FOR:
        return this.#for(start, false);
      case t.WHILE:
        return this.#while(start);
      case t.DEF:
        return this.#function(start, start, NOTHING, false);
      case t.CLASS:
        return this.#class(start, start, NOTHING);
      case t.WITH:
        return this.#with(start, false);
      case t.TRY:
        return this.#try(start);
      case t.AT:
        return this.#decorated(start);
      case t.ASYNC:
        return this.#async(start);
      case t.ELIF:
      case t.ELSE:
      case t.EXCEPT:
      case t.FINALLY:
        return this.#strayBranch(start);
      case t.NAME:
        return this.#isMatch() ? this.#match(start) : undefined;
      default:
        return undefined;
    }
  }

  #async(start: number): py.Statement | undefined {
    const next = this.peek(1);
    if (next !== t.DEF && next !== t.FOR && next !== t.WITH) return undefined;
    this.at++;
    if (next === t.DEF) return this.#function(start, start, NOTHING, true);
    return next === t.FOR ? this.#for(start, true) : this.#with(start, true);
  }

  /** Reads a branch that has no statement, such as an `else` without an `if`. */
  #strayBranch(start: number): py.Broken {
    this.error('branch without a statement');
    this.at++;
    while (this.kind !== t.COLON && this.kind !== t.NEWLINE && this.kind !== t.END) this.at++;
    const body = this.#block();
    return { kind: 'Broken', start, end: this.#lastEnd(), parent: undefined, body };
  }

  #if(start: number, length: number): py.If {
    this.at++;
    const test = this.namedExpression();
    const body = this.#block();
    let orelse: readonly py.Statement[] = NOTHING;
    if (this.kind === t.ELIF) orelse = length < MAX_BRANCHES ? [this.#if(this.start, length + 1)] : this.#branches();
    else if (this.kind === t.ELSE) orelse = this.#else();
    return { kind: 'If', start, end: this.#lastEnd(), parent: undefined, test, body, orelse };
  }

  /** Reads the branches of an `if` beyond the limit. */
  #branches(): py.Statement[] {
    const body: py.Statement[] = [];
    while (this.accept(t.ELIF)) {
      const start = this.start;
      const value = this.namedExpression();
      body.push({ kind: 'Expr', start, end: this.end, parent: undefined, value });
      for (const statement of this.#block()) body.push(statement);
    }
    if (this.kind === t.ELSE) for (const statement of this.#else()) body.push(statement);
    return body;
  }

  #else(): readonly py.Statement[] {
    if (!this.accept(t.ELSE)) return NOTHING;
    return this.#block();
  }

  #while(start: number): py.While {
    this.at++;
    const test = this.namedExpression();
    const body = this.#block();
    const orelse = this.#else();
    return { kind: 'While', start, end: this.#lastEnd(), parent: undefined, test, body, orelse };
  }

  #for(start: number, isAsync: boolean): py.For {
    this.at++;
    const target = this.targets();
    this.expect(t.IN, "'in'");
    const iter = this.expressions();
    const body = this.#block();
    const orelse = this.#else();
    return { kind: 'For', start, end: this.#lastEnd(), parent: undefined, isAsync, target, iter, body, orelse };
  }

  #decorated(start: number): py.Statement {
    const decorators: py.Expression[] = [];
    while (this.accept(t.AT)) {
      decorators.push(this.namedExpression());
      if (this.kind !== t.NEWLINE) {
        this.error('expected the end of the decorator');
        this.#skipLine();
      }
      this.accept(t.NEWLINE);
    }
    const from = this.start;
    if (this.kind === t.CLASS) return this.#class(from, start, decorators);
    const isAsync = this.kind === t.ASYNC && this.peek(1) === t.DEF;
    if (isAsync) this.at++;
    if (this.kind === t.DEF) return this.#function(from, start, decorators, isAsync);
    this.error('expected a function or a class');
    const body = decorators.map(
      (value): py.Expr => ({ kind: 'Expr', start: value.start, end: value.end, parent: undefined, value }),
    );
    return { kind: 'Broken', start, end: body.at(-1)?.end ?? start, parent: undefined, body };
  }

  #function(
    start: number,
    decoratedStart: number,
    decorator_list: readonly py.Expression[],
    isAsync: boolean,
  ): py.FunctionDef {
    this.at++;
    const nameStart = this.start;
    const name = this.name();
    const type_params = readTypeParameters(this);
    let args: py.Arguments;
    if (this.expect(t.LPAR, "'('")) {
      args = this.parameters(t.RPAR, true);
      this.close(t.RPAR);
    } else args = this.#noParameters();
    const returns = this.accept(t.ARROW) ? this.expressions() : undefined;
    const body = this.#block();
    return {
      kind: 'FunctionDef',
      start,
      end: this.#lastEnd(),
      parent: undefined,
      isAsync,
      name,
      nameStart,
      args,
      body,
      decorator_list,
      decoratedStart,
      returns,
      type_params,
    };
  }

  #noParameters(): py.Arguments {
    return {
      kind: 'arguments',
      start: this.gap,
      end: this.gap,
      parent: undefined,
      posonlyargs: NOTHING,
      args: NOTHING,
      vararg: undefined,
      kwonlyargs: NOTHING,
      kw_defaults: NOTHING,
      kwarg: undefined,
      defaults: NOTHING,
    };
  }

  #class(start: number, decoratedStart: number, decorator_list: readonly py.Expression[]): py.ClassDef {
    this.at++;
    const nameStart = this.start;
    const name = this.name();
    const type_params = readTypeParameters(this);
    const classArguments = this.kind === t.LPAR ? this.callArguments() : undefined;
    const body = this.#block();
    return {
      kind: 'ClassDef',
      start,
      end: this.#lastEnd(),
      parent: undefined,
      name,
      nameStart,
      bases: classArguments?.args ?? NOTHING,
      keywords: classArguments?.keywords ?? NOTHING,
      body,
      decorator_list,
      decoratedStart,
      type_params,
    };
  }

  #with(start: number, isAsync: boolean): py.With {
    this.at++;
    const items = this.#bracketedItems() ?? this.#items(t.COLON);
    const body = this.#block();
    return { kind: 'With', start, end: this.#lastEnd(), parent: undefined, isAsync, items, body };
  }

  /** Reads parenthesized items; undefined if the parentheses belong to an expression. */
  #bracketedItems(): py.WithItem[] | undefined {
    if (this.kind !== t.LPAR || this.peek(1) === t.YIELD || this.peek(1) === t.STAR || this.peek(1) === t.RPAR)
      return undefined;
    const before = this.at;
    const wrong = this.errors.length;
    this.at++;
    this.skip(false);
    const isBracketed = this.peek(0) === t.RPAR && this.peek(1) === t.COLON;
    this.at = before + 1;
    if (!isBracketed) {
      this.at = before;
      return undefined;
    }
    const items = this.#items(t.RPAR);
    if (this.accept(t.RPAR)) return items;
    this.at = before;
    this.errors.length = wrong;
    return undefined;
  }

  #items(close: number): py.WithItem[] {
    const items: py.WithItem[] = [];
    do {
      if (this.kind === close) break;
      const start = this.start;
      const context_expr = this.expression();
      const optional_vars = this.accept(t.AS) ? this.target() : undefined;
      items.push({ kind: 'withitem', start, end: this.end, parent: undefined, context_expr, optional_vars });
    } while (this.accept(t.COMMA));
    return items;
  }

  #try(start: number): py.Try {
    this.at++;
    const body = this.#block();
    const handlers: py.ExceptHandler[] = [];
    let isStar = false;
    while (this.kind === t.EXCEPT) {
      isStar ||= this.peek(1) === t.STAR;
      handlers.push(this.#handler());
    }
    const orelse = this.#else();
    const finalbody = this.accept(t.FINALLY) ? this.#block() : NOTHING;
    if (handlers.length === 0 && finalbody.length === 0) this.error("expected 'except' or 'finally' block");
    const end = this.#lastEnd();
    return { kind: 'Try', start, end, parent: undefined, isStar, body, handlers, orelse, finalbody };
  }

  #handler(): py.ExceptHandler {
    const start = this.start;
    this.at++;
    this.accept(t.STAR);
    const type = this.kind === t.COLON ? undefined : this.expressions();
    const isBare = type?.kind === 'Tuple' && type.elts[0]?.start === type.start;
    const name = this.accept(t.AS) ? this.name() : undefined;
    const body = this.#block();
    const end = this.#lastEnd();
    const handler: py.ExceptHandler = { kind: 'ExceptHandler', start, end, parent: undefined, type, name, body };
    if (isBare && name === undefined && type.elts.length === 2 && type.elts[1]?.kind === 'Name')
      this.#pairHandlers.push(handler);
    return handler;
  }

  // Match

  /** True if `match` begins a statement: its line ends with a colon, and its block begins with `case`. */
  #isMatch(): boolean {
    const next = this.peek(1);
    if (next < t.NAME || next === t.SEMI || next === t.DOT || next === t.COMMA || next === t.EQUAL || next === t.COLON)
      return false;
    if (!this.isWord('match')) return false;
    let ahead = 1;
    for (let kind = next; kind !== t.NEWLINE; kind = this.peek(++ahead))
      if (kind === t.SEMI || kind === t.END) return false;
    const { at } = this;
    return (
      this.peek(ahead - 1) === t.COLON &&
      this.peek(ahead + 1) === t.INDENT &&
      this.peek(ahead + 2) === t.NAME &&
      this.nameOf(at + ahead + 2) === 'case'
    );
  }

  #match(start: number): py.Match {
    this.at++;
    const subject = this.expressions();
    this.expect(t.COLON, "':'");
    this.#skipLine();
    this.accept(t.NEWLINE);
    const cases: py.MatchCase[] = [];
    if (this.accept(t.INDENT)) {
      while (this.peek(0) !== t.DEDENT && this.kind !== t.END) {
        if (this.isWord('case')) cases.push(this.#case());
        else this.#strayStatement();
      }
      this.accept(t.DEDENT);
    }
    return { kind: 'Match', start, end: this.#lastEnd(), parent: undefined, subject, cases };
  }

  /** Reads a statement between the cases of a `match`, which is an error. */
  #strayStatement(): void {
    this.error("expected 'case'");
    this.#statements([]);
  }

  #case(): py.MatchCase {
    const start = this.start;
    this.at++;
    const pattern = readPatterns(this);
    const guard = this.accept(t.IF) ? this.namedExpression() : undefined;
    const body = this.#block();
    return { kind: 'match_case', start, end: this.#lastEnd(), parent: undefined, pattern, guard, body };
  }
}

/** Reinterprets `except A, b` as in Python 2. */
function bindName(handler: py.ExceptHandler): void {
  if (handler.type?.kind !== 'Tuple') return;
  const [type, name] = handler.type.elts;
  handler.type = type;
  if (name?.kind === 'Name') handler.name = name.id;
}
