/** Wrappers around models that add a prefix to the names of their parameters. */

import type { Program } from '../../guards/program.ts';
import type { SavedWrappings, Wrapping } from '../../guards/projectView.ts';
import type { OtherPlace } from '../../guards/reason.ts';
import { fileNameOf } from '../../python/semantic/fileNames.ts';
import { returnedBy } from '../../python/semantic/functionBodies.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import type { Call, ClassDef, Expression, Name } from '../../python/syntax/nodes.ts';
import type { Knowledge } from '../engine/contract.ts';
import { NO_LOADERS } from '../engine/selector.ts';
import { loadersOf } from './loaderCalls.ts';
import { derivesFromModel, isModel } from './moduleValues.ts';
import { readerCallOf } from './readerCalls.ts';
import { saversInFile } from './savedPaths.ts';

/** The names of the wrappers in messages. */
export const WRAPPERS: Readonly<Record<Exclude<Wrapping, ''>, string>> = {
  'module.': 'DataParallel',
  '_orig_mod.': 'torch.compile',
};

const PARALLEL = /^torch\.nn\.(parallel\.(\w+\.)*)?(DataParallel|DistributedDataParallel)$/;
/** Methods of models that return the model. */
const CHAINING = /^(to|cuda|cpu|eval|train|float|half|double|bfloat16|requires_grad_)$/;
const COPIES = /^copy\.(deep)?copy$/;
/** The maximum number of assignments to follow. */
const FARTHEST = 6;

/** Returns how the model in an expression prefixes names; undefined if the program does not determine it. */
export function wrappingOf(model: Expression, program: Program, steps = 0): Wrapping | undefined {
  if (steps > FARTHEST) return undefined;
  const on = (next: Expression) => wrappingOf(next, program, steps + 1);
  switch (model.kind) {
    case 'Call':
      return ofCall(model, program, on);
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
  on: Follow,
): Wrapping | undefined {
  const found = program.names
    .definitionsOf(use)
    .map(({ kind, value }) => (kind === 'value' && value ? on(value) : undefined));
  const [first] = found;
  return found.every((each) => each === first) ? first : undefined;
}

function ofCall(call: Call, program: Program, on: Follow): Wrapping | undefined {
  const names = program.names.qualify(call.func);
  const [first] = call.args;
  if (names.some((name) => PARALLEL.test(name))) return 'module.';
  if (names.includes('torch.compile')) return '_orig_mod.';
  if (names.some((name) => COPIES.test(name))) return first && on(first);
  const declaration = program.names.declarationOf(call.func);
  if (declaration?.kind === 'ClassDef') return isBareModel(declaration, program) ? '' : undefined;
  if (declaration?.kind === 'FunctionDef') return only(returnedBy(declaration).map((value) => value && on(value)));
  if (names.length > 0) {
    const isBare = isModel(call, program) || names.some((name) => program.project?.isBareModel(name));
    return isBare ? '' : undefined;
  }
  return call.func.kind === 'Attribute' && CHAINING.test(call.func.attr) ? on(call.func.value) : undefined;
}

type Follow = (next: Expression) => Wrapping | undefined;

/** True for a class of models without a submodule named `module`. */
export const isBareModel = (declaration: ClassDef, program: Program): boolean =>
  derivesFromModel(declaration, program) && !hasModule(declaration, program);

const hasModule = ({ start, end }: ClassDef, { text }: Program) =>
  /\bself\.(module|_orig_mod)\b/.test(text.slice(start, end));

/** The prefix of names in a loaded state, with its evidence. */
export interface LoadedWrapping {
  readonly wrapping: Wrapping;
  /** The call that saves the state, in this program or another file; absent if the file itself shows the prefix. */
  readonly saved?: Call | OtherPlace;
}

/** The load that a state comes from, and the state's key in the loaded object. */
export interface StateSource {
  readonly load: Call;
  readonly key: string | undefined;
}

/**
 * Returns the prefix of names in a loaded state, determined from everything that the program saves under the path, or
 * else from the file, or else from everything that the project saves under the file's name.
 */
export function loadedWrapping(
  { load, key = '' }: StateSource,
  program: Program,
  { checkpointsAt }: Knowledge,
): LoadedWrapping | undefined {
  const [path] = load.args;
  const own = saversInFile(path, program);
  if (own.length > 0) {
    const wrapping = only(own.map(({ value }) => value && savedWrappings(value, program)[key]));
    return wrapping === undefined || !own[0] ? undefined : { wrapping, saved: own[0].call };
  }
  const read = readerCallOf(load, program);
  const files = (read && checkpointsAt?.(read.path)) ?? [];
  if (files.length > 0) {
    const wrapping = only(files.map(({ summary }) => summary.tensors.wrapped?.[key]));
    return wrapping === undefined ? undefined : { wrapping };
  }
  const fileName = path && fileNameOf(path, program.names);
  const others = fileName === undefined ? [] : (program.project?.saversOf(fileName) ?? []);
  const [first] = others;
  const wrapping = only(others.map(({ wrappings, isNamed }) => (isNamed ? wrappings?.[key] : undefined)));
  return wrapping === undefined || !first ? undefined : { wrapping, saved: first.place };
}

/** Returns the value that all of them share; undefined if there are none, if they differ, or if one is unknown. */
function only<T>(values: readonly (T | undefined)[]): T | undefined {
  const [first] = values;
  return values.every((each) => each === first) ? first : undefined;
}

/** Returns the load that a state comes from. */
export function sourceOfState(state: Expression, program: Program, key?: string, steps = 0): StateSource | undefined {
  if (steps > FARTHEST) return undefined;
  if (state.kind === 'Subscript') {
    const own = stringOf(state.slice);
    return own === undefined || key !== undefined ? undefined : sourceOfState(state.value, program, own, steps + 1);
  }
  if (state.kind === 'Call') return loadersOf(state, program, NO_LOADERS).length > 0 ? { load: state, key } : undefined;
  const value = state.kind === 'Name' ? onlyValueOf(state, program) : undefined;
  return value && sourceOfState(value, program, key, steps + 1);
}

/** Returns the prefix of names in `model.state_dict()`, or in each entry of a dictionary that holds one. */
export function savedWrappings(value: Expression, program: Program): SavedWrappings {
  const whole = valueBehind(value, program);
  if (whole?.kind !== 'Dict') {
    const wrapping = whole && wrappingOfState(whole, program);
    return wrapping === undefined ? {} : { '': wrapping };
  }
  const entries = whole.values.flatMap((entry, index) => {
    const key = whole.keys[index];
    const name = key && stringOf(key);
    const state = name === undefined ? undefined : valueBehind(entry, program);
    const wrapping = state && wrappingOfState(state, program);
    return name === undefined || wrapping === undefined ? [] : [[name, wrapping] as const];
  });
  return Object.fromEntries(entries);
}

/** Returns the constant value of a variable, and any other expression unchanged. */
function valueBehind(value: Expression, program: Program, steps = 0): Expression | undefined {
  if (value.kind !== 'Name') return value;
  const next = steps > FARTHEST ? undefined : onlyValueOf(value, program);
  return next && valueBehind(next, program, steps + 1);
}

function onlyValueOf(name: Name, { names }: Program): Expression | undefined {
  const [definition, other] = names.definitionsOf(name);
  return definition?.kind === 'value' && !other ? definition.value : undefined;
}

function wrappingOfState(state: Expression, program: Program): Wrapping | undefined {
  return state.kind === 'Call' && state.func.kind === 'Attribute' && state.func.attr === 'state_dict'
    ? wrappingOf(state.func.value, program)
    : undefined;
}
