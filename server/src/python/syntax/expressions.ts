/** Expressions: statement-level forms, lambdas, conditions and operators. */
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
import { Primaries } from './primaries.ts';
import * as t from './tokens.ts';
import { forEachChild } from './walk.ts';

/** Maximum depth of a tree, in nodes: recursive visitors could not handle a deeper one. */
const MAX_TREE_DEPTH = 1_000;

export abstract class Expressions extends Primaries {
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
    return {
      kind: 'Starred',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      value,
    };
  }

  /** Reads the right side of an assignment or an expression statement: `yield` or expressions. */
  yieldOrExpressions(): py.Expression {
    return this.kind === t.YIELD ? this.yieldExpression() : this.expressions();
  }

  override field(): py.Expression {
    return this.yieldOrExpressions();
  }

  yieldExpression(): py.Expression {
    const start = this.start;
    this.at++;
    const slots = { parent: undefined, scope: undefined, conditions: undefined };
    if (this.accept(t.FROM)) {
      const value = this.expression();
      return { kind: 'YieldFrom', start, end: this.end, ...slots, value };
    }
    const value = this.beginsExpression() ? this.expressions() : undefined;
    return { kind: 'Yield', start, end: this.end, ...slots, value };
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
    return {
      kind: 'NamedExpr',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      target,
      value,
    };
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
    return {
      kind: 'IfExp',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      test,
      body,
      orelse,
    };
  }

  lambda(): py.Expression {
    const start = this.start;
    this.at++;
    if (this.isTooDeep(4)) return this.broken(start);
    const args = this.parameters(t.COLON, false);
    this.expect(t.COLON, "':'");
    const body = this.#conditional();
    this.depth -= 4;
    return {
      kind: 'Lambda',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      inner: undefined,
      args,
      body,
    };
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
          scope: undefined,
          conditions: undefined,
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
    return {
      kind: 'BoolOp',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      op: kind === t.OR ? 'or' : 'and',
      values,
    };
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
    return {
      kind: 'Compare',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      left,
      ops,
      comparators,
    };
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
    return {
      kind: 'UnaryOp',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      op,
      operand,
    };
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
    return {
      kind: 'BinOp',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      op: '**',
      left,
      right,
    };
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
    return {
      kind: 'Await',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      value,
    };
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
