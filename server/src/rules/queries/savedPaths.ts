/** The files that the program has written itself. */

import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { lastPartOf } from '../../python/semantic/accessPaths.ts';
import { argumentFor, argumentsOf, firstPositional } from '../../python/semantic/arguments.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { push } from '../../python/semantic/multimap.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Call, Expression, Name } from '../../python/syntax/nodes.ts';

const SAVERS = new Set(['save', 'save_checkpoint']);

/** A call that saves, with the saved value and the path. */
export interface Saver {
  readonly call: Call;
  readonly path: Expression;
  /** Undefined for a method that saves the object it is called on, such as a scripted module. */
  readonly value: Expression | undefined;
}

interface Savers {
  /** In source order. */
  readonly all: readonly Saver[];
  /** In source order, keyed by the text of the path. */
  readonly bySpelling: ReadonlyMap<string, readonly Saver[]>;
  /** In source order, keyed by the constant value of the path. */
  readonly byValue: ReadonlyMap<string | number, readonly Saver[]>;
}

const saversIn = memoize((program: Program): Savers => {
  const all: Saver[] = [];
  const bySpelling = new Map<string, Saver[]>();
  const byValue = new Map<string | number, Saver[]>();
  for (const call of program.index.callsReaching(SAVERS)) {
    const saver = saverOf(call, program);
    if (!saver) continue;
    all.push(saver);
    push(bySpelling, spelled(saver.path, program), saver);
    const value = onlyValue(saver.path, program);
    if (value !== undefined) push(byValue, value, saver);
  }
  return { all, bySpelling, byValue };
});

/** Returns every call in the program that saves, in source order. */
export const allSavers = (program: Program): readonly Saver[] => saversIn(program).all;

/**
 * Returns the calls that save to a path, before or after a load: to the same expression, or to one with the same value.
 */
export function saversInFile(path: Expression | undefined, program: Program): readonly Saver[] {
  if (path === undefined) return [];
  const { bySpelling, byValue } = saversIn(program);
  const same = (bySpelling.get(spelled(path, program)) ?? []).filter(
    (saver) => !areDifferent(saver.path, path, program),
  );
  const value = byValue.size > 0 ? onlyValue(path, program) : undefined;
  const ofValue = value === undefined ? [] : (byValue.get(value) ?? []);
  return [...new Set([...same, ...ofValue])];
}

/** True if a call above `load` saves to the same path. */
export const isSavedBefore = (load: Call, path: Expression | undefined, program: Program): boolean =>
  saversInFile(path, program).some(({ call }) => call.start < load.start);

/** Returns the call above `load` that saves the same file, as the reason for a hint; empty if there is none. */
export function savedBefore(load: Call, path: Expression | undefined, program: Program): readonly Reason[] {
  const saver = saversInFile(path, program).find(({ call }) => call.start < load.start);
  return saver ? [{ because: 'the program saves this file itself', at: spanOf(saver.call) }] : [];
}

/** `torch.save(x, path)`, `scripted.save(path)`, `trainer.save_checkpoint(path)` */
function saverOf(call: Call, program: Program): Saver | undefined {
  if (call.func.kind === 'Attribute' && !/^save/.test(call.func.attr)) return undefined;
  const qualified = program.names.qualify(call.func);
  if (qualified.includes('torch.save') || qualified.includes('torch.jit.save')) {
    const args = argumentsOf(call);
    const path = argumentFor(args, 'f', 1).argument?.value;
    return path && { call, path, value: argumentFor(args, 'obj', 0).argument?.value };
  }
  const method = call.func.kind === 'Attribute' ? lastPartOf(call.func) : undefined;
  if (qualified.length > 0 || (method !== 'save' && method !== 'save_checkpoint')) return undefined;
  const path = firstPositional(call);
  return path && { call, path, value: undefined };
}

const spelled = ({ start, end }: Expression, program: Program) =>
  program.text.slice(start, end).replace(/\s+/g, '').replaceAll("'", '"');

/** Returns the literal that an expression always is. */
function onlyValue(node: Expression, program: Program) {
  const values = new Set(program.values.literalsOf(node).map((literal) => literal.value));
  return values.size === 1 ? [...values][0] : undefined;
}

/**
 * True for two variables with the same name in two functions that assign them differently or receive them as
 * parameters.
 */
function areDifferent(saved: Expression, loaded: Expression, program: Program): boolean {
  if (saved.kind !== 'Name' || loaded.kind !== 'Name') return false;
  const isParameter = (name: Name) => program.names.definitionsOf(name).some(({ kind }) => kind === 'parameter');
  if (
    program.names.functionOf(saved) !== program.names.functionOf(loaded) &&
    (isParameter(saved) || isParameter(loaded))
  )
    return true;
  const values = (name: Name) => {
    const definitions = program.names.definitionsOf(name);
    const isAssigned = definitions.length > 0 && definitions.every(({ kind }) => kind === 'value');
    return isAssigned
      ? definitions.map(({ value }) => (value ? program.text.slice(value.start, value.end) : ''))
      : undefined;
  };
  const [from, to] = [values(saved), values(loaded)];
  return from !== undefined && to !== undefined && !from.some((text) => to.includes(text));
}
