/** Which files has the program written itself? */

import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { lastPartOf } from '../../python/semantic/accessPaths.ts';
import { argumentFor, argumentsOf, firstPositional } from '../../python/semantic/arguments.ts';
import { memoise } from '../../python/semantic/memoise.ts';
import type { Call, Expression, Name } from '../../python/syntax/nodes.ts';

const SAVERS = new Set(['save', 'save_checkpoint']);

interface SavedPaths {
  /** In source order, by what is written. */
  readonly bySpelling: ReadonlyMap<string, readonly Expression[]>;
  /** Where the first one starts that is surely of this value. */
  readonly byValue: ReadonlyMap<string | number, number>;
}

const savedPathsIn = memoise((program: Program): SavedPaths => {
  const bySpelling = new Map<string, Expression[]>();
  const byValue = new Map<string | number, number>();
  for (const call of program.index.callsReaching(SAVERS)) {
    const path = pathSavedBy(call, program);
    if (!path) continue;
    const spelling = spelled(path, program);
    const same = bySpelling.get(spelling) ?? [];
    same.push(path);
    bySpelling.set(spelling, same);
    const value = onlyValue(path, program);
    if (value !== undefined && !byValue.has(value)) byValue.set(value, path.start);
  }
  return { bySpelling, byValue };
});

/** True when a call before `load` saved to the path that it loads from: the same expression, or one of the same value. */
export const isSavedBefore = (load: Call, path: Expression | undefined, program: Program): boolean =>
  savedBefore(load, path, program).length > 0;

/** The call before `load` that saved what it loads, as the reason for a hint; empty where there is none. */
export function savedBefore(load: Call, path: Expression | undefined, program: Program): readonly Reason[] {
  const start = path && startOfSaving(load, path, program);
  return start === undefined ? [] : [{ because: 'the program saves this file itself', at: { start, end: start } }];
}

/** Where the path is saved to before `load`: the start of the path there. */
function startOfSaving(load: Call, path: Expression, program: Program): number | undefined {
  const { bySpelling, byValue } = savedPathsIn(program);
  const { start } = load;
  const same = bySpelling.get(spelled(path, program)) ?? [];
  const before = same.find((saved) => saved.start < start && !areDifferent(saved, path, program));
  if (before) return before.start;
  const value = byValue.size > 0 ? onlyValue(path, program) : undefined;
  const found = value === undefined ? undefined : byValue.get(value);
  return found !== undefined && found < start ? found : undefined;
}

/** The path that a call saves to: `torch.save(x, path)`, `scripted.save(path)`, `trainer.save_checkpoint(path)`. */
function pathSavedBy(call: Call, program: Program): Expression | undefined {
  if (call.func.kind === 'Attribute' && !/^save/.test(call.func.attr)) return undefined;
  const qualified = program.names.qualify(call.func);
  if (qualified.includes('torch.save') || qualified.includes('torch.jit.save'))
    return argumentFor(argumentsOf(call), 'f', 1).argument?.value;
  const method = call.func.kind === 'Attribute' ? lastPartOf(call.func) : undefined;
  if (qualified.length > 0 || (method !== 'save' && method !== 'save_checkpoint')) return undefined;
  return firstPositional(call);
}

const spelled = ({ start, end }: Expression, program: Program) =>
  program.text.slice(start, end).replace(/\s+/g, '').replaceAll("'", '"');

/** The literal that an expression always is. */
function onlyValue(node: Expression, program: Program) {
  const values = new Set(program.values.literalsOf(node).map((literal) => literal.value));
  return values.size === 1 ? [...values][0] : undefined;
}

/** Two variables of one name that are assigned different things, in two functions. */
function areDifferent(saved: Expression, loaded: Expression, program: Program): boolean {
  if (saved.kind !== 'Name' || loaded.kind !== 'Name') return false;
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
