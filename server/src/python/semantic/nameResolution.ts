/** Name resolution: the definitions of a use, and the dotted names of imports. */

import type { Call, ClassDef, Expression, FunctionDef, Name, Node, Subscript } from '../syntax/nodes.ts';
import { ownerOf } from './accessPathIndex.ts';
import { pathOf, rootOf } from './accessPaths.ts';
import { ownScope, type Reference, reachingDefinitions, scopeMadeBy } from './annotations.ts';
import { type Callee, resolveCallee } from './callee.ts';
import { canonicalName } from './canonicalNames.ts';
import { itemsIn } from './literals.ts';
import { once } from './memoize.ts';
import type { ProgramIndex } from './programIndex.ts';
import type { Definition, Scope } from './scopes.ts';

export interface NameResolution {
  /** Returns the final callee and the arguments of a call, resolved through `functools.partial`. */
  calleeOf(call: Call): Callee;
  /** Returns the possible definitions of a name, attribute or item; empty if the program does not define it. */
  definitionsOf(use: Reference): readonly Definition[];
  /** Returns the dotted names an expression may refer to: `["torch.load"]` for `th.load` after `import torch as th`. */
  qualify(expression: Expression): readonly string[];
  /** Returns the function or class of this program that the expression names. */
  declarationOf(expression: Expression): FunctionDef | ClassDef | undefined;
  scopeOf(node: Node): Scope;
  /** Returns the function whose body contains the node; undefined at the top level and in class bodies there. */
  functionOf(node: Node): FunctionDef | undefined;
}

/** Maximum number of assignments that are followed. */
const MAX_STEPS = 12;
const NONE: readonly string[] = [];
/** Parts of a definition, besides expressions, that run in the enclosing scope. */
const RUN_OUTSIDE: ReadonlySet<Node['kind']> = new Set([
  'arguments',
  'keyword',
  'TypeVar',
  'ParamSpec',
  'TypeVarTuple',
]);
/** Modules assumed by name if a star import, or the part that a snippet or a fragment omits, must have imported them. */
const ASSUMED_MODULES: Readonly<Record<string, string>> = {
  torch: 'torch',
  tf: 'tensorflow',
  tensorflow: 'tensorflow',
  keras: 'keras',
};
/** A notebook, or a file that runs this one, has imported them. */
const ASSUMED_IN_FRAGMENTS: Readonly<Record<string, string>> = { ...ASSUMED_MODULES, np: 'numpy' };
const ASSUMED_IN_SNIPPETS: Readonly<Record<string, string>> = { ...ASSUMED_MODULES, np: 'numpy', nn: 'torch.nn' };

/**
 * Creates the name resolution of a program. In a snippet without imports, `torch`, `tf`, `keras`, `np` and `nn` have
 * their conventional meaning.
 */
