/** Bracketed expressions (tuples, lists, sets, dictionaries, comprehensions) and assignment targets. */
import { NOTHING } from './cursor.ts';
import type * as py from './nodes.ts';
import { BITWISE_OR_LEVEL, OR_LEVEL } from './operators.ts';
import { Parameters } from './parameters.ts';
import * as t from './tokens.ts';

export abstract class Displays extends Parameters {
  abstract namedExpression(): py.Expression;
  /** `*x` or an expression. */
  abstract starredExpression(): py.Expression;
  abstract yieldExpression(): py.Expression;
  abstract lambda(): py.Expression;
  /** Reads operators that bind at least as tightly as those of a level. */
  abstract operators(level: number): py.Expression;
  /** True if the next token can begin an expression. */
  abstract beginsExpression(): boolean;

  tuple(start: number, elts: readonly py.Expression[]): py.Tuple {
    return {
      kind: 'Tuple',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      elts,
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
    return {
      kind: 'GeneratorExp',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      inner: undefined,
      elt,
      generators,
    };
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
        return {
          kind: 'ListComp',
          start,
          end: this.end,
          parent: undefined,
          scope: undefined,
          conditions: undefined,
          inner: undefined,
          elt,
          generators,
        };
      }
      elts = this.#elements(elt, t.RSQB);
    }
    this.close(t.RSQB);
    return {
      kind: 'List',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      elts,
    };
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
      return {
        kind: 'SetComp',
        start,
        end: this.end,
        parent: undefined,
        scope: undefined,
        conditions: undefined,
        inner: undefined,
        elt,
        generators,
      };
    }
    const elts = this.#elements(elt, t.RBRACE);
    this.close(t.RBRACE);
    return {
      kind: 'Set',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      elts,
    };
  }

  /** Reads the rest of a dictionary after its first entry. */
  #entries(start: number, key: py.Expression | undefined, value: py.Expression): py.Expression {
    if (key && (this.kind === t.FOR || this.kind === t.ASYNC)) {
      const generators = this.generators();
      this.close(t.RBRACE);
      return {
        kind: 'DictComp',
        start,
        end: this.end,
        parent: undefined,
        scope: undefined,
        conditions: undefined,
        inner: undefined,
        key,
        value,
        generators,
      };
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
    return {
      kind: 'Dict',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      keys,
      values,
    };
  }
}
