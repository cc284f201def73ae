/** The name of the file that an expression leads to, as far as the program settles it. */
import type { Expression, JoinedStr } from '../syntax/nodes.ts';
import type { NameResolution } from './nameResolution.ts';

/** Stands for what is computed. */
const HOLE = '*';
/** Assignments that lead to assignments are followed this far. */
const FARTHEST = 8;
/** Calls whose last argument is the end of a path. */
const JOINING = /^(os\.path\.join|posixpath\.join|pathlib\.(Pure)?(Posix|Windows)?Path)$/;

/**
 * The last part of a path, `*` for what is computed of it: `best.pt` of `os.path.join(folder, "best.pt")`, `epoch_*.pt` of
 * `f"{folder}/epoch_{n}.pt"`. Undefined where nothing but the suffix is settled.
 */
export function fileNameOf(expression: Expression, names: NameResolution): string | undefined {
  const path = endOf(expression, names, 0);
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const stem = name.replace(/\.\w+$/, '');
  return /[A-Za-z0-9]/.test(stem) ? name.replaceAll(/\*+/g, HOLE) : undefined;
}

function endOf(expression: Expression, names: NameResolution, steps: number): string {
  if (steps > FARTHEST) return HOLE;
  const on = (next: Expression) => endOf(next, names, steps + 1);
  switch (expression.kind) {
    case 'Constant':
      if (expression.type === 'str') return expression.value;
      return expression.type === 'int' ? String(expression.value) : HOLE;
    case 'JoinedStr':
      return ofFormatted(expression, on);
    case 'NamedExpr':
      return on(expression.value);
    case 'BinOp':
      if (expression.op === '/') return on(expression.right);
      if (expression.op === '%') return on(expression.left).replaceAll(/%[-+ #0-9.]*[a-z]/gi, HOLE);
      return expression.op === '+' ? on(expression.left) + on(expression.right) : HOLE;
    case 'Name':
    case 'Attribute': {
      const [only, ...others] = names.definitionsOf(expression);
      return others.length === 0 && only?.kind === 'value' && only.value ? on(only.value) : HOLE;
    }
    case 'Call': {
      const { func, args } = expression;
      const last = args.at(-1);
      if (!last || last.kind === 'Starred')
        return func.kind === 'Attribute' && args.length === 0 ? on(func.value) : HOLE;
      if (names.qualify(func).some((name) => JOINING.test(name))) return on(last);
      if (func.kind === 'Name') return func.id === 'str' || func.id === 'open' ? on(args[0] ?? last) : HOLE;
      if (func.kind !== 'Attribute') return HOLE;
      if (func.attr === 'joinpath') return on(last);
      return func.attr === 'format' ? on(func.value).replaceAll(/\{[^{}]*\}/g, HOLE) : HOLE;
    }
    default:
      return HOLE;
  }
}

const ofFormatted = ({ values }: JoinedStr, on: (next: Expression) => string): string =>
  values
    .map((value) =>
      value.kind === 'Constant' ? String(value.value) : value.kind === 'FormattedValue' ? on(value.value) : HOLE,
    )
    .join('');

/** True where two file names may be the same one. */
export function mayBeSameFile(one: string, other: string): boolean {
  if (!one.includes(HOLE)) return matcherOf(other).test(one);
  // Of two patterns, where their settled parts are the same.
  return one === other || (!other.includes(HOLE) && matcherOf(one).test(other));
}

const matcherOf = (name: string) => new RegExp(`^${name.split(HOLE).map(escaped).join('.*')}$`);

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
