/** GPU202: `torch.cuda.FloatTensor` becomes the type that is there. */
import type { Program } from '../../guards/program.ts';
import { isString, type StringLiteral } from '../../python/semantic/literals.ts';
import type { Use } from '../../python/semantic/programIndex.ts';
import type { Fix } from '../engine/contract.ts';
import { torchAt } from './modules.ts';
import { preferringFirst } from './offers.ts';
import { asConditional } from './placement.ts';
import { isSound } from './soundness.ts';

/** Fixes of a tensor type, given as an attribute of `torch.cuda`, imported from there, or by its name in a string. */
export function fixesOfTensorType(program: Program, type: Use | StringLiteral): Fix[] {
  const torch = torchAt(program, type);
  if (!torch || !isSound(program, type)) return [];
  const text = program.text.slice(type.start, type.end);
  const there = isString(type) ? text.replace('torch.cuda.', 'torch.') : `${torch.text}.${nameOf(program, type)}`;
  // Half precision is for GPUs.
  const onCpu = there.replace('HalfTensor', 'FloatTensor');
  const rest = ` if ${torch.text}.cuda.is_available() else ${onCpu}`;
  const edits = [...torch.edits, ...asConditional(program, type, rest)];
  return preferringFirst([{ title: `Replace with \`${text}${rest}\``, edits }], 'safe');
}

/** The type's own name, under which `torch` has the CPU's. */
function nameOf(program: Program, type: Use): string {
  if (type.kind === 'Attribute') return type.attr;
  return program.names.qualify(type)[0]?.split('.').pop() ?? type.id;
}
