/** The device of a tensor, as far as the program shows it: an operation's operands must be on the same device. */

import type { Program } from '../../guards/program.ts';
import { argumentsOf } from '../../python/semantic/arguments.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import type { Call, Expression } from '../../python/syntax/nodes.ts';
import { deviceValueOf } from './deviceValue.ts';

export type Place = 'gpu' | 'cpu';

/** The maximum number of assignments to follow. */
const FARTHEST = 4;
/** Functions of torch that create tensors in main memory, unless a device is given. */
const MAKES =
  /^torch\.(zeros|ones|rand|randn|randint|randperm|empty|full|eye|arange|linspace|tensor|from_numpy|as_tensor|FloatTensor|LongTensor)$|^numpy\./;

/** Returns the kind of device that a tensor is on; undefined if the program does not show it. */
export function placeOf(expression: Expression, program: Program, steps = 0): Place | undefined {
  if (steps > FARTHEST) return undefined;
  const on = (next: Expression) => placeOf(next, program, steps + 1);
  switch (expression.kind) {
    case 'Name':
    case 'Attribute': {
      const places = program.names
        .definitionsOf(expression)
        .map(({ kind, value }) => (kind === 'value' && value ? on(value) : undefined));
      // A value that is moved under a test is on the GPU if available.
      return places.includes('gpu') ? 'gpu' : agreed(places);
    }
    case 'Subscript':
      return on(expression.value);
    case 'BinOp':
      return on(expression.left) ?? on(expression.right);
    case 'Call':
      return placeOfCall(expression, program, on);
    default:
      return undefined;
  }
}

function placeOfCall(call: Call, program: Program, on: (next: Expression) => Place | undefined): Place | undefined {
  const { func } = call;
  const method = func.kind === 'Attribute' ? func.attr : undefined;
  if (method === 'cuda') return 'gpu';
  if (method === 'cpu') return 'cpu';
  const device = argumentsOf(call).find(
    (arg, index) => arg.name === 'device' || (method === 'to' && index === 0 && arg.name === undefined),
  )?.value;
  const value = device && deviceValueOf(device, program);
  if (value) return value.choice === 'cpu' ? 'cpu' : 'gpu';
  if (device && stringOf(device) === undefined && method !== 'to') return undefined;
  if (program.names.qualify(func).some((name) => MAKES.test(name))) return 'cpu';
  if (program.names.qualify(func).some((name) => name.startsWith('torch.'))) return agreed(call.args.map(on));
  return func.kind === 'Attribute' ? on(func.value) : undefined;
}

/** Returns the common place of all values. */
function agreed(places: readonly (Place | undefined)[]): Place | undefined {
  const [first, ...others] = places;
  return others.every((place) => place === first) ? first : undefined;
}
