/** GPU202: `torch.cuda.FloatTensor` becomes the type that is there. */
import type { Program } from '../../guards/program.ts';
import type { StringLiteral } from '../../python/semantic/literals.ts';
import type { Attribute } from '../../python/syntax/nodes.ts';
import type { Fix } from '../engine/contract.ts';
import { torchAt } from './modules.ts';
import { preferringFirst } from './offers.ts';
import { asConditional } from './placement.ts';
import { isSound } from './soundness.ts';

/** Fixes of a tensor type, given as an attribute of `torch.cuda` or by its name in a string. */
export function fixesOfTensorType(program: Program, type: Attribute | StringLiteral): Fix[] {
  const torch = torchAt(program, type);
  if (!torch || !isSound(program, type)) return [];
  const text = program.text.slice(type.start, type.end);
  const there = type.kind === 'Attribute' ? `${torch.text}.${type.attr}` : text.replace('torch.cuda.', 'torch.');
  // Half precision is for GPUs.
  const onCpu = there.replace('HalfTensor', 'FloatTensor');
  const rest = ` if ${torch.text}.cuda.is_available() else ${onCpu}`;
  const edits = [...torch.edits, ...asConditional(program, type, rest)];
  return preferringFirst([{ title: `Replace with \`${text}${rest}\``, edits }], 'safe');
}
