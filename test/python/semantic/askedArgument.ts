import assert from 'node:assert/strict';
import { type Program, parseProgram } from '../../../server/src/guards/program.ts';
import { script } from '../../../server/src/python/semantic/source.ts';
import type { Call, Expression } from '../../../server/src/python/syntax/nodes.ts';

export interface AskedArgument {
  readonly program: Program;
  /** The last call of `ask`. */
  readonly call: Call;
  /** Its argument. */
  readonly expression: Expression;
}

/** The expression a program asks about: the argument of its last `ask(…)`. */
export function askedArgument(text: string): AskedArgument {
  const program = parseProgram(script('/project/train.py', text));
  assert.equal(program.hasErrors, false, text);
  const call = program.index.calls.findLast(({ func }) => func.kind === 'Name' && func.id === 'ask');
  assert.ok(call, text);
  return { program, call, expression: call.args[0] ?? call };
}
