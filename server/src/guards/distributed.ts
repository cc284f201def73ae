/** Code of a distributed program: one process a GPU, started by a launcher that has counted them. */

import { calledName } from '../python/semantic/accessPaths.ts';
import { callTaking, firstPositional, keywordOf } from '../python/semantic/arguments.ts';
import { isNumber, type StringLiteral, stringOf } from '../python/semantic/literals.ts';
import type { NameResolution } from '../python/semantic/nameResolution.ts';
import type { ProgramIndex } from '../python/semantic/programIndex.ts';
import type { Call, FunctionDef, Node, Subscript } from '../python/syntax/nodes.ts';

export interface Distributed {
  /** True for a function that sets up a process of a distributed run, or is spawned as one. */
  isDistributed(declaration: FunctionDef): boolean;
  /** The same of the top level of the program. */
  readonly isTopLevelDistributed: boolean;
}

const SETS_UP = new Set(['init_process_group']);
const SPAWNS = new Set(['spawn']);

export function createDistributed(index: ProgramIndex, names: NameResolution): Distributed {
  const functions = new Set<FunctionDef>();
  let isTopLevelDistributed = false;
  const mark = (node: Node) => {
    const home = names.functionOf(node);
    if (home) functions.add(home);
    else isTopLevelDistributed = true;
  };
  for (const call of index.callsSpelled(SETS_UP)) if (usesNccl(call)) mark(call);
  for (const call of index.callsSpelled(SPAWNS)) {
    if (!isForEachGpu(call)) continue;
    mark(call);
    const worker = spawnedBy(call, names);
    if (worker) functions.add(worker);
  }
  for (const string of index.stringsOf('LOCAL_RANK')) if (isReadFromEnvironment(string)) mark(string);
  return { isDistributed: (declaration) => functions.has(declaration), isTopLevelDistributed };
}

function usesNccl(call: Call): boolean {
  const backend = stringOf(keywordOf(call, 'backend') ?? firstPositional(call));
  // A backend that is computed, or left to torch, is NCCL wherever there are GPUs.
  return backend === undefined || backend.includes('nccl');
}

/** `mp.spawn(worker, nprocs=torch.cuda.device_count())`; a number that is written out counts no GPUs. */
function isForEachGpu(call: Call): boolean {
  const count = keywordOf(call, 'nprocs') ?? call.args[2];
  return count !== undefined && !isNumber(count);
}

function spawnedBy(call: Call, names: NameResolution): FunctionDef | undefined {
  const worker = keywordOf(call, 'fn') ?? call.args[0];
  const declaration = worker && names.declarationOf(worker);
  return declaration?.kind === 'FunctionDef' ? declaration : undefined;
}

/** `os.environ["LOCAL_RANK"]`, `os.environ.get("LOCAL_RANK")`, `os.getenv("LOCAL_RANK")`, `"LOCAL_RANK" in os.environ` */
function isReadFromEnvironment(string: StringLiteral): boolean {
  const around = string.parent;
  const call = callTaking(string);
  if (call) {
    const name = calledName(call);
    return name === 'getenv' || (name === 'get' && call.func.kind === 'Attribute');
  }
  if (around?.kind === 'Compare') return true;
  if (around?.kind !== 'Subscript') return false;
  return !isAssigned(around);
}

function isAssigned(item: Subscript): boolean {
  const statement = item.parent;
  if (statement?.kind === 'Assign') return statement.targets.includes(item);
  return (statement?.kind === 'AugAssign' || statement?.kind === 'AnnAssign') && statement.target === item;
}
