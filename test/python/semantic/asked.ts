import assert from 'node:assert/strict';
import { type Program, parseProgram } from '../../../server/src/guards/program.ts';
import { script } from '../../../server/src/python/semantic/source.ts';
import type { Call, Expression } from '../../../server/src/python/syntax/nodes.ts';

export interface Asked {
  readonly program: Program;
  /** The last call of `ask`. */
  readonly call: Call;
  /** Its argument. */
  readonly expression: Expression;
}

/** What a program asks about: the argument of the last `ask(…)` in it. */
export function asked(text: string): Asked {
  const program = parseProgram(script('/project/train.py', text));
  assert.equal(program.hasErrors, false, text);
  const call = program.index.calls.findLast(({ func }) => func.kind === 'Name' && func.id === 'ask');
  assert.ok(call, text);
  return { program, call, expression: call.args[0] ?? call };
}
