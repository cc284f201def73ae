import type { Actions } from './actions.ts';
import { OP, type Operand, PickleTrouble } from './opcodes.ts';
import { type Global, isKind, type Made, type Persistent, type Value } from './symbols.ts';
import type { Workspace } from './workspace.ts';

/** What is imported, called, built, or lies outside of the pickle. */
export const OBJECTS: Actions = {
  [OP.GLOBAL]: (workspace, operand) => workspace.push(importedByLines(workspace, operand)),
  [OP.STACK_GLOBAL]: (workspace) => {
    const name = workspace.pop();
    const module = workspace.pop();
    // A name that is computed could be any name.
    const known = (text: Value) => (typeof text === 'string' ? text : '?');
    workspace.push(imported(workspace, known(module), known(name)));
  },
  [OP.EXT1]: pushExtension,
  [OP.EXT2]: pushExtension,
  [OP.EXT4]: pushExtension,
  [OP.REDUCE]: callTop,
  [OP.NEWOBJ]: callTop,
  [OP.NEWOBJ_EX]: (workspace) => {
    workspace.pop();
    callTop(workspace);
  },
  [OP.INST]: (workspace, operand) => {
    const args = workspace.popMark();
    call(workspace, importedByLines(workspace, operand), args);
  },
  [OP.OBJ]: (workspace) => {
    const [callee, ...args] = workspace.popMark();
    if (callee === undefined) throw new PickleTrouble('takes from an empty stack');
    call(workspace, callee, args);
  },
  [OP.BUILD]: ({ pop, top }) => {
    const state = pop();
    const target = top();
    if (isKind(target, 'made')) target.state = state;
  },
  [OP.PERSID]: (workspace, operand) => pushPersistent(workspace, operand),
  [OP.BINPERSID]: (workspace) => pushPersistent(workspace, workspace.pop()),
};

function imported({ seen, count }: Workspace, module: string, name: string): Global {
  const fullName = `${module}.${name}`;
  const known = seen.globals.get(fullName);
  if (known) return known;
  count();
  const fresh: Global = { kind: 'global', module, name, fullName };
  seen.globals.set(fullName, fresh);
  return fresh;
}

function importedByLines(workspace: Workspace, operand: Operand): Global {
  const [module = '', name = ''] = (operand as string).split('\n');
  return imported(workspace, module, name);
}

/** A number that the reading program's registry of extensions translates into any name. */
function pushExtension(workspace: Workspace, operand: Operand): void {
  workspace.push(imported(workspace, 'copyreg extension', String(operand)));
}

function callTop(workspace: Workspace): void {
  const args = workspace.pop();
  call(workspace, workspace.pop(), isKind(args, 'tuple') || isKind(args, 'list') ? args.items : []);
}

function call({ seen, count, push }: Workspace, callee: Value, args: readonly Value[]): void {
  count();
  const result: Made = { kind: 'made', callee, args };
  seen.calls.push(result);
  push(result);
}

function pushPersistent({ seen, count, push }: Workspace, id: Value): void {
  count();
  const symbol: Persistent = { kind: 'persistent', id };
  seen.persistent.push(symbol);
  push(symbol);
}
