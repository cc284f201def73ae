/** Loads of files that the program itself saves, so they do not contain anything that this machine lacks. */

import type { Program } from '../../guards/program.ts';
import type { SavedDevice } from '../../guards/projectView.ts';
import type { OtherPlace, Reason } from '../../guards/reason.ts';
import { lastPartOf } from '../../python/semantic/accessPaths.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { fileNameOf } from '../../python/semantic/fileNames.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Call, Expression, FunctionDef, Node } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import { isCheckpointName } from './checkpointNames.ts';
import { areExclusive } from './exclusiveBranches.ts';
import { createOrder } from './programOrder.ts';
import { deviceOfSaved } from './savedDevice.ts';
import { type Saver, saversInFile } from './savedPaths.ts';

/**
 * Returns the reasons why a load finds what the program saved: in the same run, or always from the CPU. Empty for a
 * checkpoint that an earlier run may have saved from a GPU.
 */
export function reasonsOfOwnFile(load: Call, path: Expression | undefined, program: Program): readonly Reason[] {
  const savers = saversInFile(path, program);
  if (savers.length === 0) return reasonsOfProjectFile(load, path, program);
  const fresh = savers.find((saver) => isInSameRun(saver, load, program));
  if (fresh) return [{ because: 'this run has just saved the file', at: spanOf(fresh.call) }];
  const devices = new Set(savers.map((saver) => deviceOf(saver, program)));
  if (devices.has('gpu')) return [];
  const from = devices.has('unknown') ? savers.find(({ call }) => call.start < load.start) : savers[0];
  if (!from) return [];
  const because = devices.has('unknown')
    ? 'the program saves this file itself'
    : 'the program saves this file from the CPU';
  return [{ because, at: spanOf(from.call) }];
}

/**
 * Returns the same for files that the project saves elsewhere under the loaded name, or that helpers save for their
 * callers.
 */
function reasonsOfProjectFile(load: Call, path: Expression | undefined, program: Program): readonly Reason[] {
  const fileName = path && fileNameOf(path, program.names);
  const savers = fileName === undefined ? [] : (program.project?.saversOf(fileName) ?? []);
  const [first] = savers;
  if (!first || savers.some(({ device }) => device === 'gpu')) return [];
  const above = savers.find(({ calledAt }) => calledAt && isCalledAbove(calledAt, load, program));
  if (above) return [{ because: 'a helper that is called earlier saves the file', at: above.place }];
  if (savers.some(({ device }) => device !== 'cpu')) return [];
  return [{ because: 'the project saves this file from the CPU', at: first.place }];
}

/** True for a call above the load in the same function. */
function isCalledAbove({ path, line, character }: OtherPlace, load: Call, program: Program): boolean {
  if (path !== program.source.path) return false;
  return program.index.calls.some((call) => {
    if (call.start >= load.start || program.names.functionOf(call) !== program.names.functionOf(load)) return false;
    const place = program.placeOf(call.start);
    return place.line === line && place.character === character;
  });
}

/**
 * Returns the device that a call saves from, as far as the program shows it. A value that a function computes and saves
 * without mentioning GPUs is on the CPU, unless it is a model or a parameter.
 */
export function deviceOf({ value, call }: Saver, program: Program): SavedDevice {
  if (!value) return 'unknown';
  const device = deviceOfSaved(value, program);
  if (device !== 'unknown') return device;
  const home = program.names.functionOf(call);
  return isComputedIn(home, value, program) && !mentionsGpu(home, program) ? 'cpu' : 'unknown';
}

/** True if all names in a value are assigned in the function, and none of them names a model. */
function isComputedIn(home: FunctionDef | undefined, value: Expression, program: Program): boolean {
  let isSo = true;
  walk(value, (node) => {
    if (node.kind === 'Call' && node.func.kind === 'Attribute' && node.func.attr === 'state_dict') isSo = false;
    if (node.kind !== 'Name' && node.kind !== 'Attribute') return isSo;
    if (program.names.qualify(node).length > 0) return false;
    const definitions = program.names.definitionsOf(node);
    if (definitions.length === 0 && node.kind === 'Attribute') return true;
    const isOwn = definitions.every(
      ({ kind, node: by }) => kind !== 'parameter' && by !== undefined && program.names.functionOf(by) === home,
    );
    isSo &&= isOwn && !isCheckpointName(lastPartOf(node) ?? '');
    return false;
  });
  return isSo;
}

/** True for a function, or the top level, that moves anything to a device or names one. */
function mentionsGpu(home: FunctionDef | undefined, { index, names }: Program): boolean {
  return (
    index.usesWhere((name) => /^(cuda|to|device|gpu|xpu)$/.test(name)).some((use) => names.functionOf(use) === home) ||
    index.strings.some((string) => /^(cuda|gpu)/.test(stringOf(string) ?? '') && names.functionOf(string) === home)
  );
}

/**
 * True if every path to the load leads through the save, or the save is above the load in the same function and under
 * no additional test.
 */
function isInSameRun({ call }: Saver, load: Call, program: Program): boolean {
  if (call.start > load.start) return false;
  const home = program.names.functionOf(load);
  if (program.names.functionOf(call) === home)
    return !areExclusive(call, load) && testsAround(load).every((test) => testsAround(call).includes(test));
  return orderAfter(program)(call)(load) !== undefined;
}

const orderAfter = memoize((program: Program) =>
  memoize((save: Call) => createOrder(program, (expression) => expression === save)),
);

/** Returns the tests in the function around a call that decide whether it runs. */
function testsAround(call: Call): Node[] {
  const tests: Node[] = [];
  for (let at = conditionsOf(call); at && at.kind !== 'body'; at = at.outer)
    if (at.kind === 'test') tests.push(at.test);
  return tests;
}
