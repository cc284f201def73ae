/** Primaries: names, literals and brackets, followed by attributes, calls and subscripts. */
import { NOTHING } from './cursor.ts';
import { Displays } from './displays.ts';
import type * as py from './nodes.ts';
import * as t from './tokens.ts';

const MAGIC_SYNTAXES = ['line', 'cell', 'shell', 'help'] as const;

interface CallArguments {
  readonly args: readonly py.Expression[];
  readonly keywords: readonly py.Keyword[];
}

export abstract class Primaries extends Displays {
  /** Number of nodes in the outermost expression that deepen the tree without being nested in the text. */
  links = 0;

  /** `x`, `x, y` and `*x, y`, including `yield` and `:=` where they are allowed. */
  abstract expressions(): py.Expression;

  primary(): py.Expression {
    const start = this.start;
    let value = this.#atom();
    for (;;) {
      const kind = this.kind;
      if (kind === t.DOT) {
        this.at++;
        const attr = this.name();
        value = {
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
        value = {
          kind: 'Subscript',
          start,
          end: this.end,
          parent: undefined,
          scope: undefined,
          conditions: undefined,
          definitions: undefined,
          value,
          slice,
        };
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
        return this.number();
      case t.STRING:
      case t.FSTRING_START:
        return this.string();
      case t.LPAR:
        return this.parenthesized();
      case t.LSQB:
        return this.list();
      case t.LBRACE:
        return this.braces();
      case t.NONE:
        return this.constantWord('None', null);
      case t.TRUE:
        return this.constantWord('bool', true);
      case t.FALSE:
        return this.constantWord('bool', false);
      case t.ELLIPSIS:
        return this.constantWord('Ellipsis', undefined);
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
    return {
      kind: 'Magic',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      syntax,
    };
  }

  #repr(): py.Repr {
    const start = this.start;
    this.at++;
    this.isPython2 = true;
    // A backtick does not show whether it opens or closes, so pairs could nest endlessly.
    const value = this.isTooDeep(5) ? this.broken(this.gap) : this.expressions();
    this.depth = Math.max(0, this.depth - 5);
    this.expect(t.BACKTICK, "'`'");
    return {
      kind: 'Repr',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      value,
    };
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
      slice = {
        kind: 'Tuple',
        start,
        end,
        parent: undefined,
        scope: undefined,
        conditions: undefined,
        elts,
      };
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
    return {
      kind: 'Slice',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      lower,
      upper,
      step,
    };
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
        args.push({
          kind: 'Starred',
          start,
          end: this.end,
          parent: undefined,
          scope: undefined,
          conditions: undefined,
          value,
        });
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
}
