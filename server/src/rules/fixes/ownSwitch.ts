/**
 * The program's own switch between GPU and CPU, such as `args.cuda` or `use_gpu`. A fix tests the switch instead of
 * CUDA.
 */

import type { Program } from '../../guards/program.ts';
import { rootOf } from '../../python/semantic/accessPaths.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { push } from '../../python/semantic/multimap.ts';
import type { Attribute, Expression, Name, Node, Statement } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import { moduleBlock, statementAround } from '../queries/blocks.ts';
import { definitionsAt, scopeBinding } from './bindings.ts';

interface OwnSwitch {
  /** The program's expression: `args.cuda`. */
  readonly text: string;
  /** The statements that assign the switch, in the function around the place or at the top level. */
  readonly setBy: readonly Statement[];
  /** True if these are at the top level. */
  readonly isGlobal: boolean;
}

/** Returns the switch that the program tests elsewhere and that already has its value at a node. */
export function ownSwitchAt(program: Program, node: Node): OwnSwitch | undefined {
  for (const [text, tests] of switchesOf(program)) {
    const found = usableAt(program, node, text, tests);
    if (found) return found;
  }
  return undefined;
}

function usableAt(program: Program, node: Node, text: string, tests: readonly Test[]): OwnSwitch | undefined {
  const [test] = tests;
  const root = test && rootOf(test)?.id;
  const scope = root === undefined ? undefined : scopeBinding(program, node, root);
  if (!test || root === undefined || !scope || !definitionsAt(program, node, root, scope)) return undefined;
  const isGlobal = scope.kind === 'module';
  const home = program.names.functionOf(node);
  // An enclosing function binds it, for itself and for the place's function.
  if (!isGlobal && scope.node !== home) return undefined;
  const bindings = (scope.definitions.get(root) ?? []).flatMap(({ node: binding }) => {
    const statement = binding && statementAround(binding);
    return statement && statement !== home ? [statement] : [];
  });
  const isHere = (each: Node) => program.names.functionOf(each) === (isGlobal ? undefined : home);
  const assigned = assignmentsTo(program, text);
  const own = assigned.filter(isHere);
  // A value that another function sets is available if the function around the place tests it too.
  const isSet =
    test.kind === 'Name' ||
    own.length > 0 ||
    tests.some((each) => program.names.functionOf(each) === home) ||
    (assigned.length === 0 && isOption(program, test));
  return isSet && bindings.every(isHere) ? { text, setBy: [...bindings, ...own], isGlobal } : undefined;
}

type Test = Name | Attribute;

const isOption = (program: Program, test: Attribute) => program.values.optionsOf(test).length > 0;

/** Returns the statements that assign to a path such as `args.cuda`. */
function assignmentsTo(program: Program, text: string): Statement[] {
  const last = text.slice(text.lastIndexOf('.') + 1);
  return program.index.usesOf(last).flatMap((use) => {
    const around = use.parent;
    const isTarget = around?.kind === 'Assign' && around.targets.includes(use);
    return isTarget && program.text.slice(use.start, use.end) === text ? [around] : [];
  });
}

/** Returns names and attributes whose truth means a GPU, as they occur in the program's tests. */
const switchesOf = memoize((program: Program): ReadonlyMap<string, readonly Test[]> => {
  const found = new Map<string, Test[]>();
  for (const statement of moduleBlock(program))
    walk(statement, (node) => {
      if (node.kind !== 'If' && node.kind !== 'IfExp') return;
      const { test } = node;
      if (test.kind !== 'Name' && !(test.kind === 'Attribute' && test.attr !== 'is_cuda')) return;
      if (isSwitch(program, test)) push(found, program.text.slice(test.start, test.end), test);
    });
  return found;
});

/** True for a test that establishes a GPU in a context that does not. */
function isSwitch({ guards }: Program, test: Expression): boolean {
  return guards.local.ofTest(test, true).level === 'guard' && guards.evidenceAt(conditionsOf(test)).level === 'none';
}
