import type { Program } from '../guards/program.ts';
import { argumentFor } from '../python/semantic/arguments.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { Call, Expression } from '../python/syntax/nodes.ts';
import { hasBrackets } from './edits/arguments.ts';
import type { Fix } from './edits/fix.ts';
import { insertion } from './edits/placement.ts';
import { on, type Rule } from './engine/rule.ts';
import { callsOf } from './engine/selector.ts';
import { isSound } from './fixes/soundness.ts';
import { isModel } from './queries/moduleValues.ts';

/** GPU103: a model is saved with references to its code, instead of only its weights. */
export const torchSaveWholeModule: Rule = {
  code: 'GPU103',
  name: 'torch-save-whole-module',
  summary: 'A whole model is pickled instead of only its weights.',
  reports: 'a whole model that is pickled instead of only its weights',
  severity: 'information',
  listener: on(callsOf('torch.save'), ({ call, args }, { program, aboutFile, report }) => {
    // An unpickler such as dill includes the code.
    if (args.some(({ name, star }) => name === 'pickle_module' || star === '**')) return;
    const model = argumentFor(args, 'obj', 0).argument?.value;
    if (!model || !isModel(model, program)) return;
    const target = argumentFor(args, 'f', 1).argument?.value;
    const isTemporary = target && isTemporaryTarget(target, program);
    const temporary = isTemporary ? [{ because: 'the file does not outlive the program', at: spanOf(target) }] : [];
    report({
      span: { start: call.func.start, end: call.end },
      level: 'flag',
      reasons: [...aboutFile, ...temporary],
      message:
        'The file loads only with this exact code, and not with `weights_only=True`: the whole model is pickled.',
      fixes: () => fixesOfWholeModule(program, call, model),
    });
  }),
};

/** True for a target that does not outlive the program: a buffer in memory, a temporary file. */
function isTemporaryTarget(target: Expression, program: Program): boolean {
  const opensTemporary = (value: Expression | undefined) =>
    value?.kind === 'Call' &&
    program.names.qualify(value.func).some((name) => name === 'io.BytesIO' || name.startsWith('tempfile.'));
  const root = target.kind === 'Attribute' ? target.value : target;
  return (
    opensTemporary(root) ||
    (root.kind === 'Name' &&
      program.names
        .definitionsOf(root)
        .some(
          ({ value, node }) =>
            opensTemporary(value) || (node?.kind === 'withitem' && opensTemporary(node.context_expr)),
        ))
  );
}

/** The code that loads the file must then create the model first, so the fix is only suggested. */
function fixesOfWholeModule(program: Program, call: Call, model: Expression): Fix[] {
  if (!isSound(program, call) || !hasBrackets(program, call)) return [];
  const isPrimary = model.kind === 'Name' || model.kind === 'Attribute' || model.kind === 'Call';
  const text = program.text.slice(model.start, model.end);
  const isShort = isPrimary && !/[\r\n`]/.test(text) && text.length <= 40;
  const edits = isPrimary
    ? [insertion(model.end, '.state_dict()')]
    : [insertion(model.start, '('), insertion(model.end, ').state_dict()')];
  return [{ title: `Save \`${isShort ? text : 'model'}.state_dict()\``, tier: 'suggestion', edits }];
}
