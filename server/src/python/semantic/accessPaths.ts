/** Access paths: the expression that reaches a value, such as `args.cuda` or `config["gpu"]`, as one string. */
import type { Attribute, Call, Expression, Name, Subscript } from '../syntax/nodes.ts';
import { stringOf } from './literals.ts';

/**
 * The path of a name, attribute or item with a literal key: `args.cuda`, `config["gpu"]`. Undefined for computed
 * expressions. Quotes are normalized, so two spellings of one path are equal.
 */
export function pathOf(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'Name':
      return expression.id;
    case 'Attribute': {
      const base = pathOf(expression.value);
      return base === undefined ? undefined : `${base}.${expression.attr}`;
    }
    case 'Subscript': {
      const base = pathOf(expression.value);
      const key = stringOf(expression.slice);
      return base === undefined || key === undefined ? undefined : `${base}[${JSON.stringify(key)}]`;
    }
    default:
      return undefined;
  }
}

/** The name that a path starts with, if it starts with one. */
export function rootOf(expression: Expression): Name | undefined {
  let at: Expression = expression;
  while (at.kind === 'Attribute' || at.kind === 'Subscript') at = at.value;
  return at.kind === 'Name' ? at : undefined;
}

/** The last part of a callee: `load` in `torch.load(f)`; empty if the callee is computed. */
export function calledName({ func }: Call): string {
  return func.kind === 'Attribute' ? func.attr : func.kind === 'Name' ? func.id : '';
}

/** The last part of a name, attribute or item: `cuda` in `args.cuda` and in `config["cuda"]`. */
export function lastPartOf(expression: Name | Attribute | Subscript): string | undefined {
  if (expression.kind === 'Name') return expression.id;
  if (expression.kind === 'Attribute') return expression.attr;
  return stringOf(expression.slice);
}
