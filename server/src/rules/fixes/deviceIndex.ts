/** GPU201: a pinned index becomes the device that the program chooses. */

import type { Program } from '../../guards/program.ts';
import { argumentOf, callTaking } from '../../python/semantic/arguments.ts';
import { isNumber, isString, stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Expression, NumberConstant } from '../../python/syntax/nodes.ts';
import { hasBrackets } from '../edits/arguments.ts';
import type { Fix } from '../edits/fix.ts';
import { asConditional } from '../edits/placement.ts';
import type { Knowledge } from '../engine/contract.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { type DeviceLiteral, deviceUses } from '../queries/deviceUses.ts';
import { visibleAt } from '../queries/visibleDevices.ts';
import { usesHalf } from './chooseDevice.ts';
import { inPlaceOf, moveCallTo, namedAt } from './chosenDevice.ts';
import { chosenInPlace } from './deviceInPlace.ts';
import { receiverOfDevice } from './deviceReceiver.ts';
import { isOldTorch, isTorchProgram } from './dialects.ts';
import { isGpuOnlyFunction } from './gpuOnlyFunctions.ts';
import { torchAt } from './modules.ts';
import { type Offer, preferringFirst } from './offers.ts';
import { quotedNear } from './quotes.ts';
import { isSound } from './soundness.ts';
import { onTensorflow } from './tensorflowDevice.ts';
import { underTest } from './underTest.ts';

/**
 * Most programs use the first GPU to mean any GPU. Only the author knows the meaning of other indices, and devices that
 * work together belong together.
 */
export function fixesOfIndex(
  program: Program,
  literal: DeviceLiteral,
  index: number,
  level: string,
  known: Knowledge,
): Fix[] {
  const { node, evidence } = literal;
  if (!isSound(program, node) || isGpuOnlyFunction(program, node)) return [];
  const visible = visibleAt(program, node);
  // A test that the program's own choice of GPUs never passes is useless.
  if (visible && index >= visible.count) return [];
  const isFlag = level === 'flag';
  const isHeld = evidence.devices > index;
  if (isString(node) && !stringOf(node)?.startsWith('cuda'))
    return isHeld
      ? []
      : preferringFirst([onTensorflow(program, literal, index, known)], isFlag ? 'safe' : 'suggestion');
  if (evidence.devices > 0 && isString(node)) return preferringFirst([anyGpu(program, literal)], 'suggestion');
  if (isHeld) return [];
  const isKept = keepsIndex(program, node);
  if (isPartner(program) && !isKept) return [];
  const isSure = isTorchProgram(program) && !isOldTorch(program) && !usesHalf(program) && (isKept || index === 0);
  const offer = isNumber(node) ? ofNumber(program, literal, node, index) : chosenInPlace(program, literal);
  return preferringFirst([offer], isFlag && isSure && !setsAnother(program, node) ? 'safe' : 'suggestion');
}

/** `torch.cuda.set_device(1)` can run only if that GPU exists. */
function keepsIndex(program: Program, node: Expression): boolean {
  const call = callTaking(node);
  return !!call && program.names.calleeOf(call).qualified.includes('torch.cuda.set_device');
}

/** Names any GPU where the program has checked that there is one. */
function anyGpu(program: Program, { node, use }: DeviceLiteral): Offer | undefined {
  const { kind } = receiverOfDevice(program, node, use.expression);
  const takesName = kind === 'value' || kind === 'deviceObject' || kind === 'deviceName';
  return takesName ? inPlaceOf(program, node, { text: quotedNear(program, node, 'cuda'), edits: [] }) : undefined;
}

/** True for a program that uses several GPUs by number, whose devices belong together. */
const isPartner = memoize((program: Program): boolean => {
  const indices = matchesIn(program, deviceUses)
    .flatMap(({ literals }) => literals)
    .flatMap(({ index, isDefault }) => (index === undefined || isDefault ? [] : [index]));
  return new Set(indices).size > 1;
});

function ofNumber(program: Program, literal: DeviceLiteral, node: NumberConstant, index: number): Offer | undefined {
  if (node.parent?.kind === 'Dict') return orElse(program, node, quotedNear(program, node.parent, 'cpu'));
  const call = callTaking(node);
  if (!call || !hasBrackets(program, call)) return undefined;
  const { qualified } = program.names.calleeOf(call);
  if (qualified.includes('torch.cuda.set_device'))
    return underTest(program, call, index === 0 ? 'is_available()' : `device_count() > ${index}`);
  if (qualified.includes('torch.cuda.device') || qualified.includes('torch.device')) return undefined;
  // In pipelines, -1 means the CPU in every version.
  if (qualified.includes('transformers.pipeline')) return index === 0 ? orElse(program, node, '-1') : undefined;
  const method = call.func.kind === 'Attribute' ? call.func.attr : undefined;
  const device = namedAt(program, call);
  if (method === 'cuda') return device && moveCallTo(program, call, device);
  // A library that expects a number does not accept a device.
  const isOfTorch = method === 'to' || qualified.some((name) => name.startsWith('torch.'));
  if (!isOfTorch && argumentOf(node)?.name !== 'device') return undefined;
  return literal.use.kind === 'replicas' || !device ? undefined : inPlaceOf(program, node, device);
}

/** `0 if torch.cuda.is_available() else -1` */
function orElse(program: Program, node: NumberConstant, other: string): Offer | undefined {
  const torch = torchAt(program, node);
  if (!torch) return undefined;
  const rest = ` if ${torch.text}.cuda.is_available() else ${other}`;
  return { title: `Add \`${rest.trim()}\``, edits: [...torch.edits, ...asConditional(program, node, rest)] };
}

/** True if another call makes a GPU current, so `"cuda"` may mean another one than the first. */
const setsAnother = (program: Program, node: Expression): boolean =>
  !keepsIndex(program, node) &&
  program.index.calls.some((call) =>
    program.names
      .calleeOf(call)
      .qualified.some((name) => name === 'torch.cuda.set_device' || name === 'torch.cuda.device'),
  );
