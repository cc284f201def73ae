/** Which files has the program written itself? */

import type { Program } from '../../guards/program.ts';
import { lastPartOf } from '../../python/semantic/accessPaths.ts';
import { argumentFor } from '../../python/semantic/callee.ts';
import { memoise } from '../../python/semantic/memoise.ts';
import type { Call, Expression, Name } from '../../python/syntax.ts';

const SAVERS = new Set(['save', 'save_checkpoint']);

const savedPathsIn = memoise((program: Program) =>
  program.index.callsReaching(SAVERS).flatMap((call) => pathSavedBy(call, program) ?? []),
);

/** True when a call before `load` saved to the path that it loads from. */
export function isSavedBefore(load: Call, path: Expression | undefined, program: Program): boolean {
  const isBefore = (saved: Expression) => saved.span.start < load.span.start;
  return (
    path !== undefined && savedPathsIn(program).some((saved) => isBefore(saved) && isSamePath(saved, path, program))
  );
}

/** The path that a call saves to: `torch.save(x, path)`, `scripted.save(path)`, `trainer.save_checkpoint(path)`. */
function pathSavedBy(call: Call, program: Program): Expression | undefined {
  if (call.func.kind === 'Attribute' && !/^save/.test(call.func.attr)) return undefined;
  const qualified = program.names.qualify(call.func);
  if (qualified.includes('torch.save') || qualified.includes('torch.jit.save'))
    return argumentFor(call.args, 'f', 1).argument?.value;
  const method = call.func.kind === 'Attribute' ? lastPartOf(call.func) : undefined;
  if (qualified.length > 0 || (method !== 'save' && method !== 'save_checkpoint')) return undefined;
  return call.args.find((arg) => arg.name === undefined)?.value;
}

/** The same expression, or two that resolve to one literal. */
function isSamePath(saved: Expression, loaded: Expression, program: Program): boolean {
  const spelled = (node: Expression) =>
    program.text.slice(node.span.start, node.span.end).replace(/\s+/g, '').replaceAll("'", '"');
  if (spelled(saved) === spelled(loaded)) return !areDifferent(saved, loaded, program);
  const only = (node: Expression) => {
    const values = new Set(program.values.literalsOf(node).map((literal) => literal.value));
    return values.size === 1 ? [...values][0] : undefined;
  };
  const value = only(saved);
  return value !== undefined && value === only(loaded);
}

/** Two variables of one name that are assigned different things, in two functions. */
function areDifferent(saved: Expression, loaded: Expression, program: Program): boolean {
  if (saved.kind !== 'Name' || loaded.kind !== 'Name') return false;
  const values = (name: Name) => {
    const definitions = program.names.definitionsOf(name);
    const isAssigned = definitions.length > 0 && definitions.every(({ kind }) => kind === 'value');
    return isAssigned
      ? definitions.map(({ value }) => (value ? program.text.slice(value.span.start, value.span.end) : ''))
      : undefined;
  };
  const [from, to] = [values(saved), values(loaded)];
  return from !== undefined && to !== undefined && !from.some((text) => to.includes(text));
}
