/** Resolves the callee of a call. */
import type { Call, Expression } from '../syntax/nodes.ts';
import type { Reference } from './annotations.ts';
import { type Argument, argumentsOf } from './arguments.ts';
import type { Definition } from './scopes.ts';

/** The final callee and its arguments, resolved through `functools.partial`. */
export interface Callee {
  /** Dotted names that the called expression may stand for. */
  readonly qualified: readonly string[];
  /** Arguments bound by a partial come first. */
  readonly args: readonly Argument[];
}

const PARTIAL = 'functools.partial';

type Qualify = (expression: Expression) => readonly string[];
type DefinitionsOf = (reference: Reference) => readonly Definition[];

export function resolveCallee(call: Call, qualify: Qualify, definitionsOf: DefinitionsOf): Callee {
  const direct = qualify(call.func);
  const args = argumentsOf(call);
  if (direct.length > 0) return { qualified: direct, args };
  const partial = partialBehind(call.func, qualify, definitionsOf);
  if (!partial) return { qualified: direct, args };
  const [inner, ...bound] = argumentsOf(partial);
  return { qualified: inner ? qualify(inner.value) : [], args: [...bound, ...args] };
}

function partialBehind(func: Expression, qualify: Qualify, definitionsOf: DefinitionsOf): Call | undefined {
  if (func.kind === 'Call') return qualify(func.func).includes(PARTIAL) ? func : undefined;
  if (func.kind !== 'Name' && func.kind !== 'Attribute') return undefined;
  for (const { kind, value } of definitionsOf(func)) {
    if (kind === 'value' && value?.kind === 'Call' && qualify(value.func).includes(PARTIAL)) return value;
  }
  return undefined;
}
