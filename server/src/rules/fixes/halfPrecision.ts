/**
 * Half precision is for GPUs: on a CPU, older releases of torch lack many half-precision operations, and all of them
 * are slow. If there is no GPU, fixes therefore skip code that converts a value to half precision and moves it to a
 * GPU.
 */

import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { argumentsOf, callTaking } from '../../python/semantic/arguments.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Call, Expression, FunctionDef, Node, Statement } from '../../python/syntax/nodes.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { statementAround } from '../queries/blocks.ts';
import { deviceUses } from '../queries/deviceUses.ts';
import type { Offer } from './offers.ts';
import { underTest, underTestWhole } from './raisingCall.ts';

const HALF = /^torch\.(float16|half|HalfTensor|cuda\.HalfTensor)$/;
const DTYPES = /^(dtype|torch_dtype)$/;
/** The maximum number of assignments to follow. */
const FARTHEST = 4;

/** True if the call moves a value that was converted to half precision before, or is converted in the same chain. */
export function movesHalf(program: Program, call: Call): boolean {
  return isMadeHalf(program, call) || isMadeHalfAfter(program, call) || isMadeHalfElsewhere(program, call);
}

/** True for a literal that reaches such a call through a variable: `device = "cuda"` and `x.half().to(device)`. */
export function reachesHalf(program: Program, literal: Node): boolean {
  return (
    movedBy(program)
      .get(literal)
      ?.some((call) => movesHalf(program, call)) ?? false
  );
}

/** Returns the calls that each device literal in the program reaches, including through variables. */
const movedBy = memoize((program: Program): ReadonlyMap<Node, readonly Call[]> => {
  const found = new Map<Node, Call[]>();
  for (const use of matchesIn(program, deviceUses)) {
    const call = moverOf(program, use.expression);
    if (!call) continue;
    for (const { node } of use.literals) found.set(node, [...(found.get(node) ?? []), call]);
  }
  return found;
});

/** Returns the call that receives a device literal, including one inside `torch.device(...)`. */
export function moverOf(program: Program, literal: Expression): Call | undefined {
  for (let at: Expression = literal, call = callTaking(at); call; at = call, call = callTaking(at)) {
    if (!program.names.calleeOf(call).qualified.includes('torch.device')) return call;
  }
  return undefined;
}

/** Guards the whole statement if later code does not depend on more: `m.half().cuda()` and `m = m.half().cuda()`. */
export function onlyOnGpu(program: Program, call: Call, test?: string): Offer[] {
  const statement = statementAround(call);
  if (statement?.kind !== 'Assign') return underTest(program, call, test);
  return keepsItsName(program, statement, call) ? underTestWhole(program, call, test) : [];
}

/** True for `m = m.half().cuda()`: if it does not run, `m` keeps its value. */
function keepsItsName(program: Program, statement: Statement, call: Call): boolean {
  if (statement.kind !== 'Assign' || statement.targets.length !== 1) return false;
  let whole: Node = call;
  while (whole.parent?.kind === 'Attribute' || (whole.parent?.kind === 'Call' && whole.parent.func === whole))
    whole = whole.parent;
  const [target] = statement.targets;
  return target !== undefined && statement.value === whole && textOf(program, rootOf(call)) === textOf(program, target);
}

/** Returns `m.x` for `m.x.half().cuda()`. */
function rootOf(call: Call): Expression {
  let at: Expression = call;
  while (at.kind === 'Call' && at.func.kind === 'Attribute') at = at.func.value;
  return at;
}

const textOf = (program: Program, { start, end }: Expression) => program.text.slice(start, end);

/**
 * True if the value is converted to half precision, including by earlier assignments. Each value is visited once,
 * regardless of the number of paths.
 */
function isMadeHalf(program: Program, expression: Expression): boolean {
  const known = new Set([expression]);
  let values = [expression];
  for (let step = 0; step <= FARTHEST && values.length > 0; step++) {
    const earlier: Expression[] = [];
    for (const value of values) {
      const { isHalf, root } = followed(program, value);
      if (isHalf) return true;
      for (const assigned of assignedTo(program, root)) {
        if (known.has(assigned) || isMoved(assigned)) continue;
        known.add(assigned);
        earlier.push(assigned);
      }
    }
    values = earlier;
  }
  return false;
}

/** Returns the start of a chain `x.a().b()`, and whether one of its calls converts to half precision. */
function followed(program: Program, value: Expression): { readonly isHalf: boolean; readonly root: Expression } {
  let root = value;
  for (; root.kind === 'Call'; root = root.func.value) {
    if (makesHalf(program, root)) return { isHalf: true, root };
    if (root.func.kind !== 'Attribute') break;
  }
  return { isHalf: false, root };
}

function assignedTo(program: Program, root: Expression): Expression[] {
  if (root.kind !== 'Name') return [];
  return program.names
    .definitionsOf(root)
    .flatMap(({ kind, value }) => (kind === 'value' && value !== undefined ? [value] : []));
}

/** True for a value that is moved where it is converted to half precision; that call is checked separately. */
function isMoved(value: Expression): boolean {
  for (let at = value; at.kind === 'Call' && at.func.kind === 'Attribute'; at = at.func.value) {
    if (at.func.attr === 'cuda') return true;
    if (argumentsOf(at).some(({ value }) => stringOf(value)?.startsWith('cuda'))) return true;
  }
  return false;
}

/** `x.cuda().half()` */
function isMadeHalfAfter(program: Program, call: Call): boolean {
  for (let at: Node = call; at.parent?.kind === 'Attribute' && at.parent.parent?.kind === 'Call'; ) {
    at = at.parent.parent;
    if (makesHalf(program, at as Call)) return true;
  }
  return false;
}

/** True if `model.half()` is a statement in the same function. */
function isMadeHalfElsewhere(program: Program, call: Call): boolean {
  const root = rootOf(call);
  if (root.kind !== 'Name' && root.kind !== 'Attribute') return false;
  return halvedIn(program).get(program.names.functionOf(call))?.has(textOf(program, root)) ?? false;
}

/** Returns, as text, the receivers that each function converts to half precision in place. */
const halvedIn = memoize((program: Program): ReadonlyMap<FunctionDef | undefined, ReadonlySet<string>> => {
  const found = new Map<FunctionDef | undefined, Set<string>>();
  for (const call of program.index.calls) {
    if (call.parent?.kind !== 'Expr' || !makesHalf(program, call)) continue;
    const home = program.names.functionOf(call);
    const names = found.get(home) ?? new Set();
    found.set(home, names.add(textOf(program, rootOf(call))));
  }
  return found;
});

function makesHalf(program: Program, call: Call): boolean {
  const name = calledName(call);
  if (name === 'half' && call.func.kind === 'Attribute') return call.args.length === 0 && call.keywords.length === 0;
  const takesType = name === 'to' || name === 'type';
  return argumentsOf(call).some(
    ({ name: parameter, value }) =>
      (parameter === undefined ? takesType : DTYPES.test(parameter)) && isHalfType(program, value),
  );
}

function isHalfType(program: Program, value: Expression): boolean {
  const text = stringOf(value);
  if (text !== undefined) return text === 'float16' || HALF.test(text);
  return (
    (value.kind === 'Name' || value.kind === 'Attribute') &&
    program.names.qualify(value).some((name) => HALF.test(name))
  );
}
