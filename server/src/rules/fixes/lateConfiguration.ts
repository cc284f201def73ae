/** GPU302: the configuration of TensorFlow's devices is moved before their initialization. */

import type { Program } from '../../guards/program.ts';
import type { Span } from '../../python/semantic/source.ts';
import type { Call, Node, Statement } from '../../python/syntax/nodes.ts';
import { startOf, walk } from '../../python/syntax/walk.ts';
import type { Fix } from '../edits/fix.ts';
import { lineStart, startsLine } from '../edits/layout.ts';
import { insertion, isAloneOnItsLines, replacement } from '../edits/placement.ts';
import { positionOf, statementAround } from '../queries/blocks.ts';
import { bindsAny, wholeLines } from './lateSetting.ts';
import { isSound } from './soundness.ts';

const LISTS = /^tensorflow\.config\.(experimental\.)?list_physical_devices$/;
const CONFIGURES = /^tensorflow\.config\.\w/;
const HARMLESS = /^(print|len|range|enumerate|str)$/;

/**
 * Moves the configuring statement, with the list of GPUs above it, before the initialization in the same block. Empty
 * if the statement does anything else, or if code in between is needed for it or reads what it assigns.
 */
export function fixesOfLateConfiguration(program: Program, call: Call, cause: Span): Fix[] {
  if (!isSound(program, call)) return [];
  const place = placeBelow(program, call, cause);
  if (!place) return [];
  const { block, from, to } = place;
  const before = block[from];
  let first = to;
  // The list of GPUs is moved with it.
  while (first - 1 > from && listsGpus(block[first - 1], program)) first--;
  const moved = block.slice(first, to + 1);
  if (!before || !startsLine(program, startOf(before)) || !moved.every((each) => canMove(program, each))) return [];
  const names = new Set(moved.flatMap(namesIn));
  const between = block.slice(from, first);
  if (between.some((each) => bindsAny(each, names))) return [];
  const assigned = new Set(
    moved.flatMap(namesIn).filter((name) => moved.some((each) => bindsAny(each, new Set([name])))),
  );
  if (between.flatMap(namesIn).some((name) => assigned.has(name))) return [];
  const lines = moved.map((each) => wholeLines(program, each));
  const [start, end] = [lines[0]?.[0] ?? 0, lines.at(-1)?.[1] ?? 0];
  const target = lineStart(program, startOf(before));
  const sameCell = program.toCell({ start: target, end: target }).cell === program.toCell({ start, end: start }).cell;
  // Lines of another cell end with the cell.
  if (!sameCell || !/[\r\n]$/.test(program.text.slice(start, end))) return [];
  return [
    {
      title: `Move before line ${program.placeOf(before.start).line + 1}, where the GPUs are initialized`,
      tier: 'suggestion',
      edits: [insertion(target, program.text.slice(start, end)), replacement(start, end, '')],
    },
  ];
}

/** Returns the block that contains both, with the positions of the initializing and the configuring statement. */
function placeBelow(program: Program, call: Call, cause: Span) {
  for (let at = statementAround(call); at && at.kind !== 'FunctionDef'; at = at.parent && statementAround(at.parent)) {
    const { block, index } = positionOf(program, at);
    const from = block.findIndex((each) => startOf(each) <= cause.start && cause.end <= each.end);
    if (from >= 0) return from < index ? { block, from, to: index } : undefined;
  }
  return undefined;
}

/** `gpus = tf.config.list_physical_devices("GPU")` */
const listsGpus = (statement: Statement | undefined, { names }: Program): boolean =>
  statement?.kind === 'Assign' &&
  statement.value.kind === 'Call' &&
  names.qualify(statement.value.func).some((name) => LISTS.test(name));

/** True for a statement on separate lines that only calls the configuration and does not leave its block. */
function canMove(program: Program, statement: Statement): boolean {
  if (!isAloneOnItsLines(program, statement)) return false;
  let isAll = true;
  walk(statement, (node) => {
    if (node.kind === 'Call') isAll &&= isHarmless(node, program);
    if (/^(Return|Break|Continue|Raise|FunctionDef|ClassDef|Yield|Await|Import|ImportFrom)$/.test(node.kind))
      isAll = false;
  });
  return isAll;
}

const isHarmless = ({ func }: Call, { names }: Program): boolean =>
  (func.kind === 'Name' && HARMLESS.test(func.id)) || names.qualify(func).some((name) => CONFIGURES.test(name));

function namesIn(statement: Node): string[] {
  const found: string[] = [];
  walk(statement, (node) => {
    if (node.kind === 'Name') found.push(node.id);
    if (node.kind === 'ExceptHandler' && node.name !== undefined) found.push(node.name);
  });
  return found;
}
