/** GPU201: a pinned index is used only if a GPU with that index exists. */

import type { Program } from '../../guards/program.ts';
import { switchKind } from '../../guards/switches.ts';
import { argumentOf, argumentsOf, callTaking } from '../../python/semantic/arguments.ts';
import type { StringLiteral } from '../../python/semantic/literals.ts';
import { isBoolean, isNumber, isString, stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Call, Expression, NumberConstant } from '../../python/syntax/nodes.ts';
import { argumentList, hasBrackets } from '../edits/arguments.ts';
import type { Fix } from '../edits/fix.ts';
import { asConditional, insertion, needsParentheses, replacement } from '../edits/placement.ts';
import type { Knowledge } from '../engine/contract.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { type DeviceLiteral, deviceUses } from '../queries/deviceUses.ts';
import { visibleAt } from '../queries/visibleDevices.ts';
import {
  type ChosenDevice,
  devicesAt,
  expressionAt,
  inPlaceOf,
  isAnyGpu,
  titleOf,
  variableAt,
} from './chosenDevice.ts';
import { ofCopiedLoad } from './copiedLoad.ts';
import { toDevices } from './cudaCall.ts';
import { receiverOfDevice } from './deviceReceiver.ts';
import { isTorchProgram } from './dialects.ts';
import { isGpuOnlyFunction } from './gpuOnlyFunctions.ts';
import { moverOf, movesHalf, onlyOnGpu, reachesHalf } from './halfPrecision.ts';
import { type ModuleText, torchAt } from './modules.ts';
import { asSuggestion, type Offer, preferringFirst } from './offers.ts';
import { quotedNear } from './quotes.ts';
import { underTest } from './raisingCall.ts';
import { isSound } from './soundness.ts';
import { onTensorflow } from './tensorflowDevice.ts';

export function fixesOfIndex(
  program: Program,
  literal: DeviceLiteral,
  index: number,
  level: string,
  known: Knowledge,
): Fix[] {
  const { node } = literal;
  if (!isSound(program, node) || isGpuOnlyFunction(program, node)) return [];
  const isHeld = literal.evidence.devices > index;
  const visible = visibleAt(program, node);
  // A test that the program has already made, or that its own choice of GPUs never passes, is useless.
  if (isHeld || (visible && index >= visible.count)) return isHeld ? ofHeld(program, literal, index) : [];
  if (isString(node) && !stringOf(node)?.startsWith('cuda')) {
    return preferringFirst([onTensorflow(program, literal, index, known)], level === 'flag' ? 'safe' : 'suggestion');
  }
  const mover = moverOf(program, node);
  if (mover && movesHalf(program, mover))
    return preferringFirst(onlyOnGpu(program, mover, isThere(index)), level === 'flag' ? 'safe' : 'suggestion');
  const isLost = reachesHalf(program, node);
  const onCpu = ofCopiedLoad(program, literal, level === 'flag' ? 'safe' : 'suggestion');
  const isSure = !isLost && isTorchProgram(program) && (index === 0 || isPartner(program) || keepsIndex(program, node));
  const offers = isNumber(node) ? ofNumber(program, literal, node, index) : ofName(program, literal, node, index);
  const others = preferringFirst(offers, level === 'flag' && isSure ? 'safe' : 'suggestion');
  const isCpuFirst = onCpu[0]?.tier === 'safe' || others[0]?.tier !== 'safe';
  return isCpuFirst ? [...onCpu, ...others.map(asSuggestion)] : [...others, ...onCpu];
}

/** Offers `torch.cuda.set_device(1)` only if that GPU exists. */
function keepsIndex(program: Program, node: Expression): boolean {
  const call = callTaking(node);
  const names = call ? program.names.calleeOf(call).qualified : [];
  return names.includes('torch.cuda.set_device') || names.includes('torch.cuda.device');
}

/** If the program has checked that the GPU exists, only the number can be removed, and only for the first GPU. */
function ofHeld(program: Program, literal: DeviceLiteral, index: number): Fix[] {
  const { node } = literal;
  if (index > 0 || !isString(node) || !stringOf(node)?.startsWith('cuda')) return [];
  const receiver = receiverOfDevice(program, node, literal.use.expression);
  return receiver.kind === 'value' || receiver.kind === 'deviceObject' || receiver.kind === 'deviceName'
    ? preferringFirst([anyGpu(program, node)], 'suggestion')
    : [];
}

/** Returns the test that is true on a machine that has the GPU with that index. */
const isThere = (index: number) => (index === 0 ? 'is_available()' : `device_count() > ${index}`);

// Names: "cuda:1"

