/** GPU202 and GPU201: `x.cuda()` becomes `x.to(device)`. */

import type { Program } from '../../guards/program.ts';
import type { Argument } from '../../python/semantic/arguments.ts';
import { argumentOf, argumentsOf, parametersOf } from '../../python/semantic/arguments.ts';
import { isNone } from '../../python/semantic/literals.ts';
import type { Attribute, Call, Expression, Lambda } from '../../python/syntax/nodes.ts';
import { hasBrackets, prependArgument } from '../edits/arguments.ts';
import type { Edit, Fix, FixTier } from '../edits/fix.ts';
import { needsParentheses, replacement } from '../edits/placement.ts';
import { type ChosenDevice, devicesAt, isAnyGpu, titleOf } from './chosenDevice.ts';
import { deviceValueOf } from './deviceValue.ts';
import { isOldTorch } from './dialects.ts';
import { isGpuOnlyFunction } from './gpuOnlyFunctions.ts';
import { withDtype } from './halfLoads.ts';
import { movesHalf, onlyOnGpu } from './halfPrecision.ts';
import { torchAt } from './modules.ts';
import { type Offer, preferringFirst } from './offers.ts';
import { quotedNear } from './quotes.ts';
import { isSound } from './soundness.ts';
import { elseCpu } from './torchTest.ts';

/** Returns the fixes for `x.cuda()` and `x.cuda(expression)`. The rule has excluded modules as receivers. */
export function fixesOfCudaCall(program: Program, call: Call): Fix[] {
  const argument = deviceArgument(call)?.value;
  if (isGpuOnlyFunction(program, call)) return [];
  if (movesHalf(program, call)) {
    if (!isSound(program, call) || !hasBrackets(program, call)) return [];
    const loaded = argument ? undefined : withDtype(program, call, toDevices(program, call, devicesAt(program, call)));
    if (loaded) return preferringFirst(loaded, 'safe');
    return preferringFirst(onlyOnGpu(program, call), argument ? 'suggestion' : 'safe');
  }
  if (!argument || isNone(argument)) {
    return preferringFirst(
      toDevices(program, call, devicesAt(program, call)),
      isOldTorch(program) ? 'suggestion' : 'safe',
    );
  }
  const value = deviceValueOf(argument, program);
  if (value && isAnyGpu(value)) {
    const text = program.text.slice(argument.start, argument.end);
    // A value from the user may be a number, which means a GPU.
    const tier: FixTier = value.choice === 'gpu' ? 'safe' : 'suggestion';
    return preferringFirst(toDevices(program, call, [{ text, edits: [] }]), tier);
  }
  return preferringFirst(toDevices(program, call, indexed(program, call, argument)), 'suggestion');
}

/** Returns the call with `to` instead of `cuda` and with each of the devices as its argument. */
export function toDevices(program: Program, call: Call, devices: readonly ChosenDevice[]): Offer[] {
  if (!isSound(program, call) || !hasBrackets(program, call) || !isFixable(program, call)) return [];
  const lambda = storageLambda(program, call);
  return devices.flatMap((device): Offer[] => {
    if (lambda) {
      return [
        {
          title: titleOf(device.text, device, program.text.slice(lambda.start, lambda.end)),
          edits: [...device.edits, replacement(lambda.start, lambda.end, device.text)],
        },
      ];
    }
    return [
      {
        title: titleOf(`.to(${device.text})`, device, methodText(program, call)),
        edits: [...device.edits, ...callOfTo(program, call, device.text)],
      },
    ];
  });
}

/** Returns `.cuda()` for `x.cuda()`. */
function methodText(program: Program, { func, end }: Call): string {
  return func.kind === 'Attribute' ? `.${program.text.slice(func.end - func.attr.length, end)}` : '';
}

export function deviceArgument(call: Call): Argument | undefined {
  return argumentsOf(call).find((arg, index) => arg.name === 'device' || (index === 0 && arg.name === undefined));
}

function callOfTo(program: Program, call: Call, device: string): Edit[] {
  const func = call.func as Attribute;
  const rename = replacement(func.end - func.attr.length, func.end, 'to');
  const argument = deviceArgument(call);
  if (!argument) return [rename, ...prependArgument(program, call, device)];
  const flag = argumentsOf(call).find((arg, index) => index === 1 && arg.name === undefined);
  return [
    rename,
    replacement(argument.value.start, argument.value.end, device),
    // The second argument of `to` is a dtype.
    ...(flag ? [replacement(flag.start, flag.start, 'non_blocking=')] : []),
  ];
}

/** False if `to` cannot replace the call: an argument has no equivalent, or the receiver has no such method. */
function isFixable(program: Program, call: Call): boolean {
  if (call.func.kind !== 'Attribute' || argumentsOf(call).some((arg) => arg.star || arg.name === 'async')) return false;
  const maker = call.func.value.kind === 'Name' && call.func.value.id === 'self' ? undefined : call.func.value;
  const declarations = maker ? makersOf(maker, program) : [];
  return declarations.every((declaration) => {
    const methods = declaration.body.flatMap((statement) => (statement.kind === 'FunctionDef' ? [statement.name] : []));
    return !methods.includes('cuda') || methods.includes('to');
  });
}

/** Returns the classes of this program that the receiver may be an instance of. */
function makersOf(receiver: Expression, program: Program) {
  const values =
    receiver.kind === 'Call'
      ? [receiver]
      : receiver.kind === 'Name' || receiver.kind === 'Attribute'
        ? program.names.definitionsOf(receiver).flatMap(({ value }) => value ?? [])
        : [];
  return values.flatMap((value) => {
    const declaration = value.kind === 'Call' ? program.names.declarationOf(value.func) : undefined;
    return declaration?.kind === 'ClassDef' ? [declaration] : [];
  });
}

/** In `lambda storage, location: storage.cuda()`, storages have no `to`; returning the device itself is equivalent. */
function storageLambda(program: Program, call: Call): Lambda | undefined {
  const { func } = call;
  const lambda = call.parent;
  if (lambda?.kind !== 'Lambda' || func.kind !== 'Attribute' || func.value.kind !== 'Name') return undefined;
  const parameters = parametersOf(lambda.args);
  const isFirst = parameters.length === 2 && parameters[0]?.name === func.value.id;
  const argument = argumentOf(lambda);
  const isArgument = argument?.name === 'map_location' || argument?.call.args[1] === lambda;
  return isFirst && isArgument && !needsParentheses(program, lambda) ? lambda : undefined;
}

/** Offers `.cuda(index)` with the same GPU if one is available. */
function indexed(program: Program, call: Call, index: Expression): ChosenDevice[] {
  const torch = torchAt(program, call);
  if (!torch) return [];
  const text = `${torch.text}.device(${quotedNear(program, call, 'cuda')}, ${program.text.slice(index.start, index.end)})${elseCpu(program, call, torch)}`;
  return [{ text, edits: torch.edits }];
}
