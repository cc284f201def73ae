/** What a program means, and what of that still holds after an edit. */
import { type Conclusions, forget, forgetBody, nothingConcluded } from './conclusions.ts';
import type { GuardNames } from './conditions.ts';
import { MARKS, SET_UP } from './established.ts';
import { type Flow, flowAfter, flowOf, isExit } from './flow.ts';
import { createGuards, type Guards } from './guards.ts';
import { createNames, type Names } from './names.ts';
import { declaresOption, declaresOptions, optionsOf } from './options.ts';
import type { EditedFunction, EditedModule } from './reparse.ts';
import type { Expression, Node, Statement } from './syntax.ts';
import { walk } from './syntax.ts';
import { createValues, type Values } from './values.ts';
import type { Use, Visited } from './visited.ts';

export interface Meaning {
  /** What happens in the program: its calls, strings, attributes and functions. */
  readonly flow: Flow;
  readonly names: Names;
  readonly values: Values;
  readonly guards: Guards;
  readonly conclusions: Conclusions;
}

/** `before` is what an earlier version of the program meant, where there was one. */
export function meaningOf(cells: readonly (readonly Statement[])[], guardNames: GuardNames, before?: Meaning): Meaning {
  return drawn(flowOf(cells, before?.flow), guardNames, nothingConcluded());
}

/**
 * The meaning of a program after an edit of one function; undefined where it has to be worked out anew. What was found
 * out about the rest stays true where the function has nothing to do with it, or what was edited in it with nothing.
 */
export function meaningAfterFunction(
  { flow, conclusions }: Meaning,
  { declaration, before, replaced }: EditedFunction,
  guardNames: GuardNames,
): Meaning | undefined {
  if (!before.walked) return undefined;
  forgetBody(conclusions, declaration, before);
  const { visited: then } = before.walked;
  const calledThen = replaced && onlyCalled(replaced.old, flow, conclusions, then);
  const after = flowAfter(flow, declaration, before.walked);
  const now = declaration.walked?.visited;
  if (!after || !now) return undefined;
  const byEdit = calledThen && union(calledThen, onlyCalled(replaced.fresh, after, conclusions, now));
  const isClosed =
    !SET_UP.has(declaration.name) && !conclusions.asked.has(declaration) && keepsToItself(then) && keepsToItself(now);
  const called = byEdit ?? (isClosed ? union(declaredIn(then, flow), declaredIn(now, after)) : undefined);
  return resting(called, after, guardNames, conclusions);
}

/**
 * The meaning of a program after an edit outside of functions. Statements that nothing else rests on, before and after,
 * leave true what was found out about the others.
 */
export function meaningAfterModule(
  last: Meaning,
  { gone, replaced }: EditedModule,
  cells: readonly (readonly Statement[])[],
  guardNames: GuardNames,
): Meaning {
  const calledThen = onlyCalled(replaced.old, last.flow, last.conclusions);
  const flow = flowOf(cells, last.flow);
  const called = calledThen && union(calledThen, onlyCalled(replaced.fresh, flow, last.conclusions));
  forget(last.conclusions, gone);
  // The definitions of module names are other objects after each walk.
  return resting(called, flow, guardNames, { ...last.conclusions, fromOutside: new Map() });
}

/** The meaning by what was concluded before an edit of nothing but calls of what has some names; by nothing without them. */
function resting(
  called: ReadonlySet<string> | undefined,
  flow: Flow,
  guardNames: GuardNames,
  conclusions: Conclusions,
): Meaning {
  const meaning = called && drawn(flow, guardNames, conclusions);
  const isSame = meaning && (called.size === 0 || meaning.guards.areCallersTheSame(called));
  return isSame ? meaning : drawn(flow, guardNames, nothingConcluded());
}

function union<T>(one: ReadonlySet<T>, other: ReadonlySet<T> | undefined): ReadonlySet<T> | undefined {
  return other && new Set([...one, ...other]);
}

function drawn(flow: Flow, guardNames: GuardNames, conclusions: Conclusions): Meaning {
  const names = createNames(flow, conclusions);
  const values = createValues(names, optionsOf(flow.callIndex));
  return { flow, names, values, guards: createGuards(flow, names, values, guardNames, conclusions), conclusions };
}

/** True for a body that makes no difference to what is found out about anything outside, but for what it calls. */
function keepsToItself(visited: Visited): boolean {
  return visited.paths.length === 0 && visited.functions.length === 0 && !declaresOptions(visited);
}

/** The names of functions and classes that are used. */
function declaredIn({ uses }: Visited, { declared }: Flow): ReadonlySet<string> {
  const found = new Set<string>();
  uses.forEach((_, name) => {
    if (declared.has(name)) found.add(name);
  });
  return found;
}

/**
 * The names of functions and classes in expressions, and in assignments to names that are used nowhere else and to
 * attributes that nobody looked at: by calling them, these may be of consequence. Undefined for other statements, and
 * where options are declared. Names are those of the function that a walk met with `visited`, else the module's;
 * attributes are anyone's.
 */
function onlyCalled(
  statements: readonly Statement[],
  flow: Flow,
  { followed }: Conclusions,
  visited?: Visited,
): ReadonlySet<string> | undefined {
  const called = new Set<string>();
  const assigned: { readonly name: string; readonly uses: readonly Use[] }[] = [];
  const used = new Map<string, number>();
  const isHarmless = (node: Node): boolean => {
    switch (node.kind) {
      case 'Name':
      case 'Attribute': {
        const name = node.kind === 'Name' ? node.id : node.attr;
        used.set(name, (used.get(name) ?? 0) + 1);
        if (flow.declared.has(name)) called.add(name);
        return true;
      }
      case 'Call':
        return !isExit(node) && !declaresOption(node);
      case 'Comprehension':
      case 'NamedExpr':
        return false;
      default:
        return true;
    }
  };
  for (const statement of statements) {
    if (statement.kind === 'Pass') continue;
    if (statement.kind !== 'ExpressionStatement' && statement.kind !== 'Assign') return undefined;
    const values: (Expression | undefined)[] = [statement.value];
    if (statement.kind === 'Assign') {
      values.push(statement.annotation);
      for (const target of statement.targets.flatMap(partsOf)) {
        if (target.kind === 'Name' && target.id !== MARKS) {
          const { id } = target;
          assigned.push({ name: id, uses: (visited ? visited.uses.get(id) : flow.uses.of(id)) ?? [] });
        } else if (target.kind === 'Attribute' && !flow.declared.has(target.attr)) {
          const isLookedAt = followed.has(target.attr) || flow.callIndex.isOtherName(target.attr);
          if (isLookedAt) assigned.push({ name: target.attr, uses: flow.uses.of(target.attr) });
          values.push(target);
        } else return undefined;
      }
    }
    for (const value of values) if (value && !every(value, isHarmless)) return undefined;
  }
  return assigned.every(({ name, uses }) => uses.length === (used.get(name) ?? 0)) ? called : undefined;
}

function partsOf(target: Expression): Expression[] {
  return target.kind === 'Sequence' ? target.items.flatMap(partsOf) : [target];
}

function every(node: Node, holds: (node: Node) => boolean): boolean {
  let isSo = true;
  walk(node, (each) => {
    isSo &&= holds(each);
    return isSo;
  });
  return isSo;
}
