/** Qualified names of functions and classes as Python forms them: `main`, `Trainer.fit`, `main.<locals>.step`. */
import type { ClassDef, FunctionDef } from '../syntax/nodes.ts';
import type { NameResolution } from './nameResolution.ts';

/** The `__qualname__` of a function or class. */
export function qualifiedName(declaration: FunctionDef | ClassDef, names: Pick<NameResolution, 'scopeOf'>): string {
  let name = declaration.name;
  for (let scope = names.scopeOf(declaration); scope.parent; scope = scope.parent) {
    if (scope.kind === 'class') name = `${(scope.node as ClassDef).name}.${name}`;
    else if (scope.kind === 'function') name = `${(scope.node as FunctionDef).name}.<locals>.${name}`;
  }
  return name;
}
