/** Expressions, assignment targets and parameters, from statement-level forms down to names. */
import { Cursor, NOTHING } from './cursor.ts';
import { constantWord, readNumber, readString } from './literals.ts';
import type * as py from './nodes.ts';
import {
  AND_LEVEL,
  BINARY_TEXTS,
  BITWISE_OR_LEVEL,
  COMPARISON_LEVEL,
  COMPARISON_TEXTS,
  LEVELS,
  NOT_LEVEL,
  OR_LEVEL,
} from './operators.ts';
import * as t from './tokens.ts';
import { forEachChild } from './walk.ts';

/** Maximum depth of a tree, in nodes: recursive visitors could not handle a deeper one. */
const MAX_TREE_DEPTH = 1_000;

const MAGIC_SYNTAXES = ['line', 'cell', 'shell', 'help'] as const;

interface CallArguments {
  readonly args: readonly py.Expression[];
  readonly keywords: readonly py.Keyword[];
}

export abstract class Expressions extends Cursor {
  /** Number of nodes in the outermost expression that deepen the tree without being nested in the text. */
  links = 0;

  // Statement-level forms

  /** `x`, `x, y` and `*x, y`, including `yield` and `:=` where they are allowed. */
  expressions(): py.Expression {
    const start = this.start;
    const first = this.starredExpression();
    return this.kind === t.COMMA ? this.#tuple(start, first) : first;
  }