function ofName(program: Program, literal: DeviceLiteral, node: StringLiteral, index: number): (Offer | undefined)[] {
  const receiver = receiverOfDevice(program, node, literal.use.expression);
  const guarded = guard(program, literal, node, index);
  const any = isGpuKnown(literal, index) ? anyGpu(program, node) : choice(program, node);
  const others = (held: Offer | undefined) =>
    inOrderOfMeaning(program, index, { held, any, guarded, plain: anyGpu(program, node) });
  switch (receiver.kind) {
    case 'cudaMethod':
      return toDevices(program, receiver.call, devicesOf(program, literal, receiver.call, index));
    case 'setDevice':
      return underTest(program, receiver.call, isThere(index));
    case 'context':
      return [orNoDevice(program, node, index)];
    case 'indexed':
      return [];
    case 'deviceObject': {
      const held = variableAt(program, node);
      return others(held && inPlaceOf(program, node, held));
    }
    case 'wrapped': {
      const held = variableAt(program, receiver.call);
      return others(held && inPlaceOf(program, receiver.call, held));
    }
    case 'deviceName': {
      const held = variableAt(program, node, (value) => isAnyGpu(value) && value.form === 'string');
      return others(held && inPlaceOf(program, node, held));
    }
    case 'value':
      return others(undefined);
  }
}

/** The ways to write a device other than the pinned one; undefined if one is not available. */
interface Ways<T> {
  /** A variable that holds it. */
  readonly held: T | undefined;
  /** Any GPU, or the CPU. */
  readonly any: T | undefined;
  /** The pinned GPU if it exists. */
  readonly guarded: T | undefined;
  /** Any GPU. */
  readonly plain?: T | undefined;
}

/**
 * Most programs use the first GPU to mean any GPU. Only the author knows the meaning of other indices: if several GPUs
 * work together, each index stays; if it is the only one, any GPU may do.
 */
function inOrderOfMeaning<T>(
  program: Program,
  index: number,
  { held, any, guarded, plain }: Ways<T>,
): (T | undefined)[] {
  if (index > 0) return isPartner(program) ? [guarded] : [held, any, guarded];
  return isCurrent(program, index) ? [held, guarded, plain] : [guarded, held, plain];
}

/** `"cuda" if torch.cuda.is_available() else "cpu"` */
function choice(program: Program, node: StringLiteral): Offer | undefined {
  const device = expressionAt(program, node);
  if (!device) return undefined;
  const isBare = !needsParentheses(program, node);
  const text = isBare ? device.text : `(${device.text})`;
  return {
    ...inPlaceOf(program, node, { ...device, text }),
    title: titleOf(device.text, device, program.text.slice(node.start, node.end)),
  };
}

/** True for a program that uses several GPUs by number, whose devices belong together. */
const isPartner = memoize((program: Program): boolean => {
  const indices = matchesIn(program, deviceUses)
    .flatMap(({ literals }) => literals)
    .flatMap(({ index, isDefault }) => (index === undefined || isDefault ? [] : [index]));
  return new Set(indices).size > 1;
});

const anyGpu = (program: Program, node: StringLiteral): Offer =>
  inPlaceOf(program, node, { text: quotedNear(program, node, 'cuda'), edits: [] });

/** `"cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu"` */
function guard(program: Program, literal: DeviceLiteral, node: StringLiteral, index: number): Offer | undefined {
  const torch = torchAt(program, node);
  if (!torch) return undefined;
  const isKnown = isGpuKnown(literal, index);
  const rest = ` if ${torch.text}.cuda.${isThere(index)} else ${fallback(program, node, index, torch, isKnown)}`;
  const text = program.text.slice(node.start, node.end) + rest;
  const edits =
    isKnown && isChosenByAvailability(program, node) ? [insertion(node.end, rest)] : asConditional(program, node, rest);
  return { title: `Replace with \`${text}\``, edits: [...torch.edits, ...edits] };
}

/** True if some GPU exists, not necessarily the one with the index. */
const isGpuKnown = ({ evidence }: DeviceLiteral, index: number) => index > 0 && evidence.level === 'guard';

/** The device to use if the pinned GPU is missing. */
function fallback(program: Program, near: Expression, index: number, torch: ModuleText, isGpuKnown: boolean): string {
  const [cuda, cpu] = [quotedNear(program, near, 'cuda'), quotedNear(program, near, 'cpu')];
  if (index === 0) return cpu;
  return isGpuKnown ? cuda : `${cuda} if ${torch.text}.cuda.is_available() else ${cpu}`;
}

/**
 * Matches `"cuda:1" if torch.cuda.is_available() else …`: another test can be inserted before its test without
 * parentheses.
 */
function isChosenByAvailability(program: Program, node: StringLiteral): boolean {
  const around = node.parent;
  if (around?.kind !== 'IfExp' || around.body !== node || around.test.kind !== 'Call') return false;
  return program.names.qualify(around.test.func).includes('torch.cuda.is_available');
}

// Numbers: x.cuda(1)

