/**
 * Programs that show several GPUs working together: model parallelism, pipeline stages, a strategy's list of devices.
 */

import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { calledName, pathOf } from '../../python/semantic/accessPaths.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { argumentsOf, callTaking, keywordOf } from '../../python/semantic/arguments.ts';
import { isDisplay, isNone, type StringLiteral, stringOf } from '../../python/semantic/literals.ts';
import { push } from '../../python/semantic/multimap.ts';
import type { PathConditions } from '../../python/semantic/pathConditions.ts';
import { enclosingClass } from '../../python/semantic/scopes.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Call, Expression, Node, Statement } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { statementAround } from './blocks.ts';
import { cpuOffersIn } from './cpuOffers.ts';
import { type DeviceUse, deviceUses } from './deviceUses.ts';
import { areExclusive } from './exclusiveBranches.ts';
import { type GpuSign, reachOf } from './gpuReach.ts';

const BECAUSE = 'it shows several GPUs working together';
/** `requires your machine to have 2 GPUs` */
const REQUIRED =
  /\b(?:requires?|needs?|must have|at least|assum(?:es?|ing))\b[^.]{0,60}?\b(?:[2-9]|1[0-6]|two|three|four|eight|multiple|several)\s+(?:[\w-]+\s+)?GPUs\b/i;
/** Strategies that split a step among the devices in their list. */
const STRATEGIES = /^tensorflow\.(compat\.v1\.)?(contrib\.)?distribute\.(experimental\.)?\w*Strategy$/;
/** Maximum number of places in a program to compare; a program with more is generated. */
const MOST_PLACES = 400;
/** Methods that store a value in the object they are called on. */
const ADDING = /^(append|extend|add|insert|appendleft)$/;

/** Returns the places where the program makes several GPUs work on the same thing. */
export function severalGpusIn(program: Program): GpuSign[] {
  const pinned = matchesIn(program, deviceUses).filter(isPinned);
  const strategy = strategyIn(program);
  if (strategy) return [reaching(program, strategy)];
  const parallel = parallelIn(program);
  if (parallel) return [reaching(program, parallel, 'it runs its model on several GPUs')];
  if (new Set(pinned.map(indexOf)).size < 2) return [];
  const documented = program.index.strings.filter(requiresSeveral);
  return [
    ...documented.map((docstring) => reaching(program, docstring, 'its documentation says that it needs several GPUs')),
    ...meetingsIn(program, pinned).map((meeting) => reaching(program, meeting)),
  ];
}

/** True for a docstring that states how many GPUs its code needs. */
const requiresSeveral = (string: StringLiteral): boolean =>
  string.parent?.kind === 'Expr' && REQUIRED.test(stringOf(string) ?? '');

const reaching = (program: Program, node: Expression, because = BECAUSE): GpuSign => ({
  because,
  node,
  reach: reachOf(program, node, conditionsOf(node)),
});

/** True for a use of a single literal device. */
const isPinned = ({ kind, literals }: DeviceUse): boolean =>
  kind === 'device' && literals.length === 1 && literals.every((each) => each.index !== undefined && !each.isDefault);

const indexOf = ({ literals }: DeviceUse): number => literals[0]?.index ?? 0;

/** `MirroredStrategy(["/gpu:0", "/gpu:1"])` */
function strategyIn({ index, names }: Program): Call | undefined {
  return index.calls.find(
    (call) =>
      calledName(call).endsWith('Strategy') &&
      names.qualify(call.func).some((name) => STRATEGIES.test(name)) &&
      argumentsOf(call).some(({ value }) => isDisplay(value) && value.elts.length > 1),
  );
}

/** Returns the reason if the program runs its model on several GPUs, right where it loads it. */
export function onSeveralGpus(load: Expression, program: Program): Reason[] {
  const parallel = parallelIn(program);
  const isHere = parallel && program.names.functionOf(parallel) === program.names.functionOf(load);
  return isHere ? [{ because: 'the program runs its model on several GPUs', at: spanOf(parallel) }] : [];
}

