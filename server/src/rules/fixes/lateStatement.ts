/** GPU203, GPU302 and GPU303: a statement that comes too late is moved before the code that it should precede. */

import type { Program } from '../../guards/program.ts';
import type { Span } from '../../python/semantic/source.ts';
import type { Call, Expression, Node, Statement } from '../../python/syntax/nodes.ts';
import { someNode, startOf, walk } from '../../python/syntax/walk.ts';
import type { Fix } from '../edits/fix.ts';
import { lineEnd, lineStartAfterMark, newlineAt, startsLine } from '../edits/layout.ts';
import { insertion, isAloneOnItsLines, replacement } from '../edits/placement.ts';
import { positionOf, statementAround } from '../queries/blocks.ts';
import { isSound } from './soundness.ts';

const LISTS = /^tensorflow\.config\.(experimental\.)?list_physical_devices$/;
/** Calls that only configure devices or set variables. */
const CONFIGURES = /^(tensorflow\.config|os\.environ|os\.path)\.\w|^os\.(putenv|getenv)$/;
const HARMLESS = /^(print|len|range|enumerate|str|int|map|join|format)$/;

/**
 * Moves the statement around a node, with a list of GPUs above it, before the cause in the same block. Empty if the
 * statement does anything else, or if code in between is needed for it or reads what it assigns. `reader` says what
 * happens at the cause.
 */
export function fixesOfLateStatement(program: Program, node: Expression, cause: Span, reader: string): Fix[] {
  const place = isSound(program, node) ? placeBelow(program, node, cause) : undefined;
  if (!place) return [];
  const { block, from, to } = place;
  const before = block[from];
  let first = to;
  while (first - 1 > from && listsGpus(block[first - 1], program)) first--;
  const moved = block.slice(first, to + 1);
  if (!before || !startsLine(program, startOf(before)) || !moved.every((each) => canMove(program, each))) return [];
  const used = new Set(moved.flatMap(namesIn));
  const assigned = new Set([...used].filter((name) => moved.some((each) => bindsAny(each, new Set([name])))));
  const between = block.slice(from, first);
  if (between.some((each) => bindsAny(each, used)) || between.flatMap(namesIn).some((name) => assigned.has(name)))
    return [];
  const [start, end] = [wholeLines(program, moved[0] ?? before)[0], wholeLines(program, moved.at(-1) ?? before)[1]];
  const cellOf = (offset: number) => program.toCell({ start: offset, end: offset }).cell;
  if (moved.some((each) => cellOf(each.start) !== cellOf(start))) return [];
  const target = lineStartAfterMark(program, startOf(before));
  const lines = program.text.slice(start, end);
  return [
    {
      title: `Move before line ${program.placeOf(before.start).line + 1}, ${reader}`,
      tier: 'suggestion',
      edits: [
        insertion(target, /[\r\n]$/.test(lines) ? lines : lines + newlineAt(program, target)),
        replacement(start, end, ''),
      ],
    },
  ];
}

/** Returns the block that contains both, with the positions of the cause and of the statement that is late. */
function placeBelow(program: Program, node: Node, cause: Span) {
  for (let at = statementAround(node); at && at.kind !== 'FunctionDef'; at = at.parent && statementAround(at.parent)) {
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

/** True for a statement on separate lines that only configures and does not leave its block. */
function canMove(program: Program, statement: Statement): boolean {
  const isOther = (node: Node) =>
    (node.kind === 'Call' && !isHarmless(node, program)) ||
    /^(Return|Break|Continue|Raise|FunctionDef|ClassDef|Yield|Await|Import|ImportFrom)$/.test(node.kind);
  return isAloneOnItsLines(program, statement) && !someNode(statement, isOther);
}

const isHarmless = ({ func }: Call, { names }: Program): boolean =>
  HARMLESS.test(func.kind === 'Name' ? func.id : func.kind === 'Attribute' ? func.attr : '') ||
  names.qualify(func).some((name) => CONFIGURES.test(name));

function namesIn(statement: Node): string[] {
  const found: string[] = [];
  walk(statement, (node) => {
    if (node.kind === 'Name') found.push(node.id);
    if (node.kind === 'ExceptHandler' && node.name !== undefined) found.push(node.name);
  });
  return found;
}

/** True for a statement that may give one of the names another value. */
function bindsAny(statement: Statement, names: ReadonlySet<string>): boolean {
  const bound = (node: Node) => namesIn(node).some((name) => names.has(name));
  return someNode(statement, (node) => {
    if (node.kind === 'Assign') return node.targets.some(bound);
    if ('target' in node) return bound(node.target);
    if (node.kind === 'withitem') return node.optional_vars !== undefined && bound(node.optional_vars);
    if (node.kind === 'alias') return names.has(node.asname ?? node.name.split('.')[0] ?? '');
    return (node.kind === 'FunctionDef' || node.kind === 'ClassDef') && names.has(node.name);
  });
}

/** Returns the span from the start of the statement's first line to the start of the line after it. */
function wholeLines(program: Program, statement: Statement): [number, number] {
  const start = lineStartAfterMark(program, statement.start);
  const end = lineEnd(program, statement.end);
  const rest = /^(\r\n|\n|\r)/.exec(program.text.slice(end, end + 2))?.[0] ?? '';
  // The line feed between two cells belongs to neither.
  const isLast = program.toCell({ start: end, end }).cell !== program.toCell({ start: end + rest.length, end }).cell;
  return [start, isLast ? end : end + rest.length];
}
