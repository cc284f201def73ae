/** The file name at the end of a path expression, with `*` for computed parts. */
import type { Expression, JoinedStr } from '../syntax/nodes.ts';
import type { NameResolution } from './nameResolution.ts';

/** Stands for a computed part. */
const WILDCARD = '*';
/** Maximum number of assignments that are followed. */
const MAX_STEPS = 8;
/** Calls whose last argument is the end of a path. */
const JOINERS = /^(os\.path\.join|posixpath\.join|pathlib\.(Pure)?(Posix|Windows)?Path)$/;

/**
 * The last part of a path, with `*` for computed parts: `best.pt` for `os.path.join(folder, "best.pt")`, `epoch_*.pt`
 * for `f"{folder}/epoch_{n}.pt"`. Undefined if only the suffix is known.
 */
export function fileNameOf(expression: Expression, names: NameResolution): string | undefined {
  const path = endOf(expression, names, 0);
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const stem = name.replace(/\.\w+$/, '');
  return /[A-Za-z0-9]/.test(stem) ? name.replaceAll(/\*+/g, WILDCARD) : undefined;
}

function endOf(expression: Expression, names: NameResolution, steps: number): string {
  if (steps > MAX_STEPS) return WILDCARD;
  const on = (next: Expression) => endOf(next, names, steps + 1);
  switch (expression.kind) {
    case 'Constant':
      if (expression.type === 'str') return expression.value;
      return expression.type === 'int' ? String(expression.value) : WILDCARD;
    case 'JoinedStr':
      return formattedText(expression, on);
    case 'NamedExpr':
      return on(expression.value);
    case 'BinOp':
      if (expression.op === '/') return on(expression.right);
      if (expression.op === '%') return on(expression.left).replaceAll(/%[-+ #0-9.]*[a-z]/gi, WILDCARD);
      return expression.op === '+' ? on(expression.left) + on(expression.right) : WILDCARD;
    case 'Name':
    case 'Attribute': {
      const [only, ...others] = names.definitionsOf(expression);
      return others.length === 0 && only?.kind === 'value' && only.value ? on(only.value) : WILDCARD;
    }
    case 'Call': {
      const { func, args } = expression;
      const last = args.at(-1);
      if (!last || last.kind === 'Starred')
        return func.kind === 'Attribute' && args.length === 0 ? on(func.value) : WILDCARD;
      if (names.qualify(func).some((name) => JOINERS.test(name))) return on(last);
      if (func.kind === 'Name') return func.id === 'str' || func.id === 'open' ? on(args[0] ?? last) : WILDCARD;
      if (func.kind !== 'Attribute') return WILDCARD;
      if (func.attr === 'joinpath') return on(last);
      return func.attr === 'format' ? on(func.value).replaceAll(/\{[^{}]*\}/g, WILDCARD) : WILDCARD;
    }
    default:
      return WILDCARD;
  }
}

const formattedText = ({ values }: JoinedStr, on: (next: Expression) => string): string =>
  values
    .map((value) =>
      value.kind === 'Constant' ? String(value.value) : value.kind === 'FormattedValue' ? on(value.value) : WILDCARD,
    )
    .join('');

/** True if two file names may be equal. */
export function mayBeSameFile(one: string, other: string): boolean {
  if (!one.includes(WILDCARD)) return matcherOf(other).test(one);
  // Two patterns match if their known parts are equal.
  return one === other || (!other.includes(WILDCARD) && matcherOf(one).test(other));
}

const matcherOf = (name: string) => new RegExp(`^${name.split(WILDCARD).map(escaped).join('.*')}$`);

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
