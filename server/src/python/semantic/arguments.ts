/** The arguments of calls and the parameters of functions, each as one list in source order. */
import type { Arg, Arguments, Call, Expression, Keyword, Node } from '../syntax/nodes.ts';

export interface Argument {
  /** The keyword, for `name=value`. */
  readonly name: string | undefined;
  /** `*` or `**`, for an unpacked argument. */
  readonly star: '*' | '**' | undefined;
  readonly value: Expression;
  /** The call that contains it. */
  readonly call: Call;
  /** The span, including the name or the stars. */
  readonly start: number;
  readonly end: number;
}

/** Positional and keyword arguments, in source order. */
export function argumentsOf(call: Call): readonly Argument[] {
  const { args, keywords } = call;
  const found = args.map((node) => positionalArgument(call, node));
  if (keywords.length === 0) return found;
  for (const keyword of keywords) found.push(keywordArgument(call, keyword));
  // Keywords come last, except in `f(a=1, *more)`.
  const isInOrder = (args.at(-1)?.start ?? 0) < (keywords[0]?.start ?? 0);
  return isInOrder ? found : found.sort((a, b) => a.start - b.start);
}

function positionalArgument(call: Call, node: Expression): Argument {
  const isStarred = node.kind === 'Starred';
  const { start, end } = node;
  return { name: undefined, star: isStarred ? '*' : undefined, value: isStarred ? node.value : node, call, start, end };
}

function keywordArgument(call: Call, { arg, value, start, end }: Keyword): Argument {
  return { name: arg, star: arg === undefined ? '**' : undefined, value, call, start, end };
}

/** The expression as an argument of a call. */
export function argumentOf(expression: Node): Argument | undefined {
  const { parent } = expression;
  const around = parent?.kind === 'keyword' || parent?.kind === 'Starred' ? parent : expression;
  const call = around.parent;
  if (call?.kind !== 'Call' || call.func === around) return undefined;
  if (around.kind === 'keyword') return keywordArgument(call, around);
  return positionalArgument(call, around as Expression);
}

/** The value that a call passes for a keyword. */
export function keywordOf(call: Call, name: string): Expression | undefined {
  for (const { arg, value } of call.keywords) if (arg === name) return value;
  return undefined;
}

/** The first argument, if it is positional and not unpacked. */
export function firstPositional({ args: [first] }: Call): Expression | undefined {
  return first?.kind === 'Starred' ? undefined : first;
}

/**
 * The argument for a parameter, passed by keyword or by position (from 0). `maybe` if an unpacked argument may contain
 * it.
 */
export function argumentFor(
  args: readonly Argument[],
  parameter: string,
  position: number | undefined,
): { readonly argument?: Argument; readonly maybe: boolean } {
  // The call's own arguments override those bound by a partial.
  const byKeyword = args.findLast((arg) => arg.name === parameter);
  if (byKeyword) return { argument: byKeyword, maybe: false };
  if (args.some((arg) => arg.star)) return { maybe: true };
  const positional = args.filter((arg) => arg.name === undefined);
  const argument = position === undefined ? undefined : positional[position];
  return argument ? { argument, maybe: false } : { maybe: false };
}

/** The call that an expression is an argument of: positional, keyword or unpacked. */
export const callTaking = (expression: Node): Call | undefined => argumentOf(expression)?.call;

interface Parameter {
  readonly name: string;
  readonly star: '*' | '**' | undefined;
  readonly annotation: Expression | undefined;
  readonly default: Expression | undefined;
  readonly node: Arg;
}

/** All parameters, in source order. */
export function parametersOf(parameters: Arguments): readonly Parameter[] {
  const { posonlyargs, args, vararg, kwonlyargs, kw_defaults, kwarg, defaults } = parameters;
  const found: Parameter[] = [];
  const add = (node: Arg, star: Parameter['star'], byDefault: Expression | undefined) =>
    found.push({ name: node.arg, star, annotation: node.annotation, default: byDefault, node });
  const first = posonlyargs.length + args.length - defaults.length;
  for (const node of posonlyargs) add(node, undefined, defaults[found.length - first]);
  for (const node of args) add(node, undefined, defaults[found.length - first]);
  if (vararg) add(vararg, '*', undefined);
  for (const [index, node] of kwonlyargs.entries()) add(node, undefined, kw_defaults[index]);
  if (kwarg) add(kwarg, '**', undefined);
  return found;
}
