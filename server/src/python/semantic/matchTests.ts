/** `match` cases rewritten as comparisons. */
import type { Compare, ComparisonOperator, Constant, Expression, MatchSingleton, Pattern } from '../syntax/nodes.ts';

/** Returns `subject == a or subject == b` for `case a | b:`; undefined for patterns that destructure the subject. */
export function testOf(subject: Expression, pattern: Pattern): Expression | undefined {
  switch (pattern.kind) {
    case 'MatchValue':
      return comparison(subject, '==', pattern.value);
    case 'MatchSingleton':
      return comparison(subject, 'is', constantOf(pattern));
    case 'MatchAs':
      return pattern.pattern && testOf(subject, pattern.pattern);
    case 'MatchOr': {
      const values: Expression[] = [];
      for (const each of pattern.patterns) {
        const test = testOf(subject, each);
        if (!test) return undefined;
        values.push(test);
      }
      const { start, end } = pattern;
      return { kind: 'BoolOp', start, end, parent: undefined, op: 'or', values };
    }
    default:
      return undefined;
  }
}

/** True for `_`, a bare name, and an or-pattern that contains one of them. */
export function matchesAll(pattern: Pattern): boolean {
  if (pattern.kind === 'MatchAs') return pattern.pattern === undefined || matchesAll(pattern.pattern);
  return pattern.kind === 'MatchOr' && pattern.patterns.some(matchesAll);
}

function comparison(left: Expression, op: ComparisonOperator, right: Expression): Compare {
  const { start, end } = right;
  return { kind: 'Compare', start, end, parent: undefined, left, ops: [op], comparators: [right] };
}

function constantOf({ start, end, value }: MatchSingleton): Constant {
  const own = { kind: 'Constant', start, end, parent: undefined } as const;
  return value === null ? { ...own, type: 'None', value } : { ...own, type: 'bool', value };
}
