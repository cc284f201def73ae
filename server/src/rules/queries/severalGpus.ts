/**
 * Programs that show several GPUs working together: model parallelism, pipeline stages, a strategy's list of devices.
 */

import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { calledName, pathOf } from '../../python/semantic/accessPaths.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { argumentsOf, callTaking, keywordOf } from '../../python/semantic/arguments.ts';
import { isDisplay, isNone, type StringLiteral, stringOf } from '../../python/semantic/literals.ts';
import { isModule } from '../../python/semantic/nameResolution.ts';
import type { PathConditions } from '../../python/semantic/pathConditions.ts';
import { enclosingClass } from '../../python/semantic/scopes.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Call, Expression, Node, Statement } from '../../python/syntax/nodes.ts';
import { forEachChild, walk } from '../../python/syntax/walk.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { cpuOffersIn } from './cpuOffers.ts';
import { type DeviceUse, deviceUses } from './deviceUses.ts';
import { type GpuSign, reachOf } from './gpuReach.ts';

const BECAUSE = 'it shows several GPUs working together';
/** `requires your machine to have 2 GPUs` */
const REQUIRED =
  /\b(?:requires?|needs?|must have|at least|assum(?:es?|ing))\b[^.]{0,60}?\b(?:[2-9]|1[0-6]|two|three|four|eight|multiple|several)\s+(?:[\w-]+\s+)?GPUs\b/i;
/** Strategies that split a step among the devices in their list. */
const STRATEGIES = /^tensorflow\.(compat\.v1\.)?(contrib\.)?distribute\.(experimental\.)?\w*Strategy$/;
/** Methods that store a value in the object they are called on. */
const ADDING = new Set(['append', 'extend', 'add', 'insert', 'appendleft']);
/** Methods that move a value to the device of their argument. */
const MOVING = new Set(['to', 'cuda']);
/** Calls that only show their arguments. */
const SHOWING = /^(print|len|str|repr|format|info|debug|warning|zip|enumerate|isinstance|type|id|join)$/;
/** Maximum number of statements in a program to analyze; longer programs are generated. */
const MOST_STATEMENTS = 4000;

/** A device on which a value was put, with the conditions. */
interface Placement {
  readonly index: number;
  /** True for a value that was computed there. Moving it to another device passes it on, unlike moving a model. */
  readonly isComputed: boolean;
  /** True for a value in a scope such as `tf.device`, since TensorFlow moves operands between devices automatically. */
  readonly isScoped: boolean;
  readonly conditions: PathConditions;
}

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

