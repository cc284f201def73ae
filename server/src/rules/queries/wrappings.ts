/** Wrappers around models that put a prefix before the names of their parameters. */

import type { Program } from '../../guards/program.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import type { Call, ClassDef, Expression } from '../../python/syntax/nodes.ts';
import { NO_LOADERS } from '../engine/selector.ts';
import { loadersOf } from './loaderCalls.ts';
import { isModel } from './moduleValues.ts';
import { saversOf } from './savedPaths.ts';

/** The prefix of a wrapper; empty for a bare model. */
export type Wrapping = '' | 'module.' | '_orig_mod.';

/** The wrappers, as messages name them. */
export const WRAPPERS: Readonly<Record<Exclude<Wrapping, ''>, string>> = {
  'module.': 'DataParallel',
  '_orig_mod.': 'torch.compile',
};

const PARALLEL = /^torch\.nn\.(parallel\.(\w+\.)*)?(DataParallel|DistributedDataParallel)$/;
/** Methods of models that return the model. */
const CHAINING = /^(to|cuda|cpu|eval|train|float|half|double|bfloat16|requires_grad_)$/;
/** Assignments that lead to assignments are followed this far. */
const FARTHEST = 6;

/** How the model that an expression holds wraps names; undefined where the program does not settle it. */
export function wrappingOf(model: Expression, program: Program, steps = 0): Wrapping | undefined {
  if (steps > FARTHEST) return undefined;
  const on = (next: Expression) => wrappingOf(next, program, steps + 1);
  switch (model.kind) {
    case 'Call': {
      const names = program.names.qualify(model.func);
      if (names.some((name) => PARALLEL.test(name))) return 'module.';
      if (names.includes('torch.compile')) return '_orig_mod.';
      if (model.func.kind === 'Attribute' && names.length === 0 && CHAINING.test(model.func.attr))
        return on(model.func.value);
      return makesBareModel(model, program) ? '' : undefined;
    }
    case 'Attribute':
      if (model.attr === 'module' || model.attr === '_orig_mod') return on(model.value) === undefined ? undefined : '';
      return ofDefinitions(model, program, on);
    case 'Name':
      return ofDefinitions(model, program, on);
    default:
      return undefined;
  }
}

function ofDefinitions(
  use: Extract<Expression, { kind: 'Name' | 'Attribute' }>,
  program: Program,
  on: (next: Expression) => Wrapping | undefined,
): Wrapping | undefined {
  const found = program.names
    .definitionsOf(use)
    .map(({ kind, value }) => (kind === 'value' && value ? on(value) : undefined));
  const [first] = found;
  return found.every((each) => each === first) ? first : undefined;
}

/** True for a class of models that is made here: one without a submodule called `module`. */
function makesBareModel(call: Call, program: Program): boolean {
  if (!isModel(call, program)) return false;
  const declaration = program.names.declarationOf(call.func);
  return declaration?.kind !== 'ClassDef' || !hasModule(declaration, program);
}

const hasModule = ({ start, end }: ClassDef, { text }: Program) =>
  /\bself\.(module|_orig_mod)\b/.test(text.slice(start, end));

/** How the names in a loaded state are wrapped, by everything that the program saves in its place. */
export function savedWrapping(state: Expression, program: Program): { wrapping: Wrapping; call: Call } | undefined {
  const source = sourceOf(state, program, undefined, 0);
  const path = source?.load.args[0];
  const savers = source && path ? saversOf(path, program) : [];
  const found = savers.map(({ value }) => value && wrappingSaved(value, source?.key, program));
  const [first] = found;
  const call = savers[0]?.call;
  return first !== undefined && call && found.every((each) => each === first) ? { wrapping: first, call } : undefined;
}

/** The load that a state comes from, and the key under which. */
function sourceOf(
  state: Expression,
  program: Program,
  key: string | undefined,
  steps: number,
): { load: Call; key: string | undefined } | undefined {
  if (steps > FARTHEST) return undefined;
  if (state.kind === 'Subscript') {
    const own = stringOf(state.slice);
    return own === undefined || key !== undefined ? undefined : sourceOf(state.value, program, own, steps + 1);
  }
  if (state.kind === 'Call') return loadersOf(state, program, NO_LOADERS).length > 0 ? { load: state, key } : undefined;
  if (state.kind !== 'Name') return undefined;
  const [only, other] = program.names.definitionsOf(state);
  if (only?.kind !== 'value' || !only.value || other) return undefined;
  return sourceOf(only.value, program, key, steps + 1);
}

/** How `model.state_dict()`, or the entry of a dictionary that holds it, wraps names. */
function wrappingSaved(value: Expression, key: string | undefined, program: Program, steps = 0): Wrapping | undefined {
  if (steps > FARTHEST) return undefined;
  if (value.kind === 'Name') {
    const [only, other] = program.names.definitionsOf(value);
    return only?.kind === 'value' && only.value && !other
      ? wrappingSaved(only.value, key, program, steps + 1)
      : undefined;
  }
  if (key !== undefined) {
    if (value.kind !== 'Dict') return undefined;
    const entry = value.values[value.keys.findIndex((each) => each !== undefined && stringOf(each) === key)];
    return entry && wrappingSaved(entry, undefined, program, steps + 1);
  }
  if (value.kind !== 'Call' || value.func.kind !== 'Attribute' || value.func.attr !== 'state_dict') return undefined;
  return wrappingOf(value.func.value, program);
}
