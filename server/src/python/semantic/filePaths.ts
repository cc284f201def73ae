/** The file that an expression names, if the program alone determines it. */

import type { Call, Expression, JoinedStr } from '../syntax/nodes.ts';
import type { Reference } from './annotations.ts';
import { type Argument, argumentsOf } from './arguments.ts';
import { numberOf } from './literals.ts';
import type { NameResolution } from './nameResolution.ts';

/** A path as the program spells it, joined with `/`. */
export interface FilePath {
  readonly text: string;
  /** The base of a relative path: the program's own folder, or the working directory. */
  readonly from: 'program' | 'anywhere';
}

/** The information used to resolve a path: names, their values, and the program's location. */
interface PathContext {
  readonly names: NameResolution;
  readonly source: { readonly path: string };
}

/** Maximum number of assignments that are followed. */
const MAX_STEPS = 16;

/**
 * The constant path of an expression: literals and constants joined by `os.path` and `pathlib`, f-strings and
 * `__file__`. Undefined if an option, a caller or the environment may change it.
 */
export function filePathOf(expression: Expression, program: PathContext, steps = 0): FilePath | undefined {
  if (steps > MAX_STEPS) return undefined;
  const on = (next: Expression) => filePathOf(next, program, steps + 1);
  switch (expression.kind) {
    case 'Constant':
      return expression.type === 'str' ? anywhere(expression.value) : undefined;
    case 'JoinedStr':
      return formattedPath(expression, on);
    case 'NamedExpr':
      return on(expression.value);
    case 'BinOp': {
      const [left, right] = [on(expression.left), on(expression.right)];
      if (!left || !right) return undefined;
      if (expression.op === '/') return joined([left, right]);
      return expression.op === '+' ? { ...left, text: left.text + right.text } : undefined;
    }
    case 'Name':
      if (expression.id === '__file__') return programPath(program);
      return pathOfConstant(expression, program, on);
    case 'Attribute':
      if (expression.attr === 'parent') return parentPath(expression.value, 1, on);
      return pathOfConstant(expression, program, on);
    case 'Subscript': {
      const { value, slice } = expression;
      const level = numberOf(slice);
      if (value.kind === 'Attribute' && value.attr === 'parents' && level !== undefined)
        return parentPath(value.value, level + 1, on);
      return pathOfConstant(expression, program, on);
    }
    case 'Call':
      return pathOfCall(expression, program, on);
    default:
      return undefined;
  }
}

type Follow = (expression: Expression) => FilePath | undefined;

const anywhere = (text: string): FilePath => ({ text, from: 'anywhere' });

const CURRENT = anywhere('.');

function programPath({ source: { path } }: PathContext): FilePath {
  return { text: path.split(/[\\/]/).at(-1) ?? '', from: 'program' };
}

/** The value of a name with a single assignment. */
function pathOfConstant(use: Reference, { names }: PathContext, on: Follow): FilePath | undefined {
  const [only, ...others] = names.definitionsOf(use);
  return others.length === 0 && only?.kind === 'value' && only.value ? on(only.value) : undefined;
}

const JOINERS = new Set(['os.path.join', 'pathlib.Path', 'pathlib.PurePath', 'pathlib.PosixPath']);
/** Functions whose result names the same file as their first argument. */
const SAME_FILE_FUNCTIONS = new Set(
  `os.path.abspath os.path.realpath os.path.normpath os.fspath os.fsdecode str open io.open`.split(' '),
);
/** Methods whose result names the same file as their receiver. */
const SAME_FILE_METHODS = new Set('resolve absolute as_posix open'.split(' '));
const WORKING_DIRECTORY = new Set(['os.getcwd', 'pathlib.Path.cwd']);

function pathOfCall(call: Call, { names }: PathContext, on: Follow): FilePath | undefined {
  const { func } = call;
  const args = argumentsOf(call);
  const qualified = names.qualify(func);
  // `str` and `open` are builtins unless the program defines them.
  const name =
    func.kind === 'Name' && qualified.length === 0 && names.definitionsOf(func).length === 0 ? func.id : qualified[0];
  if (qualified.length > 1) return undefined;
  const [first] = args;
  if (name !== undefined && WORKING_DIRECTORY.has(name)) return CURRENT;
  if (name !== undefined && JOINERS.has(name)) return joinedArguments([], args, on);
  if (name !== undefined && SAME_FILE_FUNCTIONS.has(name)) return first && !first.star ? on(first.value) : undefined;
  if (name === 'os.path.dirname') return first ? parentPath(first.value, 1, on) : undefined;
  if (func.kind !== 'Attribute' || qualified.length > 0) return undefined;
  if (SAME_FILE_METHODS.has(func.attr)) return on(func.value);
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

/** Joins parts as Python does: an absolute part discards all parts before it. */
function joined(parts: readonly FilePath[]): FilePath {
  let path = CURRENT;
  for (const part of parts) {
    if (part.text === '' && part.from === 'anywhere') continue;
    const startsOver = path === CURRENT || part.from === 'program' || /^([\\/]|[A-Za-z]:)/.test(part.text);
    path = startsOver ? part : { ...path, text: `${path.text.replace(/[\\/]$/, '')}/${part.text}` };
  }
  return path;
}

function parentPath(child: Expression, levels: number, on: Follow): FilePath | undefined {
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

/** The text of an f-string with its constants filled in. */
function formattedPath({ values }: JoinedStr, on: Follow): FilePath | undefined {
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
