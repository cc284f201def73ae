/** The patterns of `match`. */
import { NOTHING } from './cursor.ts';
import type { Expressions } from './expressions.ts';
import type * as py from './nodes.ts';
import { BITWISE_OR_LEVEL } from './operators.ts';
import * as t from './tokens.ts';

/** Reads the pattern after `case`: an open sequence without brackets is allowed. */
export function readPatterns(p: Expressions): py.Pattern {
  const start = p.start;
  const first = starOrAs(p);
  if (p.kind !== t.COMMA && first.kind !== 'MatchStar') return first;
  const patterns = restOfSequence(p, first, t.COLON);
  return { kind: 'MatchSequence', start, end: p.end, parent: undefined, patterns };
}

/** Reads the rest of a sequence after its first pattern, up to but not including the closing token. */
function restOfSequence(p: Expressions, first: py.Pattern, close: number): py.Pattern[] {
  const patterns = [first];
  while (p.accept(t.COMMA)) {
    if (p.kind === close || p.kind === t.IF) break;
    patterns.push(starOrAs(p));
  }
  return patterns;
}

function starOrAs(p: Expressions): py.Pattern {
  const start = p.start;
  if (!p.accept(t.STAR)) return asPattern(p);
  const name = capturedName(p);
  return { kind: 'MatchStar', start, end: p.end, parent: undefined, name };
}

/** Reads a bound name; undefined for `_`. */
function capturedName(p: Expressions): string | undefined {
  const name = p.name();
  return name === '_' ? undefined : name;
}

function asPattern(p: Expressions): py.Pattern {
  const start = p.start;
  if (p.isTooDeep(5))
    return { kind: 'MatchAs', start, end: start, parent: undefined, pattern: undefined, name: undefined };
  let pattern = closedPattern(p);
  if (p.kind === t.VBAR) {
    const patterns = [pattern];
    while (p.accept(t.VBAR)) patterns.push(closedPattern(p));
    pattern = { kind: 'MatchOr', start, end: p.end, parent: undefined, patterns };
  }
  p.depth -= 5;
  if (!p.accept(t.AS)) return pattern;
  const name = p.name();
  return { kind: 'MatchAs', start, end: p.end, parent: undefined, pattern, name };
}

function closedPattern(p: Expressions): py.Pattern {
  const start = p.start;
  switch (p.kind) {
    case t.NONE:
    case t.TRUE:
    case t.FALSE: {
      const value = p.kind === t.NONE ? null : p.kind === t.TRUE;
      p.at++;
      return { kind: 'MatchSingleton', start, end: p.end, parent: undefined, value };
    }
    case t.LPAR:
      return parenthesizedPattern(p, start);
    case t.LSQB: {
      p.at++;
      const patterns = p.peek(0) === t.RSQB ? [] : restOfSequence(p, starOrAs(p), t.RSQB);
      p.close(t.RSQB);
      return { kind: 'MatchSequence', start, end: p.end, parent: undefined, patterns };
    }
    case t.LBRACE:
      return mappingPattern(p, start);
    case t.NAME:
      return namedPattern(p, start);
    default: {
      const value = p.operators(BITWISE_OR_LEVEL + 1);
      return { kind: 'MatchValue', start, end: p.end, parent: undefined, value };
    }
  }
}

function parenthesizedPattern(p: Expressions, start: number): py.Pattern {
  p.at++;
  if (p.accept(t.RPAR)) return { kind: 'MatchSequence', start, end: p.end, parent: undefined, patterns: NOTHING };
  const first = starOrAs(p);
  if (p.kind !== t.COMMA && first.kind !== 'MatchStar') {
    p.close(t.RPAR);
    return first;
  }
  const patterns = restOfSequence(p, first, t.RPAR);
  p.close(t.RPAR);
  return { kind: 'MatchSequence', start, end: p.end, parent: undefined, patterns };
}

/** A capture, `a.b` or `Class(...)`. */
function namedPattern(p: Expressions, start: number): py.Pattern {
  if (p.peek(1) !== t.DOT && p.peek(1) !== t.LPAR) {
    const name = capturedName(p);
    return { kind: 'MatchAs', start, end: p.end, parent: undefined, pattern: undefined, name };
  }
  const cls = dottedValue(p);
  if (p.kind === t.LPAR) return classPattern(p, start, cls);
  return { kind: 'MatchValue', start, end: p.end, parent: undefined, value: cls };
}

function dottedValue(p: Expressions): py.Expression {
  const start = p.start;
  let value: py.Expression = p.nameNode();
  while (p.accept(t.DOT)) {
    const attr = p.name();
    value = p.attribute(start, value, attr);
  }
  return value;
}

function classPattern(p: Expressions, start: number, cls: py.Expression): py.Pattern {
  p.at++;
  const patterns: py.Pattern[] = [];
  const kwd_attrs: string[] = [];
  const kwd_patterns: py.Pattern[] = [];
  while (p.kind !== t.RPAR) {
    if (p.kind === t.NAME && p.peek(1) === t.EQUAL) {
      kwd_attrs.push(p.name());
      p.at++;
      kwd_patterns.push(asPattern(p));
    } else patterns.push(asPattern(p));
    if (!p.accept(t.COMMA)) break;
  }
  p.close(t.RPAR);
  return { kind: 'MatchClass', start, end: p.end, parent: undefined, cls, patterns, kwd_attrs, kwd_patterns };
}

function mappingPattern(p: Expressions, start: number): py.Pattern {
  p.at++;
  const keys: py.Expression[] = [];
  const patterns: py.Pattern[] = [];
  let rest: string | undefined;
  while (p.kind !== t.RBRACE) {
    if (p.accept(t.DOUBLESTAR)) rest = p.name();
    else {
      keys.push(p.operators(BITWISE_OR_LEVEL));
      p.expect(t.COLON, "':'");
      patterns.push(asPattern(p));
    }
    if (!p.accept(t.COMMA)) break;
  }
  p.close(t.RBRACE);
  return { kind: 'MatchMapping', start, end: p.end, parent: undefined, keys, patterns, rest };
}