  #tuple(start: number, first: py.Expression): py.Tuple {
    const elts = [first];
    while (this.accept(t.COMMA)) {
      if (!this.beginsExpression()) break;
      elts.push(this.starredExpression());
    }
    return this.tuple(start, elts);
  }

  /** `*x` or an expression. */
  starredExpression(): py.Expression {
    return this.kind === t.STAR ? this.starred() : this.namedExpression();
  }

  starred(): py.Starred {
    const start = this.start;
    this.at++;
    const value = this.operators(BITWISE_OR_LEVEL);
    return { kind: 'Starred', start, end: this.end, parent: undefined, value };
  }

  /** Reads the right side of an assignment or an expression statement: `yield` or expressions. */
  yieldOrExpressions(): py.Expression {
    return this.kind === t.YIELD ? this.yieldExpression() : this.expressions();
  }

  yieldExpression(): py.Expression {
    const start = this.start;
    this.at++;
    if (this.accept(t.FROM)) {
      const value = this.expression();
      return { kind: 'YieldFrom', start, end: this.end, parent: undefined, value };
    }
    const value = this.beginsExpression() ? this.expressions() : undefined;
    return { kind: 'Yield', start, end: this.end, parent: undefined, value };
  }

  /** True if the next token can begin an expression. */
  beginsExpression(): boolean {
    const { kind } = this;
    switch (kind) {
      case t.NAME:
      case t.NUMBER:
      case t.STRING:
      case t.FSTRING_START:
      case t.LPAR:
      case t.LSQB:
      case t.LBRACE:
      case t.ELLIPSIS:
      case t.BACKTICK:
      case t.TILDE:
      case t.PLUS:
      case t.MINUS:
      case t.STAR:
      case t.NOT:
      case t.FALSE:
      case t.NONE:
      case t.TRUE:
      case t.AWAIT:
      case t.LAMBDA:
      case t.YIELD:
      case t.INVALID:
      case t.MAGIC:
        return true;
      case t.ASYNC:
        return this.peek(1) !== t.FOR;
      default:
        return false;
    }
  }

  namedExpression(): py.Expression {
    if (this.kind !== t.NAME || this.peek(1) !== t.COLONEQUAL) return this.expression();
    const start = this.start;
    const target = this.nameNode();
    this.at++;
    const value = this.expression();
    return { kind: 'NamedExpr', start, end: this.end, parent: undefined, target, value };
  }

  /** Reads one expression without `:=`. The outermost call rejects trees that are too deep. */
  expression(): py.Expression {
    if (this.depth > 0) return this.#conditional();
    this.links = 0;
    const start = this.start;
    const expression = this.#conditional();
    if (this.links < MAX_TREE_DEPTH || !isDeep(expression)) return expression;
    this.errors.push({ start, end: this.end, message: 'too many nested expressions' });
    return this.broken(start);
  }

  #conditional(): py.Expression {
    if (this.kind === t.LAMBDA) return this.lambda();
    const start = this.start;
    const body = this.operators(OR_LEVEL);
    if (this.kind !== t.IF) return body;
    this.at++;
    const test = this.operators(OR_LEVEL);
    let orelse: py.Expression;
    if (!this.accept(t.ELSE)) {
      this.error("expected 'else' after 'if' expression");
      return this.broken(start, [body, test]);
    }
    if (this.isTooDeep(3)) orelse = this.broken(this.gap);
    else {
      orelse = this.#conditional();
      this.depth -= 3;
    }
    return { kind: 'IfExp', start, end: this.end, parent: undefined, test, body, orelse };
  }

  lambda(): py.Expression {
    const start = this.start;
    this.at++;
    if (this.isTooDeep(4)) return this.broken(start);
    const args = this.parameters(t.COLON, false);
    this.expect(t.COLON, "':'");
    const body = this.#conditional();
    this.depth -= 4;
    return { kind: 'Lambda', start, end: this.end, parent: undefined, args, body };
  }

  // Operators

  /** Reads operators that bind at least as tightly as those of a level. */
  operators(level: number): py.Expression {
    const start = this.start;
    let left = this.kind === t.NOT ? this.#not(level) : this.#unary();
    for (;;) {
      const kind = this.kind;
      const own = LEVELS[kind] as number;
      if (own < level || own === 0) return left;
      if (own <= AND_LEVEL) left = this.#boolean(start, left, kind, own);
      else if (own === COMPARISON_LEVEL) {
        if (kind === t.NOT && this.peek(1) !== t.IN) return left;
        left = this.#comparison(start, left);
      } else {
        this.at++;
        const right = this.#operand(own + 1);
        this.links++;
        left = {
          kind: 'BinOp',
          start,
          end: this.end,
          parent: undefined,
          op: BINARY_TEXTS[kind] as py.BinaryOperator,
          left,
          right,
        };
      }
    }
  }

  /** The right side of an operator. */
  #operand(level: number): py.Expression {
    if (this.isTooDeep(1)) return this.broken(this.gap);
    const operand = this.operators(level);
    this.depth--;
    return operand;
  }

  #boolean(start: number, left: py.Expression, kind: number, level: number): py.BoolOp {
    const values = [left];
    while (this.accept(kind)) values.push(this.#operand(level + 1));
    return { kind: 'BoolOp', start, end: this.end, parent: undefined, op: kind === t.OR ? 'or' : 'and', values };
  }

  #comparison(start: number, left: py.Expression): py.Compare {
    const ops: py.ComparisonOperator[] = [];
    const comparators: py.Expression[] = [];
    for (;;) {
      const kind = this.kind;
      if (LEVELS[kind] !== COMPARISON_LEVEL) break;
      if (kind === t.NOT) {
        if (this.peek(1) !== t.IN) break;
        this.at++;
        ops.push('not in');
      } else if (kind === t.IS && this.peek(1) === t.NOT) {
        this.at++;
        ops.push('is not');
      } else {
        ops.push(COMPARISON_TEXTS[kind] as py.ComparisonOperator);
        if (kind === t.NOTEQUAL && this.text.charCodeAt(this.start - this.base) === 60) this.isPython2 = true;
      }
      this.at++;
      comparators.push(this.#operand(COMPARISON_LEVEL + 1));
    }
    return { kind: 'Compare', start, end: this.end, parent: undefined, left, ops, comparators };
  }

  #not(level: number): py.Expression {
    if (level > NOT_LEVEL) this.error("unexpected 'not'");
    const starts: number[] = [];
    while (this.kind === t.NOT) {
      starts.push(this.start);
      this.at++;
    }
    let operand = this.#operand(COMPARISON_LEVEL);
    for (let start = starts.pop(); start !== undefined; start = starts.pop())
      operand = this.#unaryOp('not', start, operand);
    return operand;
  }

  #unaryOp(op: py.UnaryOp['op'], start: number, operand: py.Expression): py.UnaryOp {
    this.links++;
    return { kind: 'UnaryOp', start, end: this.end, parent: undefined, op, operand };
  }

  #unary(): py.Expression {
    let kind = this.kind;
    if (kind !== t.MINUS && kind !== t.PLUS && kind !== t.TILDE) return this.#power();
    const first = this.at;
    do kind = this.kinds[++this.at] as number;
    while (kind === t.MINUS || kind === t.PLUS || kind === t.TILDE);
    let before = this.at - 1;
    let operand = this.#power();
    for (; before >= first; before--) {
      const sign = this.kinds[before];
      const op = sign === t.MINUS ? '-' : sign === t.PLUS ? '+' : '~';
      operand = this.#unaryOp(op, (this.tokens.starts[before] as number) + this.base, operand);
    }
    return operand;
  }

  #power(): py.Expression {
    const start = this.start;
    const left = this.kind === t.AWAIT ? this.#await() : this.primary();
    if (this.kind !== t.DOUBLESTAR) return left;
    this.at++;
    if (this.isTooDeep(3)) return left;
    const right = this.#unary();
    this.depth -= 3;
    return { kind: 'BinOp', start, end: this.end, parent: undefined, op: '**', left, right };
  }

  #await(): py.Expression {
    const start = this.start;
    const next = this.peek(1);
    const isOperand =
      (next >= t.NAME && next <= t.FSTRING_START) ||
      (next >= t.LPAR && next <= t.LBRACE) ||
      (next >= t.FALSE && next <= t.TRUE) ||
      next === t.ELLIPSIS;
    if (!isOperand) return this.primary();
    this.at++;
    const value = this.primary();
    return { kind: 'Await', start, end: this.end, parent: undefined, value };
  }

  // Names, literals and brackets, followed by attributes, calls and subscripts

  primary(): py.Expression {
    const start = this.start;
    let value = this.#atom();
    for (;;) {
      const kind = this.kind;
      if (kind === t.DOT) {
        this.at++;
        const attr = this.name();
        value = this.attribute(start, value, attr);
      } else if (kind === t.LPAR) {
        const open = this.start;
        const { args, keywords } = this.callArguments();
        value = {
          kind: 'Call',
          start,
          end: this.end,
          parent: undefined,
          scope: undefined,
          conditions: undefined,
          func: value,
          args,
          keywords,
          open,
        };
      } else if (kind === t.LSQB) {
        this.at++;
        const slice = this.#slices();
        value = { kind: 'Subscript', start, end: this.end, parent: undefined, value, slice };
      } else return value;
      this.links++;
    }
  }

  nameNode(): py.Name {
    const start = this.start;
    const id = this.name();
    return {
      kind: 'Name',
      start,
      end: Math.max(start, this.end),
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      definitions: undefined,
      id,
    };
  }

  #atom(): py.Expression {
    switch (this.kind) {
      case t.NAME:
      case t.ASYNC:
      case t.AWAIT:
        return this.nameNode();
      case t.NUMBER:
        return readNumber(this);
      case t.STRING:
      case t.FSTRING_START:
        return readString(this);
      case t.LPAR:
        return this.parenthesized();
      case t.LSQB:
        return this.list();
      case t.LBRACE:
        return this.braces();
      case t.NONE:
        return constantWord(this, 'None', null);
      case t.TRUE:
        return constantWord(this, 'bool', true);
      case t.FALSE:
        return constantWord(this, 'bool', false);
      case t.ELLIPSIS:
        return constantWord(this, 'Ellipsis', undefined);
      case t.BACKTICK:
        return this.#repr();
      case t.MAGIC:
        return this.#magic();
      case t.LAMBDA:
        return this.lambda();
      case t.INVALID: {
        const start = this.start;
        this.error('expected an expression');
        this.at++;
        return this.broken(start);
      }
      default:
        this.error('expected an expression');
        return this.broken(this.gap);
    }
  }

  #magic(): py.Magic {
    const start = this.start;
    const syntax = MAGIC_SYNTAXES[this.tokens.extra[this.at] as number] as py.Magic['syntax'];
    this.at++;
    return { kind: 'Magic', start, end: this.end, parent: undefined, syntax };
  }

  #repr(): py.Repr {
    const start = this.start;
    this.at++;
    this.isPython2 = true;
    // A backtick does not show whether it opens or closes, so pairs could nest endlessly.
    const value = this.isTooDeep(5) ? this.broken(this.gap) : this.expressions();
    this.depth = Math.max(0, this.depth - 5);
    this.expect(t.BACKTICK, "'`'");
    return { kind: 'Repr', start, end: this.end, parent: undefined, value };
  }

  #slices(): py.Expression {
    if (this.isTooDeep(5)) {
      this.close(t.RSQB);
      return this.broken(this.gap);
    }
    const start = this.start;
    let slice = this.#slice();
    if (this.kind !== t.RSQB) {
      const elts = [slice];
      let end = this.end;
      while (this.kind !== t.RSQB && this.nextElement(t.RSQB)) {
        end = this.end;
        if (this.kind === t.RSQB) break;
        elts.push(this.#slice());
        end = this.end;
      }
      slice = this.tuple(start, elts, end);
    } else if (slice.kind === 'Starred') slice = this.tuple(start, [slice]);
    this.close(t.RSQB);
    this.depth -= 5;
    return slice;
  }

  #slice(): py.Expression {
    const start = this.start;
    const lower = this.kind === t.COLON ? undefined : this.starredExpression();
    if (this.kind !== t.COLON) return lower as py.Expression;
    this.at++;
    const upper = this.beginsExpression() ? this.expression() : undefined;
    const step = this.accept(t.COLON) && this.beginsExpression() ? this.expression() : undefined;
    return { kind: 'Slice', start, end: this.end, parent: undefined, lower, upper, step };
  }

  /** Reads the arguments of a call or a class, including brackets. */
  callArguments(): CallArguments {
    const open = this.start;
    this.at++;
    if (this.accept(t.RPAR)) return { args: NOTHING, keywords: NOTHING };
    if (this.isTooDeep(5)) {
      this.close(t.RPAR);
      return { args: NOTHING, keywords: NOTHING };
    }
    const args: py.Expression[] = [];
    const keywords: py.Keyword[] = [];
    do {
      if (this.kind === t.RPAR) break;
      const start = this.start;
      if (this.accept(t.DOUBLESTAR)) {
        const value = this.expression();
        keywords.push(this.#keyword(start, undefined, value));
      } else if (this.peek(1) === t.EQUAL && this.kind !== t.STRING) {
        const arg = this.name();
        if (arg === '') this.at++;
        this.at++;
        keywords.push(this.#keyword(start, arg, this.expression()));
      } else if (this.accept(t.STAR)) {
        const value = this.expression();
        args.push({ kind: 'Starred', start, end: this.end, parent: undefined, value });
      } else {
        const value = this.kind === t.YIELD ? this.yieldExpression() : this.namedExpression();
        if (this.kind === t.FOR || (this.kind === t.ASYNC && this.peek(1) === t.FOR)) {
          args.push(this.#bareGenerator(open, start, value, args.length + keywords.length === 0));
        } else args.push(value);
      }
    } while (this.nextElement(t.RPAR));
    // A generator that is the only argument shares the brackets of the call.
    this.close(t.RPAR);
    this.depth -= 5;
    const only = args[0];
    if (only?.kind === 'GeneratorExp' && only.start === open) (only as { end: number }).end = this.end;
    return { args: args.length === 0 ? NOTHING : args, keywords: keywords.length === 0 ? NOTHING : keywords };
  }

  /** A generator without brackets of its own. */
  #bareGenerator(open: number, start: number, elt: py.Expression, isFirst: boolean): py.GeneratorExp {
    const generators = this.generators();
    const isOnly = isFirst && this.kind === t.RPAR;
    return this.generator(isOnly ? open : start, elt, generators);
  }

  #keyword(start: number, arg: string | undefined, value: py.Expression): py.Keyword {
    return { kind: 'keyword', start, end: this.end, parent: undefined, arg, value };
  }

  // Tuples, lists, sets, dictionaries, comprehensions and targets

  tuple(start: number, elts: readonly py.Expression[], end = this.end): py.Tuple {
    return { kind: 'Tuple', start, end, parent: undefined, elts };
  }

  attribute(start: number, value: py.Expression, attr: string): py.Attribute {
    return {
      kind: 'Attribute',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      definitions: undefined,
      value,
      attr,
    };
  }

  parenthesized(): py.Expression {
    const start = this.start;
    this.at++;
    if (this.accept(t.RPAR)) return this.tuple(start, NOTHING);
    if (this.isTooDeep(5)) {
      this.close(t.RPAR);
      return this.broken(start);
    }
    const value = this.#inParentheses(start);
    this.depth -= 5;
    return value;
  }

  #inParentheses(start: number): py.Expression {
    if (this.kind === t.YIELD) {
      const value = this.yieldExpression();
      this.close(t.RPAR);
      return value;
    }
    const first = this.starredExpression();
    if (this.kind === t.FOR || this.kind === t.ASYNC) {
      const generators = this.generators();
      this.close(t.RPAR);
      return this.generator(start, first, generators);
    }
    if (this.kind === t.COMMA) {
      const elts = this.#elements(first, t.RPAR);
      this.close(t.RPAR);
      return this.tuple(start, elts);
    }
    if (this.kind === t.RPAR) {
      this.at++;
      return first;
    }
    const elts = this.#elements(first, t.RPAR);
    this.close(t.RPAR);
    return this.broken(start, elts);
  }

  /** Reads the remaining elements up to a bracket; skips invalid expressions up to the next comma. */
  #elements(first: py.Expression, bracket: number): py.Expression[] {
    const elts = [first];
    for (;;) {
      if (this.kind === bracket || !this.nextElement(bracket)) return elts;
      if (this.kind === bracket) return elts;
      elts.push(this.starredExpression());
    }
  }

  /** Reads the separator after an element; true if another element may follow. */
  nextElement(bracket: number): boolean {
    if (this.accept(t.COMMA)) return true;
    if (this.kind === bracket) return false;
    this.errorBefore(bracket);
    this.skip(true);
    return this.accept(t.COMMA);
  }

  generator(start: number, elt: py.Expression, generators: readonly py.Comprehension[]): py.GeneratorExp {
    return { kind: 'GeneratorExp', start, end: this.end, parent: undefined, elt, generators };
  }

  generators(): py.Comprehension[] {
    const generators: py.Comprehension[] = [];
    while (this.kind === t.FOR || (this.kind === t.ASYNC && this.peek(1) === t.FOR)) {
      const start = this.start;
      const isAsync = this.accept(t.ASYNC);
      this.at++;
      const target = this.targets();
      this.expect(t.IN, "'in'");
      const iter = this.operators(OR_LEVEL);
      const ifs: py.Expression[] = [];
      while (this.accept(t.IF)) ifs.push(this.#condition());
      generators.push({
        kind: 'comprehension',
        start,
        end: this.end,
        parent: undefined,
        target,
        iter,
        ifs: ifs.length === 0 ? NOTHING : ifs,
        isAsync,
      });
    }
    return generators;
  }

  /** Reads the condition after `if` in a comprehension. */
  #condition(): py.Expression {
    if (this.kind === t.NAME && this.peek(1) === t.COLONEQUAL) return this.namedExpression();
    return this.kind === t.LAMBDA ? this.lambda() : this.operators(OR_LEVEL);
  }

  /** Reads the targets of a loop or `del`: names, attributes, subscripts, or tuples of them. */
  targets(): py.Expression {
    const start = this.start;
    const first = this.target();
    if (this.kind !== t.COMMA) return first;
    const elts = [first];
    while (this.accept(t.COMMA)) {
      if (!this.beginsExpression()) break;
      elts.push(this.target());
    }
    return this.tuple(start, elts);
  }

  target(): py.Expression {
    return this.kind === t.STAR ? this.starred() : this.operators(BITWISE_OR_LEVEL);
  }

  list(): py.Expression {
    const start = this.start;
    this.at++;
    if (this.isTooDeep(5)) {
      this.close(t.RSQB);
      return this.broken(start);
    }
    const node = this.#inList(start);
    this.depth -= 5;
    return node;
  }

  #inList(start: number): py.Expression {
    let elts: readonly py.Expression[] = NOTHING;
    if (this.kind !== t.RSQB) {
      const elt = this.starredExpression();
      if (this.kind === t.FOR || this.kind === t.ASYNC) {
        const generators = this.generators();
        this.close(t.RSQB);
        return { kind: 'ListComp', start, end: this.end, parent: undefined, elt, generators };
      }
      elts = this.#elements(elt, t.RSQB);
    }
    this.close(t.RSQB);
    return { kind: 'List', start, end: this.end, parent: undefined, elts };
  }

  braces(): py.Expression {
    const start = this.start;
    this.at++;
    if (this.isTooDeep(5)) {
      this.close(t.RBRACE);
      return this.broken(start);
    }
    const node = this.#inBraces(start);
    this.depth -= 5;
    return node;
  }

  #inBraces(start: number): py.Expression {
    if (this.kind === t.RBRACE) return this.#dict(start, NOTHING, NOTHING);
    if (this.kind !== t.DOUBLESTAR) {
      const elt = this.starredExpression();
      if (this.kind !== t.COLON) return this.#set(start, elt);
      this.at++;
      return this.#entries(start, elt, this.expression());
    }
    this.at++;
    return this.#entries(start, undefined, this.operators(BITWISE_OR_LEVEL));
  }

  #set(start: number, elt: py.Expression): py.Expression {
    if (this.kind === t.FOR || this.kind === t.ASYNC) {
      const generators = this.generators();
      this.close(t.RBRACE);
      return { kind: 'SetComp', start, end: this.end, parent: undefined, elt, generators };
    }
    const elts = this.#elements(elt, t.RBRACE);
    this.close(t.RBRACE);
    return { kind: 'Set', start, end: this.end, parent: undefined, elts };
  }

  /** Reads the rest of a dictionary after its first entry. */
  #entries(start: number, key: py.Expression | undefined, value: py.Expression): py.Expression {
    if (key && (this.kind === t.FOR || this.kind === t.ASYNC)) {
      const generators = this.generators();
      this.close(t.RBRACE);
      return { kind: 'DictComp', start, end: this.end, parent: undefined, key, value, generators };
    }
    const keys = [key];
    const values = [value];
    while (this.kind !== t.RBRACE && this.nextElement(t.RBRACE) && this.kind !== t.RBRACE) {
      if (this.accept(t.DOUBLESTAR)) {
        keys.push(undefined);
        values.push(this.operators(BITWISE_OR_LEVEL));
        continue;
      }
      keys.push(this.expression());
      values.push(this.expect(t.COLON, "':'") ? this.expression() : this.broken(this.gap));
    }
    return this.#dict(start, keys, values);
  }

  #dict(start: number, keys: readonly (py.Expression | undefined)[], values: readonly py.Expression[]): py.Dict {
    this.close(t.RBRACE);
    return { kind: 'Dict', start, end: this.end, parent: undefined, keys, values };
  }

  // Parameters of functions and lambdas

  /** Reads the parameters of a function or lambda up to, but not including, the closing token. */
  parameters(close: number, hasAnnotations: boolean): py.Arguments {
    const start = this.start;
    let posonlyargs: py.Arg[] = [];
    let args: py.Arg[] = [];
    const kwonlyargs: py.Arg[] = [];
    const defaults: py.Expression[] = [];
    const kw_defaults: (py.Expression | undefined)[] = [];
    let vararg: py.Arg | undefined;
    let kwarg: py.Arg | undefined;
    let isKeywordOnly = false;
    while (this.kind !== close) {
      const before = this.at;
      if (this.accept(t.SLASH)) {
        posonlyargs = args;
        args = [];
      } else if (this.accept(t.STAR)) {
        isKeywordOnly = true;
        if (this.kind !== t.COMMA && this.kind !== close) vararg = this.#parameter(hasAnnotations, true);
      } else if (this.accept(t.DOUBLESTAR)) kwarg = this.#parameter(hasAnnotations, false);
      else if (this.kind === t.LPAR) this.#unpacked(args);
      else {
        (isKeywordOnly ? kwonlyargs : args).push(this.#parameter(hasAnnotations, false));
        const byDefault = this.accept(t.EQUAL) ? this.expression() : undefined;
        if (isKeywordOnly) kw_defaults.push(byDefault);
        else if (byDefault) defaults.push(byDefault);
      }
      if (this.accept(t.COMMA)) continue;
      if (this.kind === close) break;
      this.error("expected ','");
      if (!hasAnnotations) break;
      this.skip(true);
      if (!this.accept(t.COMMA) || this.at === before) break;
    }
    return {
      kind: 'arguments',
      start,
      end: Math.max(start, this.end),
      parent: undefined,
      posonlyargs: posonlyargs.length === 0 ? NOTHING : posonlyargs,
      args: args.length === 0 ? NOTHING : args,
      vararg,
      kwonlyargs: kwonlyargs.length === 0 ? NOTHING : kwonlyargs,
      kw_defaults: kw_defaults.length === 0 ? NOTHING : kw_defaults,
      kwarg,
      defaults: defaults.length === 0 ? NOTHING : defaults,
    };
  }

  #parameter(hasAnnotation: boolean, mayBeStarred: boolean): py.Arg {
    const start = this.start;
    const arg = this.name();
    let annotation: py.Expression | undefined;
    if (hasAnnotation && this.accept(t.COLON))
      annotation = mayBeStarred && this.kind === t.STAR ? this.starred() : this.expression();
    return { kind: 'arg', start, end: Math.max(start, this.end), parent: undefined, arg, annotation };
  }

  /** Python 2's `def f(a, (b, c))`: the names count as parameters. */
  #unpacked(args: py.Arg[]): void {
    let open = 0;
    this.isPython2 = true;
    do {
      if (this.kind === t.LPAR) open++;
      else if (this.kind === t.RPAR) open--;
      else if (this.kind === t.NAME) {
        const { start } = this;
        const arg = this.name();
        args.push({ kind: 'arg', start, end: this.end, parent: undefined, arg, annotation: undefined });
        continue;
      } else if (this.kind !== t.COMMA) return this.error('expected a name');
      this.at++;
    } while (open > 0);
  }
}

/** True if a tree is too deep for recursive visitors. */
function isDeep(root: py.Node): boolean {
  let level: py.Node[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_TREE_DEPTH) return true;
    const next: py.Node[] = [];
    const push = (child: py.Node): void => void next.push(child);
    for (const node of level) forEachChild(node, push);
    level = next;
  }
  return false;
}
