/** The call or assignment that receives a device literal, which decides which expressions may replace the literal. */

import type { Program } from '../../guards/program.ts';
import { type Argument, argumentOf } from '../../python/semantic/arguments.ts';
import type { Call, Expression } from '../../python/syntax/nodes.ts';
import { loaders } from '../catalogue/catalogue.ts';

/** The receiver of the literal, classified by which expressions are valid there. */
type DeviceReceiver =
  /** `x.cuda("cuda")` */
  | { readonly kind: 'cudaMethod' | 'setDevice' | 'context'; readonly call: Call }
  /** `torch.device("cuda", index)`; the index is valid only for CUDA. */
  | { readonly kind: 'indexed'; readonly call: Call }
  /** An argument that may be a `torch.device`. */
  | { readonly kind: 'deviceObject'; readonly call: Call }
  /** `torch.device("cuda")` where a `torch.device` is expected. */
  | { readonly kind: 'wrapped'; readonly call: Call }
  /** An argument that may accept only a string. */
  | { readonly kind: 'deviceName'; readonly call: Call }
  /** An assigned value, an item or a branch: only an expression of the same type is valid. */
  | { readonly kind: 'value' };

export function receiverOfDevice(program: Program, node: Expression, used: Expression): DeviceReceiver {
  const argument = argumentOf(node);
  if (!argument || argument.star || used !== node) return { kind: 'value' };
  const { call } = argument;
  const { qualified } = program.names.calleeOf(call);
  if (qualified.includes('torch.device')) {
    if (call.args.length + call.keywords.length > 1) return { kind: 'indexed', call };
    const outer = argumentOf(call);
    return outer && takesDeviceObject(program, outer.call, outer) ? { kind: 'wrapped', call } : { kind: 'value' };
  }
  if (qualified.includes('torch.cuda.set_device')) return { kind: 'setDevice', call };
  if (qualified.includes('torch.cuda.device')) return { kind: 'context', call };
  const isMethod = call.func.kind === 'Attribute';
  if (isMethod && call.func.kind === 'Attribute' && call.func.attr === 'cuda' && qualified.length === 0)
    return { kind: 'cudaMethod', call };
  return { kind: takesDeviceObject(program, call, argument) ? 'deviceObject' : 'deviceName', call };
}

/** Torch's own functions, and any `to`, accept a `torch.device`; other libraries may require a name. */
function takesDeviceObject(program: Program, call: Call, argument: Argument): boolean {
  const { qualified } = program.names.calleeOf(call);
  if (call.func.kind === 'Attribute' && call.func.attr === 'to') return true;
  const isPolicy = qualified.some((name) => /(autocast|GradScaler)$/.test(name));
  if (isPolicy) return false;
  return argument.name === 'map_location' || qualified.some((name) => name.startsWith('torch.') || loaders.has(name));
}
