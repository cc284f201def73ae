/** The patterns of `match`. */
import { NOTHING } from './cursor.ts';
import { Expressions } from './expressions.ts';
import type * as py from './nodes.ts';
import { BITWISE_OR_LEVEL } from './operators.ts';
import * as t from './tokens.ts';

export abstract class Patterns extends Expressions {
  /** Reads the pattern after `case`: an open sequence without brackets is allowed. */
  patterns(): py.Pattern {
    const start = this.start;
    const first = this.#starOrAs();
    if (this.kind !== t.COMMA && first.kind !== 'MatchStar') return first;
    const patterns = this.#sequence(first, t.COLON);
    return { kind: 'MatchSequence', start, end: this.end, parent: undefined, patterns };
  }

  /** Reads the rest of a sequence after its first pattern, up to but not including the closing token. */
  #sequence(first: py.Pattern, close: number): py.Pattern[] {
    const patterns = [first];
    while (this.accept(t.COMMA)) {
      if (this.kind === close || this.kind === t.IF) break;
      patterns.push(this.#starOrAs());
    }
    return patterns;
  }

  #starOrAs(): py.Pattern {
    const start = this.start;
    if (!this.accept(t.STAR)) return this.#as();
    const name = this.#captured();
    return { kind: 'MatchStar', start, end: this.end, parent: undefined, name };
  }

  /** Reads a bound name; undefined for `_`. */
  #captured(): string | undefined {
    const name = this.name();
    return name === '_' ? undefined : name;
  }

  #as(): py.Pattern {
    const start = this.start;
    if (this.isTooDeep(5))
      return { kind: 'MatchAs', start, end: start, parent: undefined, pattern: undefined, name: undefined };
    let pattern = this.#closed();
    if (this.kind === t.VBAR) {
      const patterns = [pattern];
      while (this.accept(t.VBAR)) patterns.push(this.#closed());
      pattern = { kind: 'MatchOr', start, end: this.end, parent: undefined, patterns };
    }
    this.depth -= 5;
    if (!this.accept(t.AS)) return pattern;
    const name = this.name();
    return { kind: 'MatchAs', start, end: this.end, parent: undefined, pattern, name };
  }

  #closed(): py.Pattern {
    const start = this.start;
    switch (this.kind) {
      case t.NONE:
      case t.TRUE:
      case t.FALSE: {
        const value = this.kind === t.NONE ? null : this.kind === t.TRUE;
        this.at++;
        return { kind: 'MatchSingleton', start, end: this.end, parent: undefined, value };
      }
      case t.LPAR:
        return this.#parenthesizedPattern(start);
      case t.LSQB: {
        this.at++;
        const patterns = this.peek(0) === t.RSQB ? [] : this.#sequence(this.#starOrAs(), t.RSQB);
        this.close(t.RSQB);
        return { kind: 'MatchSequence', start, end: this.end, parent: undefined, patterns };
      }
      case t.LBRACE:
        return this.#mapping(start);
      case t.NAME:
        return this.#named(start);
      default: {
        const value = this.operators(BITWISE_OR_LEVEL + 1);
        return { kind: 'MatchValue', start, end: this.end, parent: undefined, value };
      }
    }
  }

  #parenthesizedPattern(start: number): py.Pattern {
    this.at++;
    if (this.accept(t.RPAR))
      return { kind: 'MatchSequence', start, end: this.end, parent: undefined, patterns: NOTHING };
    const first = this.#starOrAs();
    if (this.kind !== t.COMMA && first.kind !== 'MatchStar') {
      this.close(t.RPAR);
      return first;
    }
    const patterns = this.#sequence(first, t.RPAR);
    this.close(t.RPAR);
    return { kind: 'MatchSequence', start, end: this.end, parent: undefined, patterns };
  }

  /** A capture, `a.b` or `Class(...)`. */
  #named(start: number): py.Pattern {
    if (this.peek(1) !== t.DOT && this.peek(1) !== t.LPAR) {
      const name = this.#captured();
      return { kind: 'MatchAs', start, end: this.end, parent: undefined, pattern: undefined, name };
    }
    const cls = this.#dotted();
    if (this.kind === t.LPAR) return this.#class(start, cls);
    return { kind: 'MatchValue', start, end: this.end, parent: undefined, value: cls };
  }

  #dotted(): py.Expression {
    const start = this.start;
    let value: py.Expression = this.nameNode();
    while (this.accept(t.DOT)) {
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
    }
    return value;
  }

  #class(start: number, cls: py.Expression): py.Pattern {
    this.at++;
    const patterns: py.Pattern[] = [];
    const kwd_attrs: string[] = [];
    const kwd_patterns: py.Pattern[] = [];
    while (this.kind !== t.RPAR) {
      if (this.kind === t.NAME && this.peek(1) === t.EQUAL) {
        kwd_attrs.push(this.name());
        this.at++;
        kwd_patterns.push(this.#as());
      } else patterns.push(this.#as());
      if (!this.accept(t.COMMA)) break;
    }
    this.close(t.RPAR);
    return { kind: 'MatchClass', start, end: this.end, parent: undefined, cls, patterns, kwd_attrs, kwd_patterns };
  }

  #mapping(start: number): py.Pattern {
    this.at++;
    const keys: py.Expression[] = [];
    const patterns: py.Pattern[] = [];
    let rest: string | undefined;
    while (this.kind !== t.RBRACE) {
      if (this.accept(t.DOUBLESTAR)) rest = this.name();
      else {
        keys.push(this.operators(BITWISE_OR_LEVEL));
        this.expect(t.COLON, "':'");
        patterns.push(this.#as());
      }
      if (!this.accept(t.COMMA)) break;
    }
    this.close(t.RBRACE);
    return { kind: 'MatchMapping', start, end: this.end, parent: undefined, keys, patterns, rest };
  }
}
