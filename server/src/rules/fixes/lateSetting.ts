/** GPU203 and GPU303: the assignment is moved before the code that reads the variable. */

import type { Program } from '../../guards/program.ts';
import type { Span } from '../../python/semantic/source.ts';
import type { Node, Statement } from '../../python/syntax/nodes.ts';
import { startOf, walk } from '../../python/syntax/walk.ts';
import type { Fix } from '../edits/fix.ts';
import { indentOf, lineEnd, lineStart, newlineAt, startsLine } from '../edits/layout.ts';
import { insertion, isAloneOnItsLines, replacement } from '../edits/placement.ts';
import { blockAround, statementAround } from '../queries/blocks.ts';
import type { VisibleSetting } from '../queries/visibleDevices.ts';
import { isSound } from './soundness.ts';

export function fixesOfLateSetting(
  program: Program,
  setting: Pick<VisibleSetting, 'node' | 'expression'>,
  cause: Span,
  reader = 'where CUDA is initialized',
): Fix[] {
  const statement = statementAround(setting.node);
  if (!statement || !setting.expression || !isSound(program, setting.node)) return [];
  const block = blockAround(program, statement);
  const first = block.find((each) => startOf(each) <= cause.start && cause.end <= each.end);
  // The initialization may be in a function that is called from here.
  const before = first && first !== statement ? first : undefined;
  if (!before || !canMove(program, block, before, statement)) return [];
  // The comment on its line is moved with it.
  const own = program.text.slice(statement.start, lineEnd(program, statement.end)).trimEnd();
  const start = lineStart(program, startOf(before));
  const line = `${indentOf(program, before.start)}${own}${newlineAt(program, before.start)}`;
  return [
    {
      title: `Move before line ${program.placeOf(before.start).line + 1}, ${reader}`,
      tier: 'suggestion',
      edits: [insertion(start, line), replacement(...wholeLines(program, statement), '')],
    },
  ];
}

/** True if nothing that the assignment uses is bound between the two places. */
function canMove(program: Program, block: readonly Statement[], before: Statement, statement: Statement): boolean {
  if (!isAloneOnItsLines(program, statement) || !startsLine(program, startOf(before))) return false;
  if (program.text.slice(statement.start, statement.end).includes('\n')) return false;
  const used = new Set<string>();
  walk(statement, (node) => {
    if (node.kind === 'Name') used.add(node.id);
  });
  const between = block.slice(block.indexOf(before), block.indexOf(statement));
  return !between.some((each) => bindsAny(each, used));
}

/** True for a statement that may give one of the names another value. */
export function bindsAny(statement: Statement, names: ReadonlySet<string>): boolean {
  let binds = false;
  const bound = (node: Node) => {
    walk(node, (inner) => {
      if (inner.kind === 'Name') binds ||= names.has(inner.id);
    });
  };
  walk(statement, (node) => {
    switch (node.kind) {
      case 'Assign':
        return node.targets.forEach(bound);
      case 'AugAssign':
      case 'AnnAssign':
      case 'For':
      case 'NamedExpr':
        return bound(node.target);
      case 'withitem':
        return node.optional_vars && bound(node.optional_vars);
      case 'alias':
        binds ||= names.has(node.asname ?? node.name.split('.')[0] ?? '');
        return;
      case 'FunctionDef':
      case 'ClassDef':
        binds ||= names.has(node.name);
        return;
      default:
        return;
    }
  });
  return binds;
}

/** Returns the span from the start of the statement's first line to the start of the line after it. */
export function wholeLines(program: Program, statement: Statement): [number, number] {
  const start = lineStart(program, statement.start);
  const end = lineEnd(program, statement.end);
  const rest = /^(\r\n|\n|\r)/.exec(program.text.slice(end, end + 2))?.[0] ?? '';
  // The line feed between two cells belongs to neither.
  const isLast = program.toCell({ start: end, end }).cell !== program.toCell({ start: end + rest.length, end }).cell;
  return [start, isLast ? end : end + rest.length];
}
