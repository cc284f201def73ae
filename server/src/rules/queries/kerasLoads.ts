/** Calls of Keras's `load_model`. */

import type { Program } from '../../guards/program.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import type { Call, Expression, Node } from '../../python/syntax/nodes.ts';
import type { Selector, Triggers } from '../engine/selector.ts';
import { isMainTest } from './blocks.ts';

/** Returns the triggers for calls of Keras: one of the words, in code that also names Keras. */
export function kerasTriggers(words: readonly string[]): Triggers {
  const spelled = new RegExp(String.raw`\b(?:${words.join('|')})\b`);
  return { isIn: (code) => code.includes('keras') && spelled.test(code) };
}

const NAMES: ReadonlySet<string> = new Set(['load_model']);
const LOAD_MODEL = /^keras\.(\w+\.)*load_model$/;

/** Calls of Keras's `load_model`, except through a partial. */
export const kerasLoads: Selector<Call> = {
  calls: { names: NAMES, resolve: (call, program) => (isKerasLoad(call, program) ? [call] : []) },
  triggers: kerasTriggers([...NAMES]),
};

const isKerasLoad = ({ func }: Call, { names }: Program) => names.qualify(func).some((name) => LOAD_MODEL.test(name));

/** The same calls, for callers that have no selector matches. */
export const kerasLoadsIn = (program: Program): Call[] =>
  program.index.callsReaching(NAMES).filter((call) => isKerasLoad(call, program));

/** True for code that runs whenever its function runs, and for code in `if __name__ == "__main__":`. */
export function isCertain(node: Expression): boolean {
  for (let at = conditionsOf(node); at && at.kind !== 'body'; at = at.outer)
    if (at.kind !== 'test' || !at.truth || !isMainTest(at.test)) return false;
  for (
    let at: Node | undefined = node.parent;
    at && at.kind !== 'FunctionDef' && at.kind !== 'ClassDef';
    at = at.parent
  )
    if (at.kind === 'For' || at.kind === 'While' || at.kind === 'comprehension' || at.kind === 'Lambda') return false;
  return true;
}
