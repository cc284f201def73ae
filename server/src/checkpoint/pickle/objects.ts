import type { Actions } from './actions.ts';
import { recordComputedCall, recordDangerousCall, recordForeignChange, recordSecondState } from './effects.ts';
import { COST, STEPS } from './limits.ts';
import { OP, type Operand, PickleFailure } from './opcodes.ts';
import { checkCall, checkImport, checkReference, checkState, recordMisuse } from './plainData.ts';
import { importedBy } from './python2.ts';
import { type CallResult, type GlobalValue, isKind, type Persistent, type Value } from './symbols.ts';
import type { Workspace } from './workspace.ts';

/** Actions for imports, calls, states and references outside the pickle. */
export const OBJECTS: Actions = {
  [OP.GLOBAL]: (workspace, operand) => workspace.push(importedByLines(workspace, operand)),
  [OP.STACK_GLOBAL]: (workspace) => {
    const name = workspace.pop();
    const module = workspace.pop();
    // A computed name could be any name.
    const known = (text: Value) => (typeof text === 'string' ? text : '?');
    workspace.push(imported(workspace, known(module), known(name)));
  },
  [OP.EXT1]: pushExtension,
  [OP.EXT2]: pushExtension,
  [OP.EXT4]: pushExtension,
  [OP.REDUCE]: (workspace) => callTop(workspace, false),
  [OP.NEWOBJ]: (workspace) => callTop(workspace, true),
  [OP.NEWOBJ_EX]: (workspace) => {
    workspace.count(COST.item);
    workspace.seen.states.push(workspace.pop());
    recordMisuse(workspace, 'creates an object with named arguments');
    callTop(workspace, true);
  },
  [OP.INST]: (workspace, operand) => {
    // Python's unpickler imports before it looks for the mark.
    const callee = importedByLines(workspace, operand);
    callAsPython2(workspace, callee, workspace.popMark());
  },
  [OP.OBJ]: (workspace) => {
    const [callee, ...args] = workspace.popMark();
    if (callee === undefined) throw new PickleFailure('pops from an empty stack');
    callAsPython2(workspace, callee, args);
  },
  [OP.BUILD]: (workspace) => {
    const state = workspace.pop();
    const target = workspace.top();
    if (!isKind(target, 'result')) {
      recordMisuse(workspace, 'sets the state of something that no call created');
      workspace.count(COST.item);
      workspace.seen.states.push(state);
      return recordForeignChange(workspace, target);
    }
    checkState(workspace, target, state);
    if (target.state !== undefined) recordSecondState(workspace, target.state);
    target.state = state;
  },
  [OP.PERSID]: (workspace, operand) => pushPersistent(workspace, operand),
  [OP.BINPERSID]: (workspace) => pushPersistent(workspace, workspace.pop()),
};

function imported(workspace: Workspace, module: string, name: string): GlobalValue {
  const { seen, count, spend } = workspace;
  // Python rejects an empty module name, and no file system has a name that contains a NUL.
  if (module === '' || module.includes('\0')) throw new PickleFailure('imports from an invalid module');
  const found = importedBy(module, name, seen.protocol);
  const fullName = `${found.module}.${found.name}`;
  // A name joined with a dot can be split in more than one way.
  const key = `${found.module}\n${found.name}`;
  const known = seen.globals.get(key);
  if (known) return known;
  spend(STEPS.import + fullName.length * STEPS.letterOfName);
  count(COST.import + fullName.length * COST.character);
  const isConstant = checkImport(workspace, { ...found, fullName });
  const fresh: GlobalValue = { kind: 'global', ...found, fullName, isConstant };
  seen.globals.set(key, fresh);
  return fresh;
}

function importedByLines(workspace: Workspace, operand: Operand): GlobalValue {
  const [module = '', name = ''] = (operand as string).split('\n');
  return imported(workspace, module, name);
}

/** Pushes an extension code, which the loading program's registry may map to any name. */
function pushExtension(workspace: Workspace, operand: Operand): void {
  workspace.push(imported(workspace, 'copyreg extension', String(operand)));
}

function callTop(workspace: Workspace, skipsInit: boolean): void {
  const args = workspace.pop();
  const callee = workspace.pop();
  // Python requires a tuple; for anything else, its versions differ.
  if (!isKind(args, 'tuple')) workspace.seen.doubts.add('calls something with arguments that are not a tuple');
  call(workspace, callee, isKind(args, 'tuple') || isKind(args, 'list') ? args.items : [args], skipsInit);
}

function call(workspace: Workspace, callee: Value, args: readonly Value[], skipsInit = false): void {
  workspace.count(COST.call + args.length * COST.item);
  if (!isKind(callee, 'global')) recordComputedCall(workspace);
  const resultType = checkCall(workspace, callee, args, skipsInit);
  if (resultType === undefined && isKind(callee, 'global')) recordDangerousCall(workspace, callee);
  const { offset } = workspace.at;
  const result: CallResult = { kind: 'result', callee, args, skipsInit, offset, resultType };
  workspace.seen.calls.push(result);
  workspace.push(result);
}

/** Calls a class the way protocols 0 and 1 created instances of Python 2 classes. */
function callAsPython2(workspace: Workspace, callee: Value, args: readonly Value[]): void {
  recordMisuse(workspace, 'creates an instance the way Python 2 did');
  call(workspace, callee, args);
}

function pushPersistent(workspace: Workspace, id: Value): void {
  const { seen, count, push } = workspace;
  checkReference(workspace, id);
  count(COST.persistent);
  const symbol: Persistent = { kind: 'persistent', id };
  seen.persistent.push(symbol);
  push(classIn(id) ?? symbol);
}

/** `('module', class, file, source)` represents the class: PyTorch before 1.6 includes its source to compare it. */
function classIn(id: Value): GlobalValue | undefined {
  const [tag, type] = isKind(id, 'tuple') ? id.items : [];
  return tag === 'module' && isKind(type, 'global') ? type : undefined;
}
