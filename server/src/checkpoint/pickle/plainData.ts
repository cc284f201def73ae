/**
 * Checks each instruction of a pickle against the grammar of plain data and records the first one that departs from it.
 */
import { constructorOf, isConstant, isInGrammar, reference } from './grammar.ts';
import { datum, key } from './shapes.ts';
import {
  type CallResult,
  type DictValue,
  type GlobalValue,
  isKind,
  type ListValue,
  type ResultType,
  type Value,
} from './symbols.ts';
import type { Workspace } from './workspace.ts';

/** Records, as a clause that follows "it", that the current instruction is not one of plain data. */
function recordDeparture({ seen, at }: Workspace, what: string, isMisuse: boolean): void {
  seen.departure ??= { what, isMisuse, ...at };
}

/** Records an instruction that plain data never has. */
export function recordMisuse(workspace: Workspace, what: string): void {
  recordDeparture(workspace, what, true);
}

/** Checks an import. Returns true for one that is itself a value. */
export function checkImport(workspace: Workspace, name: Pick<GlobalValue, 'module' | 'name' | 'fullName'>): boolean {
  if (!isInGrammar(name)) recordDeparture(workspace, `imports \`${name.fullName}\``, false);
  return isConstant(name);
}

/**
 * Checks a call and returns the kind of its result. `skipsInit` is true if the call creates an object without calling
 * its constructor.
 */
export function checkCall(
  workspace: Workspace,
  callee: Value,
  args: readonly Value[],
  skipsInit: boolean,
): ResultType | undefined {
  const rule = isKind(callee, 'global') ? constructorOf(callee) : undefined;
  const fits = skipsInit ? rule?.skipsInit && args.length === 0 : rule?.call?.(args);
  if (rule && fits) return rule.makes;
  if (!isKind(callee, 'global')) recordMisuse(workspace, 'calls something that it does not import');
  else recordMisuse(workspace, `calls \`${callee.fullName}\` with arguments that plain data does not have`);
  return undefined;
}

/** Checks the state that is set on the result of a call. */
export function checkState(workspace: Workspace, target: CallResult, state: Value): void {
  const rule = isKind(target.callee, 'global') ? constructorOf(target.callee) : undefined;
  const isFirst = target.state === undefined && !target.isFixed;
  if (target.resultType !== undefined && isFirst && rule?.state?.(target, state)) return;
  recordMisuse(workspace, `sets the state of the result of ${calleeOf(target)}`);
}

/** Checks items that are added to a list, a set or the result of a call. */
export function checkItems(workspace: Workspace, target: ListValue | CallResult, items: readonly Value[]): void {
  if (isKind(target, 'result')) {
    if (target.isFixed || !takes(target, 'items'))
      recordMisuse(workspace, `adds items to the result of ${calleeOf(target)}`);
  }
  const fits = isKind(target, 'list') && target.type !== 'list' ? key : datum;
  for (const item of items) if (!fits(item)) recordMisuse(workspace, `adds ${shown(item)} to a container`);
}

/** Checks entries that are added to a dict or to the result of a call. */
export function checkEntries(
  workspace: Workspace,
  target: DictValue | CallResult,
  entries: readonly (readonly [Value, Value])[],
): void {
  if (target.isFixed) recordMisuse(workspace, 'changes a dict that belongs to another object');
  if (isKind(target, 'result') && !takes(target, 'entries'))
    recordMisuse(workspace, `adds items to the result of ${calleeOf(target)}`);
  for (const [name, content] of entries) {
    if (!key(name)) recordMisuse(workspace, `uses ${shown(name)} as a key`);
    if (!datum(content)) recordMisuse(workspace, `adds ${shown(content)} to a container`);
  }
}

/** Checks a reference to something outside the pickle. */
export function checkReference(workspace: Workspace, id: Value): void {
  if (!datum(id) && !reference(id)) recordMisuse(workspace, 'refers to something other than a storage');
  else if (!reference(id)) workspace.seen.doubts.add('refers to something outside the file');
}

/** Checks the object that loading returns. */
export function checkResult(workspace: Workspace, value: Value): void {
  if (!datum(value)) recordMisuse(workspace, `returns ${shown(value)}`);
}

function takes(target: CallResult, what: 'items' | 'entries'): boolean {
  const rule = isKind(target.callee, 'global') ? constructorOf(target.callee) : undefined;
  return target.resultType !== undefined && rule?.takes === what;
}

function calleeOf({ callee }: CallResult): string {
  return isKind(callee, 'global') ? `\`${callee.fullName}\`` : 'a call';
}

function shown(value: Value): string {
  if (isKind(value, 'global')) return `\`${value.fullName}\` itself`;
  return isKind(value, 'result') ? `the result of ${calleeOf(value)}` : 'something that is not plain data';
}
