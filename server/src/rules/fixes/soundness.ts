/** Is the program around a place sound enough to write into it? */

import type { Program } from '../../guards/program.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Node, Statement } from '../../python/syntax/nodes.ts';
import { parseModule } from '../../python/syntax/parse.ts';
import { startOf } from '../../python/syntax/walk.ts';
import { lineStart } from '../edits/layout.ts';
import { statementAround } from '../queries/blocks.ts';

/** False inside a statement that the parser could not read: what it means is a guess, and so is where it ends. */
export function isSound(program: Program, node: Node): boolean {
  if (!program.hasErrors) return true;
  for (let at: Node | undefined = node; at; at = at.parent) if (at.kind === 'Broken') return false;
  const statement = statementAround(node);
  if (!statement) return false;
  const known = readings(program);
  const answer = known.get(statement) ?? canBeRead(program, statement);
  known.set(statement, answer);
  return answer;
}

/** A long statement may have hundreds of places in it. */
const readings = memoize((_program: Program) => new Map<Statement, boolean>());

/** Whether the parser reads a statement by itself, of a program that it could not read all of. */
function canBeRead(program: Program, statement: Statement): boolean {
  const { cell } = program.toCell(statement);
  if (program.modules[cell]?.errors.length === 0) return true;
  const begin = startOf(statement);
  const start = lineStart(program, begin);
  const before = program.text.slice(start, begin).trim();
  // A piece of a broken statement may look like a whole one.
  if (!/^$|[;:]$/.test(before)) return false;
  const own = program.text.slice(begin, statement.end);
  // What is indented stands in a block.
  const alone = before === '' && begin > start ? `if _:\n${program.text.slice(start, begin)}${own}` : own;
  return parseModule(alone).errors.length === 0;
}