function ofNumber(
  program: Program,
  literal: DeviceLiteral,
  node: NumberConstant,
  index: number,
): (Offer | undefined)[] {
  if (node.parent?.kind === 'Dict') return [orCpu(program, node, index)];
  const call = callTaking(node);
  if (!call || !hasBrackets(program, call)) return [];
  const { qualified } = program.names.calleeOf(call);
  if (qualified.includes('torch.cuda.set_device')) return underTest(program, call, isThere(index));
  if (qualified.includes('torch.cuda.device')) return [orNoDevice(program, node, index)];
  if (qualified.includes('torch.device')) return [inDevice(program, literal, call, index)];
  if (qualified.includes('transformers.pipeline')) return [orMinusOne(program, node, index)];
  const method = call.func.kind === 'Attribute' ? call.func.attr : undefined;
  if (method === 'cuda') return toDevices(program, call, devicesOf(program, literal, call, index));
  if (method !== 'to' && !qualified.some((name) => name.startsWith('torch.'))) {
    const asked = bySwitchBeside(program, call);
    // A library that expects a number does not accept a device.
    if (asked || argumentOf(node)?.name !== 'device') return [asked];
  }
  return devicesOf(program, literal, call, index).map((device) => inPlaceOf(program, node, device));
}

/** `device_map={"": 0 if torch.cuda.is_available() else "cpu"}` */
function orCpu(program: Program, node: NumberConstant, index: number): Offer | undefined {
  const torch = torchAt(program, node);
  if (!torch) return undefined;
  const rest = ` if ${torch.text}.cuda.${isThere(index)} else ${quotedNear(program, node.parent ?? node, 'cpu')}`;
  const title = `Add \`${rest.trim()}\``;
  return { title, edits: [...torch.edits, ...asConditional(program, node, rest)] };
}

/** In `f(use_cuda=torch.cuda.is_available(), cuda_device=0)`, the number is used only if the switch is on. */
function bySwitchBeside(program: Program, call: Call): Offer | undefined {
  const beside = argumentsOf(call).find(
    ({ name, value }) => name !== undefined && switchKind(name) === 'on' && isBoolean(value, true),
  );
  const torch = beside && torchAt(program, call);
  if (!beside || !torch) return undefined;
  const text = `${torch.text}.cuda.is_available()`;
  const edits = [...torch.edits, replacement(beside.value.start, beside.value.end, text)];
  return { title: `Replace with \`${beside.name}=${text}\``, edits };
}

/** Returns the ways to write the GPU with the index, the best first. */
function devicesOf(program: Program, literal: DeviceLiteral, call: Call, index: number): ChosenDevice[] {
  const torch = torchAt(program, call);
  const pinned = torch && { text: pinnedText(program, literal, call, index, torch), edits: torch.edits };
  const [held, any] = devicesAt(program, call);
  const ways = { held, any, guarded: pinned };
  return inOrderOfMeaning(program, index, ways).filter((device) => device !== undefined);
}

function pinnedText(program: Program, literal: DeviceLiteral, call: Call, index: number, torch: ModuleText): string {
  const name = quotedNear(program, call, `cuda:${index}`);
  return `${name} if ${torch.text}.cuda.${isThere(index)} else ${fallback(program, call, index, torch, isGpuKnown(literal, index))}`;
}

/** Replaces `torch.device("cuda", 1)`; the CPU has no index. */
function inDevice(program: Program, literal: DeviceLiteral, call: Call, index: number): Offer | undefined {
  const torch = torchAt(program, call);
  const list = argumentList(program, call);
  if (!torch || !list || argumentsOf(call).some(({ star }) => star)) return undefined;
  const text = pinnedText(program, literal, call, index, torch);
  return {
    title: `Replace with \`torch.device(${text})\``,
    edits: [...torch.edits, replacement(list.start, list.end, text)],
  };
}

/** `with torch.cuda.device(-1):` leaves the device unchanged, also without a GPU. */
function orNoDevice(program: Program, node: StringLiteral | NumberConstant, index: number): Offer | undefined {
  return orElse(program, node, (torch) => ` if ${torch}.cuda.${isThere(index)} else -1`);
}

/** In pipelines, -1 means the CPU in every version. */
function orMinusOne(program: Program, node: NumberConstant, index: number): Offer | undefined {
  const first = (torch: string) => (index === 0 ? '-1' : `0 if ${torch}.cuda.is_available() else -1`);
  return orElse(program, node, (torch) => ` if ${torch}.cuda.${isThere(index)} else ${first(torch)}`);
}

function orElse(
  program: Program,
  node: StringLiteral | NumberConstant,
  restOf: (torch: string) => string,
): Offer | undefined {
  const torch = torchAt(program, node);
  if (!torch) return undefined;
  const rest = restOf(torch.text);
  const title = `Replace with \`${program.text.slice(node.start, node.end)}${rest}\``;
  return { title, edits: [...torch.edits, ...asConditional(program, node, rest)] };
}

/** True if `"cuda"` means the GPU with the index: the program does not make another one current. */
const isCurrent = (program: Program, index: number): boolean => index === 0 && !setsDevice(program);

const setsDevice = memoize((program: Program): boolean =>
  program.index.calls.some((call) =>
    program.names
      .calleeOf(call)
      .qualified.some((name) => name === 'torch.cuda.set_device' || name === 'torch.cuda.device'),
  ),
);
