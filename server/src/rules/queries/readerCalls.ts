/** Calls that read a checkpoint from a path that the program determines. */

import type { FoundCheckpoint } from '../../checkpoint/checkpointCache.ts';
import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { type Argument, argumentFor } from '../../python/semantic/arguments.ts';
import { type FilePath, filePathOf } from '../../python/semantic/filePaths.ts';
import { isNone } from '../../python/semantic/literals.ts';
import type { Call, Expression, Node } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import { type Reader, readers } from '../catalogue/catalogue.ts';
import { type Derived, lastParts, NO_LOADERS, type Selector } from '../engine/selector.ts';
import { loadersOf, triggersOf } from './loaderCalls.ts';
import { isSavedBefore } from './savedPaths.ts';

export interface ReaderCall {
  readonly call: Call;
  readonly reader: Reader;
  /** The arguments, including those of an earlier partial. */
  readonly args: readonly Argument[];
  readonly expression: Expression;
  readonly path: FilePath;
}

/** Returns the call as a call of a reader, if the program alone determines the path. */
export function readerCallOf(call: Call, program: Program): ReaderCall | undefined {
  const found = readerOf(call, program);
  const expression = found && argumentFor(found.args, found.reader.parameter, 0).argument?.value;
  const path = expression && filePathOf(expression, program);
  return path && { call, ...found, expression, path };
}

function readerOf(call: Call, program: Program): Pick<ReaderCall, 'reader' | 'args'> | undefined {
  const { qualified, args } = program.names.calleeOf(call);
  const names =
    qualified.length > 0 ? qualified : loadersOf(call, program, NO_LOADERS).map(({ loader }) => loader.name);
  // A call that may reach several readers is the program's choice.
  const found = new Set(names.map((name) => readers.get(name)));
  const [reader] = found;
  return found.size === 1 && reader ? { reader, args } : undefined;
}

/** A call with the files that it may read here. */
export interface Reading extends ReaderCall {
  /** At least one. */
  readonly files: readonly FoundCheckpoint[];
  /** True if the program checks the file, or continues if the file cannot be loaded. */
  readonly isHandled: boolean;
}

/** The last parts of the readers' names. */
export const READER_NAMES: ReadonlySet<string> = new Set(lastParts(readers.keys()));

/** Calls of readers with a path that the program determines. */
export const readerCalls: Selector<ReaderCall> = {
  calls: {
    names: lastParts(readers.keys()),
    resolve: (call, program) => [readerCallOf(call, program) ?? []].flat(),
  },
  triggers: triggersOf(readers.values()),
};

/** Calls whose files exist, except those that read what the program itself wrote before. */
export const readings: Derived<Reading> = {
  from: readerCalls,
  resolve(matches, program, { checkpointsAt }) {
    if (!checkpointsAt) return [];
    return matches.of(readerCalls).flatMap((reader): Reading[] => {
      const { call, expression, path } = reader;
      const files = isSavedBefore(call, expression, program) ? [] : checkpointsAt(path);
      return files.length > 0 ? [{ ...reader, files, isHandled: isHandled(call, expression, program) }] : [];
    });
  },
};

function isHandled(call: Call, path: Expression, program: Program): boolean {
  for (let inner: Node = call, at = call.parent; at && at.kind !== 'FunctionDef'; inner = at, at = at.parent)
    if (at.kind === 'Try' && at.handlers.length > 0 && at.body.includes(inner as never)) return true;
  const home = program.names.functionOf(call);
  let isTested = false;
  for (const statement of home?.body ?? program.cells.flat())
    walk(statement, (node) => {
      if (node.kind === 'If' || node.kind === 'IfExp') isTested ||= testsFormat(node.test, path, program);
      return node.kind !== 'FunctionDef' && node.kind !== 'ClassDef';
    });
  return isTested;
}

/** True for a test of the path that checks more than its existence: `path.endswith(".h5")`, `os.path.isdir(path)`. */
function testsFormat(test: Expression, path: Expression, program: Program): boolean {
  const spelled = program.text.slice(path.start, path.end);
  const names = new Set<string>();
  walk(path, (node) => {
    if (node.kind === 'Name' && program.names.definitionsOf(node).some(({ kind }) => kind !== 'import'))
      names.add(node.id);
  });
  let asks = false;
  walk(test, (node) => {
    if (node.kind === 'Call' && /^(exists|isfile|is_file)$/.test(calledName(node))) return false;
    if (node === test && (node.kind === 'Name' || node.kind === 'Attribute')) return false;
    if (node.kind === 'Compare' && (isNone(node.left) || node.comparators.some(isNone))) return false;
    if (node.kind === 'UnaryOp' || node.kind === 'BoolOp') return true;
    asks ||= (node.kind === 'Name' && names.has(node.id)) || program.text.slice(node.start, node.end) === spelled;
    return true;
  });
  return asks;
}

/** Returns the path as messages quote it: as the program spells it, or as far as the program shows it. */
export function quotedPath({ path }: ReaderCall): string {
  return `\`${path.text.replace(/^(\.\/)+/, '').replaceAll('`', "'")}\``;
}
