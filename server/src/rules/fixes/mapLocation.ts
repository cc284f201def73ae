/** GPU101: specify the device that a checkpoint is loaded to. */

import type { Program } from '../../guards/program.ts';
import { torchHas } from '../../published/releases/torchReleases.ts';
import type { Argument } from '../../python/semantic/arguments.ts';
import { enclosingClass } from '../../python/semantic/scopes.ts';
import type { Call, Expression } from '../../python/syntax/nodes.ts';
import { addArgument, hasBrackets, removeArgument } from '../edits/arguments.ts';
import type { Edit, Fix, FixTier } from '../edits/fix.ts';
import { replacement } from '../edits/placement.ts';
import type { Knowledge } from '../engine/contract.ts';
import { deviceOfSaved } from '../queries/savedDevice.ts';
import { deviceVariableAt } from './deviceVariable.ts';
import { type Usage, usageOf, usesGpu } from './loadedObject.ts';
import { type ModuleText, torchAt } from './modules.ts';
import { quotedNear } from './quotes.ts';
import { isSound } from './soundness.ts';

interface Choice {
  readonly value: string;
  /** Further edits that the value needs. */
  readonly edits: readonly Edit[];
}

/**
 * Returns the ways to set `parameter`, which the call omits or sets to the literal `none`: the device variable, the
 * CPU, or a device that is chosen at run time.
 */
export function fixesOfLoad(
  program: Program,
  call: Call,
  parameter: string,
  none: Argument | undefined,
  isHint: boolean,
  known: Knowledge = {},
): Fix[] {
  if (!isSound(program, call) || !hasBrackets(program, call)) return [];
  // The argument of a `functools.partial` is fixed at the partial.
  const place = none && none.call !== call ? none.value : call;
  const usage = usageOf(call, program);
  const { offered, isSure } = choices(program, call, place, usage, known);
  const computesInHalf = usage.isHalved && (usage.runs || usage.calculates);
  return offered.map(({ value, edits }, index) => {
    const { title, edits: own } = give(program, call, parameter, none, value);
    const tier: FixTier = index === 0 && isSure && !computesInHalf && !isHint ? 'safe' : 'suggestion';
    return { title, tier, edits: [...edits, ...own] };
  });
}

interface Choices {
  /** The best one first. */
  readonly offered: readonly Choice[];
  /** True if the first fix keeps the program's behavior wherever it runs today. */
  readonly isSure: boolean;
}

function choices(program: Program, call: Call, place: Expression, usage: Usage, known: Knowledge): Choices {
  const variable = deviceVariableAt(program, place);
  const torch = torchAt(program, place);
  const cpu: Choice = { value: quotedNear(program, place, 'cpu'), edits: [] };
  const held: Choice[] = variable ? [{ value: variable.text, edits: [] }] : [];
  const byTest = torch ? [whereAvailable(program, place, torch)] : [];
  const accelerator = torch && hasAccelerator(known) ? [ofAccelerator(cpu, torch)] : [];
  const onCpu: Choices = { offered: [cpu, ...held, ...byTest, ...accelerator], isSure: true };
  // Random states and arrays stay in main memory even if there is a GPU.
  if (usage.needsCpu) return onCpu;
  // Another branch makes the same value on a device, with which it goes on.
  if (hasAlternative(call, program))
    return { offered: [...held, ...byTest, cpu, ...accelerator], isSure: variable !== undefined && !usage.needsCpu };
  if (variable && isGoingTo(usage, variable.text))
    return { offered: [...held, cpu, ...byTest, ...accelerator], isSure: true };
  switch (wantedPlace(usage, program)) {
    case 'cpu':
      return onCpu;
    case 'gpu':
      return { offered: [...held, ...byTest, cpu, ...accelerator], isSure: true };
    default:
      return { ...onCpu, isSure: false };
  }
}

/** True if the result shares its name with a tensor that another branch makes: a resumed weight, a momentum. */
function hasAlternative(call: Call, program: Program): boolean {
  const around = call.parent;
  const target = around?.kind === 'Assign' && around.value === call ? around.targets[0] : undefined;
  if (target?.kind !== 'Name' && target?.kind !== 'Attribute') return false;
  const owner = target.kind === 'Attribute' ? enclosingClass(program.names.scopeOf(call)) : undefined;
  const definitions = owner
    ? program.index.paths.ofSelf(owner, target.kind === 'Attribute' ? target.attr : '')
    : target.kind === 'Name'
      ? (program.names.scopeOf(call).definitions.get(target.id) ?? [])
      : [];
  return definitions.some(
    ({ value }) =>
      value?.kind === 'Call' &&
      value !== call &&
      program.names.qualify(value.func).some((name) => MAKES_TENSOR.test(name)),
  );
}

