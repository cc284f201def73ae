/** GPU202: `torch.cuda.FloatTensor` becomes an available type. */
import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { callTaking } from '../../python/semantic/arguments.ts';
import { isString, type StringLiteral, stringOf } from '../../python/semantic/literals.ts';
import type { Use } from '../../python/semantic/programIndex.ts';
import type { Expression } from '../../python/syntax/nodes.ts';
import type { Fix } from '../edits/fix.ts';
import { asConditional, insertion, replacement } from '../edits/placement.ts';
import { namedAt, titleOf } from './chosenDevice.ts';
import { isOldTorch } from './dialects.ts';
import { isGpuOnlyFunction } from './gpuOnlyFunctions.ts';
import { type ModuleText, torchAt } from './modules.ts';
import { type Offer, preferringFirst } from './offers.ts';
import { isSound } from './soundness.ts';

/** The dtypes of the tensor types. A half-precision type remains a type, which differs without a GPU. */
const DTYPES: Readonly<Record<string, string>> = {
  FloatTensor: 'float',
  DoubleTensor: 'double',
  BFloat16Tensor: 'bfloat16',
  LongTensor: 'long',
  IntTensor: 'int',
  ShortTensor: 'short',
  CharTensor: 'int8',
  ByteTensor: 'uint8',
  BoolTensor: 'bool',
};

/**
 * Returns the fixes for a tensor type that is an attribute of `torch.cuda`, an import from there, or a name in a
 * string.
 */
export function fixesOfTensorType(program: Program, type: Use | StringLiteral): Fix[] {
  const torch = torchAt(program, type);
  if (!torch || !isSound(program, type) || isGpuOnlyFunction(program, type)) return [];
  const text = program.text.slice(type.start, type.end);
  const there = isString(type) ? text.replace('torch.cuda.', 'torch.') : `${torch.text}.${nameOf(program, type)}`;
  // Half precision is for GPUs.
  const onCpu = there.replace('HalfTensor', 'FloatTensor');
  const rest = ` if ${torch.text}.cuda.is_available() else ${onCpu}`;
  const edits = [...torch.edits, ...asConditional(program, type, rest)];
  const chosen = { title: `Replace with \`${text}${rest}\``, edits };
  return preferringFirst([moved(program, type, torch) ?? made(program, type, torch), chosen], 'safe');
}

const dtypeOf = (program: Program, type: Use | StringLiteral) =>
  DTYPES[(isString(type) ? stringOf(type) : nameOf(program, type))?.replace('torch.cuda.', '') ?? ''];

/** `x.type(torch.cuda.FloatTensor)` becomes `x.to(device, torch.float)`. */
function moved(program: Program, type: Use | StringLiteral, torch: ModuleText): Offer | undefined {
  const call = callTaking(type);
  const dtype = dtypeOf(program, type);
  if (!call || !dtype || call.func.kind !== 'Attribute' || call.func.attr !== 'type') return undefined;
  if (call.args.length !== 1 || call.keywords.length > 0 || isOldTorch(program)) return undefined;
  const device = namedAt(program, call);
  if (!device) return undefined;
  const newArguments = `${device.text}, ${torch.text}.${dtype}`;
  return {
    title: titleOf(`.to(${newArguments})`, device, `.type(${program.text.slice(type.start, type.end)})`),
    edits: [
      ...torch.edits,
      ...device.edits,
      replacement(call.func.end - 'type'.length, call.func.end, 'to'),
      replacement(type.start, type.end, newArguments),
    ],
  };
}

/** `torch.cuda.LongTensor(n)` becomes `torch.LongTensor(n).to(device)`. */
function made(program: Program, type: Use | StringLiteral, torch: ModuleText): Offer | undefined {
  const call = type.parent;
  if (isString(type) || call?.kind !== 'Call' || call.func !== type || !dtypeOf(program, type)) return undefined;
  // The CPU type does not accept GPU tensors.
  if (call.keywords.length > 0 || !call.args.every((arg) => isPlain(arg, program)) || isOldTorch(program))
    return undefined;
  const device = namedAt(program, call);
  if (!device) return undefined;
  return {
    title: titleOf(
      `${torch.text}.${nameOf(program, type)}(...).to(${device.text})`,
      device,
      `${program.text.slice(type.start, type.end)}(...)`,
    ),
    edits: [
      ...torch.edits,
      ...device.edits,
      replacement(type.start, type.end, `${torch.text}.${nameOf(program, type)}`),
      insertion(call.end, `.to(${device.text})`),
    ],
  };
}

/** The maximum number of assignments to follow. */
const FARTHEST = 4;

/** True for numbers, lists and NumPy arrays, including through earlier assignments. */
function isPlain(expression: Expression, program: Program, steps = 0): boolean {
  if (steps > FARTHEST) return false;
  const on = (next: Expression) => isPlain(next, program, steps + 1);
  switch (expression.kind) {
    case 'Constant':
    case 'List':
    case 'Tuple':
    case 'ListComp':
      return true;
    case 'Starred':
    case 'Subscript':
      return on(expression.value);
    case 'BinOp':
      return on(expression.left) && on(expression.right);
    case 'Attribute':
      return expression.attr === 'shape';
    case 'Call':
      return (
        /^(len|int|list|range|round|item|size|numel|dim|tolist)$/.test(calledName(expression)) ||
        program.names.qualify(expression.func).some((name) => name.startsWith('numpy.'))
      );
    case 'Name': {
      const definitions = program.names.definitionsOf(expression);
      return definitions.length > 0 && definitions.every(({ kind, value }) => kind === 'value' && !!value && on(value));
    }
    default:
      return false;
  }
}

/** Returns the name of the type, under which `torch` has the CPU type. */
function nameOf(program: Program, type: Use): string {
  if (type.kind === 'Attribute') return type.attr;
  return program.names.qualify(type)[0]?.split('.').pop() ?? type.id;
}
