/**
 * Models that are loaded in half precision for a GPU. A fix that moves them to the chosen device also loads them in full
 * precision if that device is the CPU.
 */

import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { keywordOf } from '../../python/semantic/arguments.ts';
import type { Call, Expression } from '../../python/syntax/nodes.ts';
import type { Edit } from '../edits/fix.ts';
import { asConditional } from '../edits/placement.ts';
import { torchAt } from './modules.ts';
import type { Offer } from './offers.ts';

const HALF = /^torch\.(float16|half)$/;
const LOADS = /^from_(pretrained|single_file|config)$/;

/**
 * Returns the offers, which also choose the dtype of the load to match the device; undefined if the half precision
 * comes from elsewhere.
 */
export function withDtype(program: Program, call: Call, offers: readonly Offer[]): Offer[] | undefined {
  const load = call.func.kind === 'Attribute' ? loadBehind(call.func.value, program) : undefined;
  const dtype = load && (keywordOf(load, 'torch_dtype') ?? keywordOf(load, 'dtype'));
  if (!dtype || !program.names.qualify(dtype).some((name) => HALF.test(name))) return undefined;
  const edits = fullOnCpu(program, dtype);
  return (
    edits && offers.map((offer) => ({ title: `${offer.title} and adapt the dtype`, edits: [...offer.edits, ...edits] }))
  );
}

/** Returns the only `from_pretrained` call that a value comes from, through calls on it and one assignment. */
function loadBehind(value: Expression, program: Program, isAssigned = false): Call | undefined {
  if (value.kind === 'Call') {
    if (LOADS.test(calledName(value))) return value;
    return value.func.kind === 'Attribute' ? loadBehind(value.func.value, program, isAssigned) : undefined;
  }
  if ((value.kind !== 'Name' && value.kind !== 'Attribute') || isAssigned) return undefined;
  const [only, ...others] = program.names.definitionsOf(value);
  return only?.kind === 'value' && only.value && others.length === 0
    ? loadBehind(only.value, program, true)
    : undefined;
}

/** `torch.float16 if torch.cuda.is_available() else torch.float32` */
function fullOnCpu(program: Program, dtype: Expression): Edit[] | undefined {
  const torch = torchAt(program, dtype);
  if (!torch) return undefined;
  const rest = ` if ${torch.text}.cuda.is_available() else ${torch.text}.float32`;
  return [...torch.edits, ...asConditional(program, dtype, rest)];
}
