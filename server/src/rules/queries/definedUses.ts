/** The uses of a value that a statement assigns to a name. */

import type { Program } from '../../guards/program.ts';
import { argumentFor, argumentsOf, parametersOf } from '../../python/semantic/arguments.ts';
import { functionRun } from '../../python/semantic/functionBodies.ts';
import { isDisplay } from '../../python/semantic/literals.ts';
import { memoizeBy } from '../../python/semantic/memoize.ts';
import { push } from '../../python/semantic/multimap.ts';
import type { Use } from '../../python/semantic/programIndex.ts';
import type { Definition } from '../../python/semantic/scopes.ts';
import type { Call, ClassDef, Expression, FunctionDef, Node } from '../../python/syntax/nodes.ts';

/**
 * Returns the uses of the names and attributes that `statement` binds through `target`, except uses of other
 * definitions.
 */
export function usesBound(target: Expression, statement: Node, program: Program): readonly Use[] {
  if (isDisplay(target)) return target.elts.flatMap((each) => usesBound(each, statement, program));
  if (target.kind === 'Starred') return usesBound(target.value, statement, program);
  if (target.kind !== 'Name' && target.kind !== 'Attribute') return [];
  const name = target.kind === 'Name' ? target.id : target.attr;
  return (usesByDefinition(program, name).get(statement) ?? []).filter(
    (use) => use.kind === target.kind && use !== target,
  );
}

/** Returns the uses of a parameter in its function. */
export function usesOfParameter(parameter: Node, name: string, program: Program): readonly Use[] {
  return usesByDefinition(program, name).get(parameter) ?? [];
}

/** Returns the uses of the parameter that receives an argument of a call, in the function or class that is called. */
export function usesInCallee(
  call: Call,
  argument: Expression,
  callee: FunctionDef | ClassDef,
  program: Program,
): readonly Use[] {
  const target = functionRun(callee);
  if (!target) return [];
  const parameters = parametersOf(target.args);
  const isBound =
    callee.kind === 'ClassDef' || (call.func.kind === 'Attribute' && /^(self|cls)$/.test(parameters[0]?.name ?? ''));
  const own = isBound ? parameters.slice(1) : parameters;
  const args = argumentsOf(call);
  const parameter = own.find(({ name }, at) => argumentFor(args, name, at).argument?.value === argument);
  return parameter && !parameter.star ? usesOfParameter(parameter.node, parameter.name, program) : [];
}

/** Returns the definitions that a use may have. In `x += y`, `x` is a use of the values before. */
function definitionsAt(use: Use, { names }: Program): readonly Definition[] {
  const isChanged = use.kind === 'Name' && use.parent?.kind === 'AugAssign' && use.parent.target === use;
  if (!isChanged) return names.definitionsOf(use);
  const all = names.scopeOf(use).definitions.get(use.id) ?? [];
  return all.filter(({ node }) => node && node !== use.parent && node.start < use.start);
}

/** Returns the uses of a name, and of attributes of that name, by their possible definitions. */
const usesByDefinition = memoizeBy((program: Program, name: string): ReadonlyMap<Node, readonly Use[]> => {
  const found = new Map<Node, Use[]>();
  for (const use of program.index.usesOf(name)) {
    for (const node of new Set(definitionsAt(use, program).map((definition) => definition.node)))
      if (node) push(found, node, use);
  }
  return found;
});
