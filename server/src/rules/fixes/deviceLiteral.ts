/** GPU202: a literal that names CUDA becomes an available device. */

import type { Program } from '../../guards/program.ts';
import { argumentsOf } from '../../python/semantic/arguments.ts';
import type { StringLiteral } from '../../python/semantic/literals.ts';
import { isString } from '../../python/semantic/literals.ts';
import type { Call } from '../../python/syntax/nodes.ts';
import type { Fix, FixTier } from '../edits/fix.ts';
import { asConditional } from '../edits/placement.ts';
import type { DeviceLiteral } from '../queries/deviceUses.ts';
import { type ChosenDevice, inPlaceOf, isAnyGpu, namedAt, newVariableAt, variableAt } from './chosenDevice.ts';
import { ofCopiedLoad } from './copiedLoad.ts';
import { toDevices } from './cudaCall.ts';
import { placesBeside } from './devicePlaces.ts';
import { receiverOfDevice } from './deviceReceiver.ts';
import { isTorchProgram } from './dialects.ts';
import { isGpuOnlyFunction } from './gpuOnlyFunctions.ts';
import { withDtype } from './halfLoads.ts';
import { moverOf, movesHalf, onlyOnGpu, reachesHalf } from './halfPrecision.ts';
import { torchAt } from './modules.ts';
import { type Offer, preferringFirst } from './offers.ts';
import { underTest } from './raisingCall.ts';
import { isSound } from './soundness.ts';
import { elseCpu } from './torchTest.ts';

export function fixesOfDeviceLiteral(program: Program, literal: DeviceLiteral): Fix[] {
  const { node } = literal;
  if (!isString(node) || !isSound(program, node) || isGpuOnlyFunction(program, node)) return [];
  const mover = moverOf(program, node);
  if (mover && movesHalf(program, mover)) {
    const loaded = withDtype(
      program,
      mover,
      devices(program, node).map((device) => inPlaceOf(program, node, device)),
    );
    return preferringFirst(loaded ?? onlyOnGpu(program, mover), 'safe');
  }
  const receiver = receiverOfDevice(program, node, literal.use.expression);
  const isLost = reachesHalf(program, node);
  const tier: FixTier = isTorchProgram(program) && !isLost ? 'safe' : 'suggestion';
  // If there is no variable to use, a checkpoint that is copied into a model does not need a GPU.
  const copied = variableAt(program, node)
    ? []
    : ofCopiedLoad(program, literal, tier).filter((fix) => fix.tier === 'safe');
  if (copied.length > 0) return [...copied, ...preferringFirst([conditional(program, node)], 'suggestion')];
  switch (receiver.kind) {
    case 'cudaMethod':
      return preferringFirst(toDevices(program, receiver.call, devices(program, node)), tier);
    case 'setDevice':
      return preferringFirst(underTest(program, receiver.call), tier);
    case 'context':
      return [];
    case 'indexed':
      return preferringFirst([orElse(program, receiver.call)], tier);
    case 'deviceObject':
      return preferringFirst(
        [...devices(program, node).map((device) => inPlaceOf(program, node, device)), conditional(program, node)],
        tier,
      );
    case 'wrapped': {
      const held =
        variableAt(program, receiver.call) ??
        (placesBeside(program, node) > 1 ? newVariableAt(program, node) : undefined);
      return preferringFirst([held && inPlaceOf(program, receiver.call, held), conditional(program, node)], tier);
    }
    case 'deviceName': {
      const held = variableAt(program, node, (value) => isAnyGpu(value) && value.form === 'string');
      const named = held ?? (placesBeside(program, node) > 1 ? newVariableAt(program, node, 'string') : undefined);
      return preferringFirst([named && inPlaceOf(program, node, named), conditional(program, node)], tier);
    }
    case 'value':
      return preferringFirst([conditional(program, node)], tier);
  }
}

function devices(program: Program, node: StringLiteral): ChosenDevice[] {
  const device = namedAt(program, node);
  return device ? [device] : [];
}

/** `"cuda" if torch.cuda.is_available() else "cpu"` */
function conditional(program: Program, node: StringLiteral): Offer | undefined {
  const torch = torchAt(program, node);
  if (!torch) return undefined;
  const rest = elseCpu(program, node, torch);
  const text = program.text.slice(node.start, node.end) + rest;
  return { title: `Replace with \`${text}\``, edits: [...torch.edits, ...asConditional(program, node, rest)] };
}

/** `torch.device("cuda", index) if torch.cuda.is_available() else torch.device("cpu")` */
function orElse(program: Program, call: Call): Offer | undefined {
  const torch = torchAt(program, call);
  const string = argumentsOf(call).find(({ value }) => isString(value))?.value;
  if (!torch || !string) return undefined;
  const quote = program.text[string.end - 1] ?? '"';
  const rest = ` if ${torch.text}.cuda.is_available() else ${program.text.slice(call.func.start, call.func.end)}(${quote}cpu${quote})`;
  return { title: `Add \`${rest.trim()}\``, edits: [...torch.edits, ...asConditional(program, call, rest)] };
}
