import type { Actions } from './actions.ts';
import { recordForeignChange, recordSelfReference } from './effects.ts';
import { COST } from './limits.ts';
import { OP } from './opcodes.ts';
import { checkEntries, checkItems } from './plainData.ts';
import { datum, key } from './shapes.ts';
import { type DictValue, isKind, type ListValue, mayContain, type TupleValue, type Value } from './symbols.ts';
import type { Workspace } from './workspace.ts';

const EMPTY_TUPLE: TupleValue = { kind: 'tuple', items: [], isPlain: true, isHashable: true };

/** Actions for tuples, lists, sets and dicts. */
export const CONTAINERS: Actions = {
  [OP.EMPTY_TUPLE]: ({ push }) => push(EMPTY_TUPLE),
  [OP.TUPLE1]: (workspace) => pushTuple(workspace, workspace.popLast(1)),
  [OP.TUPLE2]: (workspace) => pushTuple(workspace, workspace.popLast(2)),
  [OP.TUPLE3]: (workspace) => pushTuple(workspace, workspace.popLast(3)),
  [OP.TUPLE]: (workspace) => pushTuple(workspace, workspace.popMark()),
  [OP.EMPTY_LIST]: (workspace) => pushList(workspace, []),
  [OP.EMPTY_SET]: (workspace) => pushList(workspace, [], 'set'),
  [OP.LIST]: (workspace) => pushList(workspace, workspace.popMark()),
  [OP.FROZENSET]: (workspace) => pushList(workspace, workspace.popMark(), 'frozenset'),
  [OP.EMPTY_DICT]: (workspace) => pushDict(workspace, []),
  [OP.DICT]: (workspace) => pushDict(workspace, pairs(workspace.popMark())),
  [OP.APPEND]: (workspace) => append(workspace, workspace.popLast(1)),
  [OP.APPENDS]: (workspace) => append(workspace, workspace.popMark()),
  [OP.ADDITEMS]: (workspace) => append(workspace, workspace.popMark()),
  [OP.SETITEM]: (workspace) => setItems(workspace, workspace.popLast(2)),
  [OP.SETITEMS]: (workspace) => setItems(workspace, workspace.popMark()),
};

function pushTuple({ count, push }: Workspace, items: readonly Value[]): void {
  count(COST.container + items.length * COST.item + (items.some(mayContain) ? COST.nested : 0));
  const isPlain = items.every(datum);
  const tuple: TupleValue = { kind: 'tuple', items, isPlain, isHashable: isPlain && items.every(key) };
  push(tuple);
}

function pushList(workspace: Workspace, items: Value[], type: ListValue['type'] = 'list'): void {
  workspace.count(COST.container + items.length * COST.item);
  const list: ListValue = { kind: 'list', type, items };
  checkItems(workspace, list, items);
  workspace.push(list);
}

function pushDict(workspace: Workspace, entries: DictValue['entries']): void {
  workspace.count(COST.container + entries.length * COST.entry);
  const dict: DictValue = { kind: 'dict', entries };
  checkEntries(workspace, dict, entries);
  workspace.push(dict);
}

function append(workspace: Workspace, items: readonly Value[]): void {
  const target = workspace.top();
  if (!isKind(target, 'list') && !isKind(target, 'result')) return recordForeignChange(workspace, target);
  workspace.count(items.length * COST.item + (target.items?.length ? 0 : COST.firstItem));
  checkItems(workspace, target, items);
  target.items ??= [];
  for (const item of items) {
    if (item === target && target.items.includes(item)) recordSelfReference(workspace);
    target.items.push(item);
  }
}

function setItems(workspace: Workspace, items: readonly Value[]): void {
  const target = workspace.top();
  if (!isKind(target, 'dict') && !isKind(target, 'result')) return recordForeignChange(workspace, target);
  workspace.count((items.length / 2) * COST.entry + (target.entries?.length ? 0 : COST.firstItem));
  const entries = pairs(items);
  checkEntries(workspace, target, entries);
  target.entries ??= [];
  for (const entry of entries) target.entries.push(entry);
}

function pairs(items: readonly Value[]): [Value, Value][] {
  const found: [Value, Value][] = [];
  for (let index = 0; index + 1 < items.length; index += 2)
    found.push([items[index] as Value, items[index + 1] as Value]);
  return found;
}
