/** The parameters of functions and lambdas. */
import { NOTHING } from './cursor.ts';
import { Literals } from './literals.ts';
import type * as py from './nodes.ts';
import * as t from './tokens.ts';

export abstract class Parameters extends Literals {
  abstract expression(): py.Expression;
  abstract starred(): py.Starred;

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
