/** Names that show that something is a checkpoint. */

import type { Program } from '../../guards/program.ts';
import { wordsOf } from '../../guards/switches.ts';
import { isString } from '../../python/semantic/literals.ts';
import type { Call, Expression, Node } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';

const WORDS = new Set(
  'ckpt ckpts checkpoint checkpoints chkpt chkpoint weights model models best resume pretrained snapshot net network state params'.split(
    ' ',
  ),
);
const SUFFIX = /\.(ckpt|pth\.tar)$/i;
/** In `class_weights` and `model_input`, the other word determines the meaning. */
const OF_DATA =
  /^(class|sample|loss|edge|data|dataset|input|inputs|features?|embeddings?|labels?|vocab|logits|outputs?)$/;

/** True if the variable of a load, or the last part of its path, names a checkpoint. */
export function namesCheckpoint(load: Call, path: Expression | undefined, program: Program): boolean {
  return [...targetsOf(load), ...(path ? namesIn(path, program) : [])].some(isCheckpointName);
}

/** True for a name that suggests a model or its weights. */
export function isCheckpointName(name: string): boolean {
  if (SUFFIX.test(name)) return true;
  const words = wordsOf(name.replace(/\.\w+$/, ''));
  return words.some((word) => WORDS.has(word)) && !words.some((word) => OF_DATA.test(word));
}

/** Returns the variables that receive the result. */
function targetsOf(load: Call): string[] {
  let at: Node = load;
  while (at.parent && (at.parent.kind === 'IfExp' || at.parent.kind === 'Attribute' || at.parent.kind === 'Call'))
    at = at.parent;
  const statement = at.parent;
  const targets =
    statement?.kind === 'Assign' ? statement.targets : statement?.kind === 'AnnAssign' ? [statement.target] : [];
  return targets.flatMap((target) =>
    target.kind === 'Name' ? [target.id] : target.kind === 'Attribute' ? [target.attr] : [],
  );
}

/** Returns the last part of a path: a literal's last component, or a variable's name. */
function namesIn(path: Expression, program: Program): string[] {
  const found: Expression[] = [];
  walk(path, (node) => {
    if (isString(node) || node.kind === 'Name' || node.kind === 'Attribute') found.push(node as Expression);
    return !isString(node) && node.kind !== 'Attribute';
  });
  const last = found.at(-1);
  if (!last) return [];
  if (isString(last))
    return [
      program.text
        .slice(last.start, last.end)
        .replace(/^.*[/\\]/, '')
        .replace(/["']+$/, ''),
    ];
  return last.kind === 'Name' ? [last.id] : last.kind === 'Attribute' ? [last.attr] : [];
}
