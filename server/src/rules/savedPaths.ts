/** Which files has the program written itself? */
import { argumentFor } from '../python/callee.ts';
import { lastPartOf } from '../python/paths.ts';
import type { Program } from '../python/program.ts';
import type { Call, Expression, Name } from '../python/syntax.ts';

export interface SavedPaths {
  /** Takes in what a call saves to; calls come in the order in which they run. */
  visit(call: Call): void;
  /** True when a call before saved to the path. */
  has(path: Expression | undefined): boolean;
}

export function createSavedPaths(program: Program): SavedPaths {
  const saved: Expression[] = [];
  return {
    visit(call) {
      const path = pathSavedBy(call, program);
      if (path) saved.push(path);
    },
    has: (path) => path !== undefined && saved.some((each) => isSamePath(each, path, program)),
  };
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
    program.text.slice(node.start, node.end).replace(/\s+/g, '').replaceAll("'", '"');
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
      ? definitions.map(({ value }) => (value ? program.text.slice(value.start, value.end) : ''))
      : undefined;
  };
  const [from, to] = [values(saved), values(loaded)];
  return from !== undefined && to !== undefined && !from.some((text) => to.includes(text));
}
