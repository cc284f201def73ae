/** Is the program around a place sound enough to write into it? */

import type { Program } from '../../guards/program.ts';
import { parse } from '../../python/parse.ts';
import type { Node } from '../../python/syntax.ts';
import { statementAround } from './blocks.ts';
import { lineStart } from './layout.ts';

/** False inside a statement that the parser could not read: what it means is a guess, and so is where it ends. */
export function isSound(program: Program, node: Node): boolean {
  if (!program.hasErrors) return true;
  for (let at: Node | undefined = node; at; at = at.parent) if (at.kind === 'Broken') return false;
  const statement = statementAround(node);
  if (!statement) return false;
  const { cell } = program.toCell(statement.span);
  if (!program.parsed[cell]?.hasErrors) return true;
  const start = lineStart(program, statement.span.start);
  const before = program.text.slice(start, statement.span.start).trim();
  // A piece of a broken statement may look like a whole one.
  if (!/^$|[;:]$/.test(before)) return false;
  const from = before === '' ? start : statement.span.start;
  return !parse(program.text.slice(from, statement.span.end), 0).hasErrors;
}
