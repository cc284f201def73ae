/** GPU103: save the weights of a model. */
import type { Program } from '../../guards/program.ts';
import type { Call, Expression } from '../../python/syntax/nodes.ts';
import { hasBrackets } from '../edits/arguments.ts';
import type { Fix } from '../edits/fix.ts';
import { insertion } from '../edits/placement.ts';
import { isSound } from './soundness.ts';

/** The code that loads the file must then create the model first, so the fix is only suggested. */
export function fixesOfWholeModule(program: Program, call: Call, model: Expression): Fix[] {
  if (!isSound(program, call) || !hasBrackets(program, call)) return [];
  const isPrimary = model.kind === 'Name' || model.kind === 'Attribute' || model.kind === 'Call';
  const text = program.text.slice(model.start, model.end);
  const isShort = isPrimary && !/[\r\n`]/.test(text) && text.length <= 40;
  const edits = isPrimary
    ? [insertion(model.end, '.state_dict()')]
    : [insertion(model.start, '('), insertion(model.end, ').state_dict()')];
  return [{ title: `Save \`${isShort ? text : 'model'}.state_dict()\``, tier: 'suggestion', edits }];
}
