/** GPU202 and GPU201: a literal that names a GPU becomes the device that the program chooses. */

import type { Program } from '../../guards/program.ts';
import { isString, stringOf } from '../../python/semantic/literals.ts';
import type { Expression, List, Tuple } from '../../python/syntax/nodes.ts';
import { asConditional, needsParentheses, replacement } from '../edits/placement.ts';
import type { DeviceLiteral } from '../queries/deviceUses.ts';
import {
  type ChosenDevice,
  expressionAt,
  inPlaceOf,
  isAnyGpu,
  moveCallTo,
  namedAt,
  variableAt,
} from './chosenDevice.ts';
import { placesBeside } from './devicePlaces.ts';
import { receiverOfDevice } from './deviceReceiver.ts';
import { type ModuleText, torchAt } from './modules.ts';
import type { Offer } from './offers.ts';
import { elseCpu } from './torchTest.ts';
import { underTest } from './underTest.ts';

type DeviceOffer = Offer & Pick<ChosenDevice, 'defines'>;

/** Returns the offer that writes the program's device, or the choice itself, in place of a literal. */
export function chosenInPlace(program: Program, { node, use, index = 0 }: DeviceLiteral): DeviceOffer | undefined {
  const receiver = receiverOfDevice(program, node, use.expression);
  const inPlace = (at: Expression, device: ChosenDevice | undefined): DeviceOffer | undefined =>
    device && {
      ...inPlaceOf(program, at, device),
      ...(device.defines === undefined ? {} : { defines: device.defines }),
    };
  switch (receiver.kind) {
    case 'cudaMethod': {
      const device = namedAt(program, node);
      return device && moveCallTo(program, receiver.call, device);
    }
    case 'setDevice':
      return underTest(program, receiver.call, index === 0 ? 'is_available()' : `device_count() > ${index}`);
    case 'context':
    case 'indexed':
      return undefined;
    case 'deviceObject':
      return inPlace(node, namedAt(program, node)) ?? choice(program, node);
    case 'wrapped': {
      const isShared = placesBeside(program, node) > 1;
      const device = isShared ? namedAt(program, node) : variableAt(program, receiver.call);
      return inPlace(receiver.call, device) ?? choice(program, node);
    }
    case 'deviceName':
      return (
        inPlace(
          node,
          variableAt(program, node, (value) => isAnyGpu(value) && value.form === 'string'),
        ) ?? choice(program, node)
      );
    case 'value':
      return choice(program, node);
  }
}

/** `"cuda" if torch.cuda.is_available() else "cpu"` */
function choice(program: Program, node: Expression): Offer | undefined {
  if (isString(node) && program.text.slice(node.start + 1, node.end - 1) === 'cuda') {
    const torch = torchAt(program, node);
    if (!torch) return undefined;
    const loop = loopOverCpuAndGpu(node);
    if (loop) return /[[(]/.test(program.text.charAt(loop.start)) ? leftOutOf(program, node, torch) : undefined;
    const rest = elseCpu(program, node, torch);
    const text = program.text.slice(node.start, node.end) + rest;
    return { title: `Replace with \`${text}\``, edits: [...torch.edits, ...asConditional(program, node, rest)] };
  }
  const device = expressionAt(program, node);
  if (!device) return undefined;
  const text = needsParentheses(program, node) ? `(${device.text})` : device.text;
  return {
    title: `Replace with \`${device.text}\``,
    edits: [...device.edits, replacement(node.start, node.end, text)],
  };
}

/** Returns the list or tuple of a loop that also goes over the CPU. */
function loopOverCpuAndGpu(node: Expression): List | Tuple | undefined {
  const list = node.parent;
  if (list?.kind !== 'List' && list?.kind !== 'Tuple') return undefined;
  const loop = list.parent;
  const isLoop = (loop?.kind === 'For' || loop?.kind === 'comprehension') && loop.iter === list;
  return isLoop && list.elts.some((one) => stringOf(one) === 'cpu') ? list : undefined;
}

/** Leaves a missing GPU out of a list: in its place, the loop would use the CPU twice. */
function leftOutOf(program: Program, node: Expression, torch: ModuleText): Offer {
  const literal = program.text.slice(node.start, node.end);
  const text = `*([${literal}] if ${torch.text}.cuda.is_available() else [])`;
  return { title: `Replace with \`${text}\``, edits: [...torch.edits, replacement(node.start, node.end, text)] };
}
