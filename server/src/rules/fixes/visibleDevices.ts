/** GPU201: a choice of GPUs that respects the user's own choice. */

import type { Program } from '../../guards/program.ts';
import type { Fix } from '../edits/fix.ts';
import { replacement } from '../edits/placement.ts';
import type { VisibleSetting } from '../queries/visibleDevices.ts';
import { preferringFirst } from './offers.ts';
import { isSound } from './soundness.ts';

/** `os.environ["CUDA_VISIBLE_DEVICES"] = "1"` becomes `os.environ.setdefault("CUDA_VISIBLE_DEVICES", "1")`. */
export function fixesOfVisibleDevices(program: Program, { node, expression, span }: VisibleSetting): Fix[] {
  if (node.kind !== 'Subscript' || !expression || !isSound(program, node)) return [];
  const textOf = (part: { readonly start: number; readonly end: number }) => program.text.slice(part.start, part.end);
  const newCode = `${textOf(node.value)}.setdefault(${textOf(node.slice)}, ${textOf(expression)})`;
  const edits = [replacement(span.start, span.end, newCode)];
  // Users who have set the variable get a different GPU than before.
  return preferringFirst([{ title: `Replace with \`${newCode}\``, edits }], 'suggestion');
}
