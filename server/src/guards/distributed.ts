/** Distributed code: a launcher counts the GPUs and starts one process per GPU. */

import { calledName } from '../python/semantic/accessPaths.ts';
import { conditionsOf } from '../python/semantic/annotations.ts';
import { callTaking, firstPositional, keywordOf } from '../python/semantic/arguments.ts';
import { isNumber, type StringLiteral, stringOf } from '../python/semantic/literals.ts';
import type { NameResolution } from '../python/semantic/nameResolution.ts';
import type { PathConditions } from '../python/semantic/pathConditions.ts';
import type { ProgramIndex } from '../python/semantic/programIndex.ts';
import type { Call, Expression, FunctionDef, Subscript } from '../python/syntax/nodes.ts';
import { DISTRIBUTED, type Evidence, NO_EVIDENCE } from './evidence.ts';

interface Distributed {
  /**
   * Returns the evidence of a distributed run under these conditions; none if only a test may start a distributed run.
   */
  at(conditions: PathConditions): Evidence;
}

/** Initialization functions of libraries that only multi-process programs call. */
const SET_UP_CALLS = new Set(['deepspeed.init_distributed', 'deepspeed.initialize', 'horovod.torch.init']);
const SPAWNS = new Set(['spawn']);
/** Collective functions of `torch.distributed`, in which all processes take part. */
export const COLLECTIVES: ReadonlySet<string> = new Set([
  'all_reduce',
  'all_gather',
  'all_gather_into_tensor',
  'all_gather_object',
  'all_to_all',
  'all_to_all_single',
  'barrier',
  'broadcast',
  'broadcast_object_list',
  'gather',
  'reduce',
  'reduce_scatter',
  'reduce_scatter_tensor',
  'scatter',
]);

/** A node that runs only in a distributed program, and its description. */
interface Sign {
  readonly node: Expression;
  readonly because: string;
}

/**
 * A sign applies to code of the same function under all of the sign's conditions: inside a test it says nothing about
 * the code beside the test.
 */
export function createDistributed(index: ProgramIndex, names: NameResolution): Distributed {
  const workers = new Map<FunctionDef, Sign>();
  const signs = new Map<FunctionDef | undefined, Sign[]>();
  const add = (node: Expression, because: string) => {
    const home = names.functionOf(node);
    const own = signs.get(home) ?? [];
    signs.set(home, own);
    own.push({ node, because });
  };

  const addSetUp = (call: Call, seen: Set<FunctionDef>) => {
    add(call, 'this sets up a distributed run');
    // A function that always initializes a process does so for its callers.
    const home = names.functionOf(call);
    const around = conditionsOf(call);
    if (!home || seen.has(home) || around?.kind !== 'body') return;
    seen.add(home);
    for (const caller of index.callsSpelled([home.name]))
      if (names.declarationOf(caller.func) === home) addSetUp(caller, seen);
  };

  for (const call of index.callsSpelled(['init_process_group', 'init_distributed', 'initialize', 'init'])) {
    const isGroup = calledName(call) === 'init_process_group' && usesNccl(call);
    if (isGroup || names.qualify(call.func).some((name) => SET_UP_CALLS.has(name))) addSetUp(call, new Set());
  }
  for (const call of index.callsSpelled(SPAWNS)) {
    if (!spawnsPerGpu(call)) continue;
    add(call, 'this starts a process for each GPU');
    const worker = workerOf(call, names);
    const startsItself = (own: FunctionDef) =>
      index.callsSpelled([own.name]).some(({ func }) => names.declarationOf(func) === own);
    // A worker that the launcher also calls directly runs without GPUs.
    if (worker && !startsItself(worker)) workers.set(worker, { node: call, because: 'this starts it once per GPU' });
  }
  for (const string of index.stringsOf('LOCAL_RANK'))
    if (isReadFromEnvironment(string)) add(string, 'this reads the rank that a launcher sets');
  for (const call of index.callsSpelled(COLLECTIVES))
    if (names.qualify(call.func).some((name) => name.startsWith('torch.distributed.')))
      add(call, 'all processes of a distributed run take part in this');

  const signAt = (conditions: PathConditions): Sign | undefined => {
    if (signs.size === 0 && workers.size === 0) return undefined;
    const active = new Set<PathConditions>([undefined]);
    for (let at = conditions; at; at = at.outer) active.add(at);
    const activeSign = (home: FunctionDef | undefined) =>
      signs.get(home)?.find(({ node }) => active.has(conditionsOf(node)));
    let isTopLevel = true;
    for (let at = conditions; at; at = at.outer) {
      if (at.kind !== 'body' || at.owner.kind !== 'FunctionDef') continue;
      const found = workers.get(at.owner) ?? activeSign(at.owner);
      if (found) return found;
      isTopLevel = false;
    }
    return isTopLevel ? activeSign(undefined) : undefined;
  };

  return {
    at(conditions) {
      const sign = signAt(conditions);
      if (!sign) return NO_EVIDENCE;
      const { node, because } = sign;
      return { ...DISTRIBUTED, reason: { because, at: { start: node.start, end: node.end } } };
    },
  };
}

function usesNccl(call: Call): boolean {
  const backend = stringOf(keywordOf(call, 'backend') ?? firstPositional(call));
  // A backend that is computed, or chosen by torch, is NCCL if there are GPUs.
  return backend === undefined || backend.includes('nccl');
}

/** True for `mp.spawn(worker, nprocs=torch.cuda.device_count())`; a literal number does not count GPUs. */
function spawnsPerGpu(call: Call): boolean {
  const count = keywordOf(call, 'nprocs') ?? call.args[2];
  return count !== undefined && !isNumber(count);
}

function workerOf(call: Call, names: NameResolution): FunctionDef | undefined {
  const worker = keywordOf(call, 'fn') ?? call.args[0];
  const declaration = worker && names.declarationOf(worker);
  return declaration?.kind === 'FunctionDef' ? declaration : undefined;
}

/**
 * True for `os.environ["LOCAL_RANK"]`, `os.environ.get("LOCAL_RANK")` and `os.getenv("LOCAL_RANK")`, but not for a test
 * that the variable exists.
 */
function isReadFromEnvironment(string: StringLiteral): boolean {
  const around = string.parent;
  const call = callTaking(string);
  if (call) {
    const name = calledName(call);
    return (name === 'getenv' || (name === 'get' && call.func.kind === 'Attribute')) && !isOptionDefault(call);
  }
  return around?.kind === 'Subscript' && !isAssigned(around);
}

/** True for the default of a command-line option, which applies if no launcher sets the variable. */
function isOptionDefault(call: Call): boolean {
  for (let at = callTaking(call); at; at = callTaking(at)) if (calledName(at) === 'add_argument') return true;
  return false;
}

function isAssigned(item: Subscript): boolean {
  const statement = item.parent;
  if (statement?.kind === 'Assign') return statement.targets.includes(item);
  return (statement?.kind === 'AugAssign' || statement?.kind === 'AnnAssign') && statement.target === item;
}