/** Returns the places where values on different devices meet, or where a value is moved from its device to another. */
function meetingsIn(program: Program, pinned: readonly DeviceUse[]): Expression[] {
  const byCall = new Map<Call, Placement>();
  const scopes = new Map<Node, Placement>();
  for (const use of pinned) {
    const call = callTaking(use.expression);
    if (!call) continue;
    const placement = { index: indexOf(use), isComputed: false, isScoped: false, conditions: use.conditions };
    byCall.set(call, placement);
    if (call.parent?.kind === 'withitem' && call.parent.parent)
      scopes.set(call.parent.parent, { ...placement, isScoped: true });
  }
  /** Keyed by the function that a path belongs to or, for attributes of `self`, by the class. */
  const placementsByPath = new Map<Node | undefined, Map<string, Set<Placement>>>();
  const met: Expression[] = [];

  const homeOf = (node: Expression, path: string): Node | undefined =>
    path.startsWith('self.') ? enclosingClass(program.names.scopeOf(node)) : program.names.functionOf(node);
  const known = (node: Expression, path: string): ReadonlySet<Placement> | undefined =>
    placementsByPath.get(homeOf(node, path))?.get(path) ?? placementsByPath.get(undefined)?.get(path);

  const ofScope = (node: Node): readonly Placement[] => {
    for (let at = node.parent; at; at = at.parent) {
      const found = scopes.get(at);
      if (found) return [found];
      if (at.kind === 'FunctionDef') break;
    }
    return [];
  };

  /** Records a place where values on different devices meet. */
  const meet = (node: Expression, ...values: readonly (readonly Placement[])[]) => {
    const conditions = conditionsOf(node);
    const isHere = (each: Placement) => !areExclusive(each.conditions, conditions);
    const differ = (a: Placement, b: Placement) => a.index !== b.index && !areExclusive(a.conditions, b.conditions);
    const isMeeting = values.some((own, at) =>
      own.some((a) => isHere(a) && values.slice(at + 1).some((other) => other.some((b) => isHere(b) && differ(a, b)))),
    );
    if (isMeeting) met.push(node);
  };

  /** Returns the possible devices of an expression's value, and records where they meet. */
  const placementsOf = (node: Node): readonly Placement[] => {
    if (node.kind === 'Lambda' || node.kind === 'FunctionDef') return [];
    if (node.kind === 'Name' || node.kind === 'Attribute') {
      const path = pathOf(node);
      const own = path === undefined ? undefined : known(node, path);
      if (own) return [...own];
    }
    const parts: (readonly Placement[])[] = [];
    forEachChild(node, (child) => parts.push(placementsOf(child)));
    const found = parts.flat();
    if (node.kind === 'BinOp') meet(node, ...parts.map((part) => part.filter(({ isScoped }) => isScoped)));
    if (node.kind !== 'Call') return found;
    const own = byCall.get(node);
    const moved = own ? [own] : MOVING.has(calledName(node)) ? parts.slice(1).flat() : [];
    if (moved.length > 0) {
      const [receiver = []] = parts;
      meet(
        node,
        (own ? found : receiver).filter(({ isComputed }) => isComputed),
        moved,
      );
      return moved;
    }
    if (!SHOWING.test(calledName(node))) meet(node, ...parts);
    return found.map((each) => ({ ...each, isComputed: true }));
  };

  const put = (target: Expression, placements: readonly Placement[]) => {
    if (isDisplay(target)) for (const item of target.elts) put(item, placements);
    const path = pathOf(target);
    if (path === undefined || placements.length === 0) return;
    const home = homeOf(target, path);
    const paths = placementsByPath.get(home) ?? new Map<string, Set<Placement>>();
    placementsByPath.set(home, paths);
    paths.set(path, new Set([...(paths.get(path) ?? []), ...placements]));
  };

  const assign = (target: Expression, value: Expression, around: readonly Placement[]): void => {
    if (isDisplay(target) && isDisplay(value) && target.elts.length === value.elts.length)
      target.elts.forEach((item, index) => {
        const own = value.elts[index];
        if (own) assign(item, own, around);
      });
    else put(target, [...placementsOf(value), ...around]);
  };

  const read = (statement: Statement): void => {
    if (statement.kind === 'Assign') {
      for (const target of statement.targets) assign(target, statement.value, ofScope(statement));
    } else if (statement.kind === 'Expr' && statement.value.kind === 'Call') {
      const call = statement.value;
      const placements = [...placementsOf(call), ...ofScope(statement)];
      if (call.func.kind !== 'Attribute') return;
      const path = pathOf(call.func.value);
      // `net.to("cuda:0")` moves the module itself.
      if (byCall.has(call) && !isModule(program.names, call.func.value)) put(call.func.value, placements);
      else if (ADDING.has(call.func.attr) && path !== undefined) {
        put(call.func.value, placements);
        meet(call, ...[...(known(call, path) ?? [])].map((each) => [each]));
      }
    } else if (statement.kind === 'Return' && statement.value) placementsOf(statement.value);
    else if (statement.kind === 'AugAssign')
      put(statement.target, [...placementsOf(statement.value), ...ofScope(statement)]);
  };

  const statements: Statement[] = [];
  for (const statement of program.cells.flat())
    walk(statement, (node) => {
      if (node.kind === 'Assign' || node.kind === 'Expr' || node.kind === 'Return' || node.kind === 'AugAssign')
        statements.push(node);
      return true;
    });
  if (statements.length > MOST_STATEMENTS) return [];
  // Walked twice, since a method may use values that a later method places on a device.
  for (const statement of [...statements, ...statements]) read(statement);
  return met;
}

/** True if one of two pieces of code runs only if the other does not. */
function areExclusive(a: PathConditions, b: PathConditions): boolean {
  const outcomes = new Map<Node, boolean>();
  for (let at = a; at; at = at.outer) if (at.kind === 'test') outcomes.set(at.test, at.truth);
  for (let at = b; at; at = at.outer)
    if (at.kind === 'test' && outcomes.has(at.test) && outcomes.get(at.test) !== at.truth) return true;
  return false;
}
