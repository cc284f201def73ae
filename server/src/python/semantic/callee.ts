import type { Argument, Call, Expression } from '../syntax.ts';
import type { Names } from './nameResolution.ts';

/** A call seen through `functools.partial`: what is called in the end, and with which arguments. */
export interface Callee {
  /** Dotted names that the called expression may stand for. */
  readonly qualified: readonly string[];
  /** Arguments bound by a partial come first. */
  readonly args: readonly Argument[];
}

const PARTIAL = 'functools.partial';

export function resolveCallee(call: Call, qualify: Names['qualify'], definitionsOf: Names['definitionsOf']): Callee {
  const direct = qualify(call.func);
  if (direct.length > 0) return { qualified: direct, args: call.args };
  const partial = partialBehind(call.func, qualify, definitionsOf);
  if (!partial) return { qualified: direct, args: call.args };
  const [inner, ...bound] = partial.args;
  return { qualified: inner ? qualify(inner.value) : [], args: [...bound, ...call.args] };
}

function partialBehind(
  func: Expression,
  qualify: Names['qualify'],
  definitionsOf: Names['definitionsOf'],
): Call | undefined {
  if (func.kind === 'Call') return qualify(func.func).includes(PARTIAL) ? func : undefined;
  if (func.kind !== 'Name' && func.kind !== 'Attribute') return undefined;
  for (const { kind, value } of definitionsOf(func)) {
    if (kind === 'value' && value?.kind === 'Call' && qualify(value.func).includes(PARTIAL)) return value;
  }
  return undefined;
}

/**
 * The argument for a parameter, given by keyword or position (from 0). `maybe` when an unpacked argument may carry it.
 */
export function argumentFor(
  args: readonly Argument[],
  parameter: string,
  position: number | undefined,
): { readonly argument?: Argument; readonly maybe: boolean } {
  // What a call says itself overrides what a partial bound before.
  const byKeyword = args.findLast((arg) => arg.name === parameter);
  if (byKeyword) return { argument: byKeyword, maybe: false };
  if (args.some((arg) => arg.star)) return { maybe: true };
  const positional = args.filter((arg) => arg.name === undefined);
  const argument = position === undefined ? undefined : positional[position];
  return argument ? { argument, maybe: false } : { maybe: false };
}
