/** Which file an expression names, where the program itself settles it. */

import type { Call, Expression, JoinedStr } from '../syntax/nodes.ts';
import type { Reference } from './annotations.ts';
import { type Argument, argumentsOf } from './arguments.ts';
import { numberOf } from './literals.ts';
import type { NameResolution } from './nameResolution.ts';

/** A path as the program spells it, put together with `/`. */
export interface FilePath {
  readonly text: string;
  /** Where a relative path starts: in the program's own folder, or wherever the program is run. */
  readonly from: 'program' | 'anywhere';
}

/** What a path is made of: names, what they stand for, and where the program lies. */
export interface PathContext {
  readonly names: NameResolution;
  readonly source: { readonly path: string };
}

/** Assignments that lead to assignments are followed this far. */
const FARTHEST = 16;

/**
 * The path that an expression always has: of literals and constants put together with `os.path` and `pathlib`, f-strings
 * and `__file__`. Undefined for what an option, a caller or the environment may change.
 */
export function filePathOf(expression: Expression, program: PathContext, steps = 0): FilePath | undefined {
  if (steps > FARTHEST) return undefined;
  const on = (next: Expression) => filePathOf(next, program, steps + 1);
  switch (expression.kind) {
    case 'Constant':
      return expression.type === 'str' ? anywhere(expression.value) : undefined;
    case 'JoinedStr':
      return ofFormatted(expression, on);
    case 'NamedExpr':
      return on(expression.value);
    case 'BinOp': {
      const [left, right] = [on(expression.left), on(expression.right)];
      if (!left || !right) return undefined;
      if (expression.op === '/') return joined([left, right]);
      return expression.op === '+' ? { ...left, text: left.text + right.text } : undefined;
    }
    case 'Name':
      if (expression.id === '__file__') return ownPath(program);
      return ofConstant(expression, program, on);
    case 'Attribute':
      if (expression.attr === 'parent') return ofParent(expression.value, 1, on);
      return ofConstant(expression, program, on);
    case 'Subscript': {
      const { value, slice } = expression;
      const level = numberOf(slice);
      if (value.kind === 'Attribute' && value.attr === 'parents' && level !== undefined)
        return ofParent(value.value, level + 1, on);
      return ofConstant(expression, program, on);
    }
    case 'Call':
      return ofCall(expression, program, on);
    default:
      return undefined;
  }
}

type Follow = (expression: Expression) => FilePath | undefined;

const anywhere = (text: string): FilePath => ({ text, from: 'anywhere' });

const CURRENT = anywhere('.');

function ownPath({ source: { path } }: PathContext): FilePath {
  return { text: path.split(/[\\/]/).at(-1) ?? '', from: 'program' };
}

/** The value of a name that is assigned once. */
function ofConstant(use: Reference, { names }: PathContext, on: Follow): FilePath | undefined {
  const [only, ...others] = names.definitionsOf(use);
  return others.length === 0 && only?.kind === 'value' && only.value ? on(only.value) : undefined;
}

const JOINING = new Set(['os.path.join', 'pathlib.Path', 'pathlib.PurePath', 'pathlib.PosixPath']);
/** Functions whose path leads to the file of their first argument. */
const PASSING = new Set(
  `os.path.abspath os.path.realpath os.path.normpath os.fspath os.fsdecode str open io.open`.split(' '),
);
/** Methods whose path leads to the file that they are called on. */
const PASSING_METHODS = new Set('resolve absolute as_posix open'.split(' '));
const HERE = new Set(['os.getcwd', 'pathlib.Path.cwd']);

function ofCall(call: Call, { names }: PathContext, on: Follow): FilePath | undefined {
  const { func } = call;
  const args = argumentsOf(call);
  const qualified = names.qualify(func);
  // `str` and `open` are nobody's attributes; what the program calls so itself is defined.
  const name =
    func.kind === 'Name' && qualified.length === 0 && names.definitionsOf(func).length === 0 ? func.id : qualified[0];
  if (qualified.length > 1) return undefined;
  const [first] = args;
  if (name !== undefined && HERE.has(name)) return CURRENT;
  if (name !== undefined && JOINING.has(name)) return joinedArguments([], args, on);
  if (name !== undefined && PASSING.has(name)) return first && !first.star ? on(first.value) : undefined;
  if (name === 'os.path.dirname') return first ? ofParent(first.value, 1, on) : undefined;
  if (func.kind !== 'Attribute' || qualified.length > 0) return undefined;
  if (PASSING_METHODS.has(func.attr)) return on(func.value);
  const base = func.attr === 'joinpath' ? on(func.value) : undefined;
  return base && joinedArguments([base], args, on);
}

function joinedArguments(before: readonly FilePath[], args: readonly Argument[], on: Follow): FilePath | undefined {
  const parts = [...before];
  for (const { name, star, value } of args) {
    const part = name === undefined && star === undefined ? on(value) : undefined;
    if (!part) return undefined;
    parts.push(part);
  }
  return joined(parts);
}

/** As Python joins: an absolute part starts over. */
function joined(parts: readonly FilePath[]): FilePath {
  let path = CURRENT;
  for (const part of parts) {
    if (part.text === '' && part.from === 'anywhere') continue;
    const startsOver = path === CURRENT || part.from === 'program' || /^([\\/]|[A-Za-z]:)/.test(part.text);
    path = startsOver ? part : { ...path, text: `${path.text.replace(/[\\/]$/, '')}/${part.text}` };
  }
  return path;
}

function ofParent(child: Expression, levels: number, on: Follow): FilePath | undefined {
  const path = on(child);
  if (!path) return undefined;
  let { text } = path;
  for (let level = 0; level < levels; level++) text = parentOf(text);
  return { ...path, text };
}

function parentOf(text: string): string {
  const trimmed = text.replace(/[\\/]+$/, '');
  if (trimmed === '') return text;
  if (trimmed === '.') return '..';
  if (/(^|[\\/])\.\.$/.test(trimmed)) return `${trimmed}/..`;
  const at = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\'));
  return at === -1 ? '.' : at === 0 ? '/' : trimmed.slice(0, at);
}

/** The text of an f-string, with the constants in its braces filled in. */
function ofFormatted({ values }: JoinedStr, on: Follow): FilePath | undefined {
  let text = '';
  for (const value of values) {
    if (value.kind === 'Constant') text += value.value;
    else {
      const isPlain = value.kind === 'FormattedValue' && value.conversion === undefined && !value.format_spec;
      const filled = isPlain ? on(value.value) : undefined;
      if (filled?.from !== 'anywhere') return undefined;
      text += filled.text;
    }
  }
  return anywhere(text);
}
