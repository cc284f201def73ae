/** GPU202 and GPU201: a call that needs a GPU is made only if there is one. */

import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import type { Call } from '../../python/syntax/nodes.ts';
import { hasBrackets } from '../edits/arguments.ts';
import { isAloneOnItsLines, underHeader } from '../edits/placement.ts';
import { statementAround } from '../queries/blocks.ts';
import type { Offer } from './offers.ts';
import { cudaModuleOf } from './torchTest.ts';

/** Puts a statement that consists of the call, or prints its result, under `if torch.cuda.is_available():`. */
export function underTest(program: Program, call: Call, test = 'is_available()'): Offer | undefined {
  const statement = statementAround(call);
  const cuda = cudaModuleOf(program, call);
  if (!cuda || statement?.kind !== 'Expr') return undefined;
  const isPrinted = statement.value.kind === 'Call' && calledName(statement.value) === 'print';
  if (call.parent !== statement && !isPrinted) return undefined;
  if (!hasBrackets(program, call) || !isAloneOnItsLines(program, statement)) return undefined;
  // A notebook shows the value of a cell's last expression, but not under an `if`.
  if (!isPrinted && program.source.kind === 'notebook' && program.cells.some((cell) => cell.at(-1) === statement))
    return undefined;
  const header = `if ${cuda.text}.${test}:`;
  return { title: `Guard with \`${header}\``, edits: [...cuda.edits, ...underHeader(program, statement, header)] };
}