export function createNameResolution(index: ProgramIndex, isSnippet = false): NameResolution {
  const importsNothing = once(() =>
    index.scopes.every(
      ({ starImports, definitions }) =>
        starImports.length === 0 && ![...definitions.values()].flat().some(({ kind }) => kind === 'import'),
    ),
  );
  const qualified = new Map<Expression, readonly string[]>();
  const callees = new Map<Call, Callee>();
  /** The definitions of names that a scope takes from outside, by scope and name. */
  const outerDefinitions = new Map<Scope, Map<string, readonly Definition[]>>();
  /** The scope in which the node's own code runs; a function's decorators and defaults run outside its scope. */
  const scopeOf = (node: Node): Scope => {
    const own = ownScope(node);
    if (own) return own;
    let inner: Node = node;
    for (let at = node.parent; at; inner = at, at = at.parent) {
      const scope = scopeMadeBy(at);
      if (scope && !RUN_OUTSIDE.has(inner.kind)) return scope;
    }
    return index.module;
  };

  const functionOf = (node: Node): FunctionDef | undefined => {
    for (let scope: Scope | undefined = scopeOf(node); scope; scope = scope.parent) {
      if (scope.node?.kind === 'FunctionDef') return scope.node;
    }
    return undefined;
  };

  const isActual = ({ kind }: Definition) => kind !== 'unbound' && kind !== 'loop-carried';
  const actualDefinitions = (definitions: readonly Definition[]): readonly Definition[] =>
    definitions.every(isActual) ? definitions : [...withLoopCarried(definitions, new Set())].filter(isActual);

  const definitionsOfName = (name: Name): readonly Definition[] => {
    const reaching = actualDefinitions(reachingDefinitions(name) ?? []);
    if (reaching.length > 0) return reaching;
    const own = scopeOf(name);
    const known = outerDefinitions.get(own) ?? new Map<string, readonly Definition[]>();
    outerDefinitions.set(own, known);
    const found = known.get(name.id) ?? lookUp(name, own);
    known.set(name.id, found);
    return found;
  };

  const lookUp = (name: Name, own: Scope): readonly Definition[] => {
    let scope: Scope | undefined = own;
    if (own.declared.get(name.id) === 'global') scope = index.module;
    for (; scope; scope = scope.parent) {
      if (scope.kind === 'class' && scope !== own) continue;
      const all = scope.definitions.get(name.id);
      if (!all) continue;
      const atEnd = scope === own ? undefined : scope.atEnd?.get(name.id);
      const found = atEnd
        ? [...actualDefinitions(atEnd), ...all.filter((definition) => definition.isFromOtherScope)]
        : all;
      return found.length > 0 ? found : all;
    }
    return [];
  };

  const classAttribute = (owner: ClassDef, attr: string, seen: Set<ClassDef>): readonly Definition[] => {
    if (seen.has(owner)) return [];
    seen.add(owner);
    const onSelf = index.paths.ofSelf(owner, attr);
    const inClass = scopeMadeBy(owner)?.definitions.get(attr) ?? [];
    const own = [...onSelf, ...inClass];
    if (own.length > 0) return own;
    return owner.bases.flatMap((expression) => {
      const base = declarationOf(expression);
      return base?.kind === 'ClassDef' ? classAttribute(base, attr, seen) : [];
    });
  };

  const definitionsOf = (use: Reference): readonly Definition[] => {
    if (use.kind === 'Name') return definitionsOfName(use);
    if (use.kind === 'Attribute' && !index.assignedParts.has(use.attr)) return [];
    const reaching = reachingDefinitions(use) ?? [];
    if (reaching.length > 0 && !reaching.some((definition) => definition.kind === 'unbound'))
      return actualDefinitions(reaching);
    const path = pathOf(use);
    if (path === undefined) return [];
    const scope = scopeOf(use);
    const anywhere = index.paths.of(path, scope);
    if (use.kind === 'Subscript') return anywhere.length > 0 ? anywhere : entriesOf(use);
    if (use.value.kind !== 'Name') return anywhere;
    const named = ownerOf(path, scope) ?? declarationOf(use.value);
    const owner = named?.kind === 'ClassDef' ? named : undefined;
    return owner ? classAttribute(owner, use.attr, new Set()) : anywhere;
  };

  /** The entries of a dictionary display that `config["key"]` may return. */
  const entriesOf = (use: Subscript): readonly Definition[] => {
    if (use.value.kind !== 'Name' && use.value.kind !== 'Attribute') return [];
    return definitionsOf(use.value).flatMap((definition) =>
      definition.kind === 'value' && definition.value?.kind === 'Dict'
        ? itemsIn(definition.value, use.slice).map((value) => ({ ...definition, value }))
        : [],
    );
  };

  const declarationOf = (expression: Expression): FunctionDef | ClassDef | undefined => {
    if (expression.kind !== 'Name' && expression.kind !== 'Attribute') return undefined;
    for (const { node } of definitionsOf(expression)) {
      if (node?.kind === 'FunctionDef' || node?.kind === 'ClassDef') return node;
    }
    return undefined;
  };

  const fromDefinitions = (definitions: readonly Definition[], steps: number): string[] =>
    definitions.flatMap((definition) => {
      if (definition.kind === 'import') return definition.qualified ? [definition.qualified] : [];
      return definition.kind === 'value' && definition.value ? [...resolve(definition.value, steps + 1)] : [];
    });

  const starImported = (name: Name): string[] => {
    const modules: string[] = [];
    for (let scope: Scope | undefined = scopeOf(name); scope; scope = scope.parent) modules.push(...scope.starImports);
    const imported = modules.map((module) => `${module}.${name.id}`);
    // `from .core import *` may re-export a module that `core` imported.
    const assumed =
      modules.length > 0
        ? ASSUMED_MODULES[name.id]
        : importsNothing()
          ? (isSnippet ? ASSUMED_IN_SNIPPETS : ASSUMED_IN_FRAGMENTS)[name.id]
          : undefined;
    return assumed ? [...imported, assumed] : imported;
  };

  const resolve = (expression: Expression, steps: number): readonly string[] => {
    if (steps > MAX_STEPS) return [];
    const before = qualified.get(expression);
    if (before) return before;
    let found: readonly string[] = NONE;
    if (expression.kind === 'Name') {
      const definitions = definitionsOfName(expression);
      found = definitions.length === 0 ? starImported(expression) : fromDefinitions(definitions, steps);
    } else if (expression.kind === 'Attribute') {
      const bases = resolve(expression.value, steps + 1);
      const definitions = definitionsOf(expression);
      if (bases.length > 0 || definitions.length > 0) {
        found = [...fromDefinitions(definitions, steps), ...bases.map((base) => `${base}.${expression.attr}`)];
      }
    } else if (expression.kind === 'IfExp') {
      found = [...resolve(expression.body, steps + 1), ...resolve(expression.orelse, steps + 1)];
    } else if (expression.kind === 'NamedExpr') found = resolve(expression.value, steps + 1);
    const names = found.length === 0 ? NONE : [...new Set(found.map(canonicalName))];
    qualified.set(expression, names);
    return names;
  };

  const qualify = (expression: Expression) => resolve(expression, 0);
  const calleeOf = (call: Call): Callee => {
    const callee = callees.get(call) ?? resolveCallee(call, qualify, definitionsOf);
    callees.set(call, callee);
    return callee;
  };

  return { definitionsOf, qualify, calleeOf, declarationOf, scopeOf, functionOf };
}

/** The definitions, with loop-carried markers replaced by the definitions of earlier iterations. */
function withLoopCarried(definitions: readonly Definition[], found: Set<Definition>): Set<Definition> {
  for (const definition of definitions) {
    if (found.has(definition)) continue;
    found.add(definition);
    if (definition.loopCarried) withLoopCarried(definition.loopCarried, found);
  }
  return found;
}

/** True if the expression starts with a name from `import x`: a module, never a tensor or a model. */
export function isModule(names: NameResolution, expression: Expression): boolean {
  const root = rootOf(expression);
  if (!root) return false;
  const definitions = names.definitionsOf(root);
  return (
    definitions.length > 0 &&
    definitions.every(({ kind, node }) => kind === 'import' && node?.parent?.kind === 'Import')
  );
}