/**
 * `nn.DataParallel(net.cuda())`, `nn.DataParallel(net, device_ids=cards)`, in a program that does not offer the CPU and
 * does not test for GPUs before it.
 */
function parallelIn(program: Program): Call | undefined {
  const { index, names } = program;
  return index.callsReaching(new Set(['DataParallel'])).find((call) => {
    if (!names.qualify(call.func).some((name) => /^torch\.nn\.(parallel\.)?DataParallel$/.test(name))) return false;
    if (program.guards.evidenceAt(conditionsOf(call)).level !== 'none' || hasTest(conditionsOf(call))) return false;
    const ids = keywordOf(call, 'device_ids') ?? call.args[1];
    const isSeveral = ids !== undefined && !isNone(ids) && !(isDisplay(ids) && ids.elts.length < 2);
    const isMoved = program.text.slice(call.start, (call.parent?.parent ?? call).end).includes('.cuda(');
    return (isSeveral || (ids === undefined && isMoved)) && cpuOffersIn(program).length === 0;
  });
}

/** True under a test in the function around. */
function hasTest(conditions: PathConditions): boolean {
  for (let at = conditions; at && at.kind !== 'body'; at = at.outer)
    if (at.kind === 'test' && at.test.kind !== 'Compare') return true;
  return false;
}

/** Returns the places on one device that take what was computed on another one. */
function meetingsIn(program: Program, pinned: readonly DeviceUse[]): Expression[] {
  const placed = pinned.flatMap((use) => {
    const at = callTaking(use.expression);
    const statement = at && statementAround(at);
    return at && statement ? [{ at, statement, index: indexOf(use) }] : [];
  });
  if (placed.length > MOST_PLACES) return [];
  const calls = new Set<Node>(placed.map(({ at }) => at));
  /** A name is known in its function, and an attribute of `self` in its class. */
  const keyOf = (node: Expression) => {
    const path = node.kind === 'Name' || node.kind === 'Attribute' ? pathOf(node) : undefined;
    if (path === undefined) return undefined;
    const { names } = program;
    const home = path.startsWith('self.') ? enclosingClass(names.scopeOf(node)) : names.functionOf(node);
    return `${path} ${home?.start ?? ''}`;
  };
  const computed = new Map<string | undefined, typeof placed>();
  for (const place of placed)
    for (const target of computedIn(place.statement, calls)) push(computed, keyOf(target), place);
  return placed.flatMap(({ at, statement, index }) => {
    const isApart = (one: { readonly at: Call; readonly index: number }) =>
      one.index !== index && !areExclusive(one.at, at);
    let isMeeting = placed.some(
      (one) => one.statement === statement && isApart(one) && isOneCall(statement) && !isChain(one.at, at),
    );
    walk(statement, (node) => {
      const key = keyOf(node as Expression);
      const sources = key === undefined ? [] : (computed.get(key) ?? []);
      isMeeting ||= sources.some(isApart);
    });
    return isMeeting ? [at] : [];
  });
}

/** `x.to("cuda:0").to("cuda:1")` */
const isChain = (one: Call, other: Call): boolean =>
  [one.func, other.func].some((func) => func.kind === 'Attribute' && (func.value === one || func.value === other));

/** True for a statement whose devices serve one call: not `a, b = a.cuda(0), b.cuda(1)`. */
const isOneCall = (statement: Statement): boolean => 'value' in statement && statement.value?.kind === 'Call';

/** Returns what receives a value that a statement computes. A call that only moves a value computes nothing. */
function computedIn(statement: Statement, moves: ReadonlySet<Node>): Expression[] {
  const found: Expression[] = [];
  walk(statement, (node) => {
    if (node.kind === 'Assign' && !moves.has(node.value) && !isDisplay(node.value))
      found.push(...node.targets.flatMap((target) => (isDisplay(target) ? target.elts : [target])));
    if (node.kind === 'AugAssign') found.push(node.target);
    if (node.kind === 'Call' && node.func.kind === 'Attribute' && ADDING.test(node.func.attr))
      found.push(node.func.value);
  });
  return found;
}