/** Functions of torch that make a tensor. */
const MAKES_TENSOR = /^torch\.(zeros|ones|rand|randn|randint|empty|full|eye|arange|linspace|tensor|as_tensor)(_like)?$/;

/** True for an object that is copied to its model's device, or moved to this device. */
const isGoingTo = (usage: Usage, device: string) =>
  !usage.calculates && (usage.isCopied || (usage.movedTo.length > 0 && usage.movedTo.every((to) => to === device)));

/**
 * Returns the device that the loaded object must be on. An object that the program moves or copies, or whose use is
 * unknown, can start in main memory. An object that runs or is an operand must be on the device of its inputs;
 * undefined if that device is unknown.
 */
function wantedPlace(usage: Usage, program: Program): 'gpu' | 'cpu' | undefined {
  if (usage.isStored && usesGpu(program)) return undefined;
  if (!(usage.runs || usage.calculates) || usage.movedTo.length > 0) return 'cpu';
  const places = usage.beside.map((each) => deviceOfSaved(each, program));
  if (places.includes('gpu')) return 'gpu';
  if (places.includes('cpu') || !usesGpu(program)) return 'cpu';
  // A model that a program for GPUs runs without moving it is on a GPU.
  return usage.runs && !usage.calculates ? 'gpu' : undefined;
}

function whereAvailable(program: Program, place: Expression, torch: ModuleText): Choice {
  const [cuda, cpu] = [quotedNear(program, place, 'cuda'), quotedNear(program, place, 'cpu')];
  return { value: `${cuda} if ${torch.text}.cuda.is_available() else ${cpu}`, edits: torch.edits };
}

function ofAccelerator(cpu: Choice, torch: ModuleText): Choice {
  const accelerator = `${torch.text}.accelerator`;
  return {
    value: `${accelerator}.current_accelerator() if ${accelerator}.is_available() else ${cpu.value}`,
    edits: torch.edits,
  };
}

/** `torch.accelerator` was added in torch 2.6. */
function hasAccelerator({ torchVersion }: Knowledge): boolean {
  return torchVersion !== undefined && torchHas('weights_only_default', torchVersion);
}

function give(program: Program, call: Call, parameter: string, none: Argument | undefined, value: string) {
  if (none) {
    const edits = [replacement(none.value.start, none.value.end, value)];
    const before = none.name === undefined ? '' : `${parameter}=`;
    return { title: `Replace \`${before}None\` with \`${before}${value}\``, edits };
  }
  const argument = `${parameter}=${value}`;
  return { title: `Add \`${argument}\``, edits: addArgument(program, call, argument) };
}

/** Moves `map_location` from `load_state_dict`, where it raises an error, into the loader's call. */
export function fixesOfForeignArgument(program: Program, load: Call, argument: Argument): Fix[] {
  const { call, start, end } = argument;
  if (!isSound(program, call) || !hasBrackets(program, call) || !hasBrackets(program, load)) return [];
  const code = program.text.slice(start, end);
  const removal = removeArgument(program, call, argument);
  if (!removal) return [];
  const edits = [...addArgument(program, load, code), removal].sort((a, b) => a.span.start - b.span.start);
  return [{ title: `Move \`${code}\` to the loader`, tier: 'safe', edits }];
}

/** Replaces a value that is not a device with the CPU, in a call that fails for every tensor. */
export function fixesOfNoDevice(program: Program, argument: Argument, parameter: string): Fix[] {
  const { call, value, name } = argument;
  if (!isSound(program, call) || !hasBrackets(program, call)) return [];
  const code = program.text.slice(argument.start, argument.end);
  const cpu = `${parameter}=${quotedNear(program, value, 'cpu')}`;
  const edit = replacement(argument.start, argument.end, cpu);
  // Other positional arguments may follow.
  if (name === undefined && call.args.indexOf(value) < call.args.length - 1) return [];
  return [{ title: `Replace \`${code}\` with \`${cpu}\``, tier: 'safe', edits: [edit] }];
}
