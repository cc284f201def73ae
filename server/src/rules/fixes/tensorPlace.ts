/** Where a tensor is, as far as the program says: what it is calculated with has to be there too. */

import type { Program } from '../../guards/program.ts';
import { argumentsOf } from '../../python/semantic/arguments.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import type { Call, Expression } from '../../python/syntax/nodes.ts';
import { deviceValueOf } from './deviceValue.ts';

export type Place = 'gpu' | 'cpu';

/** Assignments that lead to assignments are followed this far. */
const FARTHEST = 4;
/** Functions of torch that make tensors in main memory, unless told a device. */
const MAKES =
  /^torch\.(zeros|ones|rand|randn|randint|randperm|empty|full|eye|arange|linspace|tensor|from_numpy|as_tensor|FloatTensor|LongTensor)$|^numpy\./;

/** The kind of device that a tensor is on; undefined where the program does not say. */
export function placeOf(expression: Expression, program: Program, steps = 0): Place | undefined {
  if (steps > FARTHEST) return undefined;
  const on = (next: Expression) => placeOf(next, program, steps + 1);
  switch (expression.kind) {
    case 'Name':
    case 'Attribute': {
      const places = program.names
        .definitionsOf(expression)
        .map(({ kind, value }) => (kind === 'value' && value ? on(value) : undefined));
      // What is moved under a test is on the GPU where there is one.
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

/** The one place that all of them are at. */
function agreed(places: readonly (Place | undefined)[]): Place | undefined {
  const [first, ...others] = places;
  return others.every((place) => place === first) ? first : undefined;
}
