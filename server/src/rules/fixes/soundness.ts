/** Decides whether a fix can edit code around syntax errors. */

import type { Program } from '../../guards/program.ts';
import { memoizeBy } from '../../python/semantic/memoize.ts';
import type { Node, Statement } from '../../python/syntax/nodes.ts';
import { parseModule } from '../../python/syntax/parse.ts';
import { startOf } from '../../python/syntax/walk.ts';
import { lineStartAfterMark } from '../edits/layout.ts';
import { statementAround } from '../queries/blocks.ts';

/** False inside a statement that the parser could not read: its meaning and its end are uncertain. */
export function isSound(program: Program, node: Node): boolean {
  if (!program.hasErrors) return true;
  for (let at: Node | undefined = node; at; at = at.parent) if (at.kind === 'Broken') return false;
  const statement = statementAround(node);
  return statement !== undefined && canBeRead(program, statement);
}

/**
 * True if the parser can read a statement by itself, in a program that has syntax errors. A long statement may have
 * hundreds of places.
 */
const canBeRead = memoizeBy((program: Program, statement: Statement): boolean => {
  const { cell } = program.toCell(statement);
  if (program.modules[cell]?.errors.length === 0) return true;
  const begin = startOf(statement);
  const start = lineStartAfterMark(program, begin);
  const before = program.text.slice(start, begin).trim();
  // A piece of a broken statement may look complete.
  if (!/^$|[;:]$/.test(before)) return false;
  const own = program.text.slice(begin, statement.end);
  // An indented statement belongs to a block.
  const alone = before === '' && begin > start ? `if _:\n${program.text.slice(start, begin)}${own}` : own;
  return parseModule(alone).errors.length === 0;
});
