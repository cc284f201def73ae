/** GPU101: say where a checkpoint is loaded to. */

import type { Program } from '../../guards/program.ts';
import { torchHas } from '../../published/releases/torchReleases.ts';
import type { Argument } from '../../python/semantic/arguments.ts';
import type { Call, Expression } from '../../python/syntax/nodes.ts';
import { addArgument, hasBrackets } from '../edits/arguments.ts';
import type { Edit, Fix, FixTier } from '../edits/fix.ts';
import { replacement } from '../edits/placement.ts';
import type { Knowledge } from '../engine/contract.ts';
import { deviceVariableAt } from './deviceVariable.ts';
import { type Usage, usageOf, usesGpu } from './loadedObject.ts';
import { type ModuleText, torchAt } from './modules.ts';
import { quotedNear } from './quotes.ts';
import { isSound } from './soundness.ts';
import { type Place, placeOf } from './tensorPlace.ts';

interface Choice {
  readonly value: string;
  /** What the value needs elsewhere. */
  readonly edits: readonly Edit[];
}

/**
 * The ways to give `parameter`, which the call leaves out or gives as the literal `none`: the device variable, the CPU,
 * or a device that is chosen when the program runs.
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
  // What `functools.partial` was given is mended where it was given.
  const place = none && none.call !== call ? none.value : call;
  const { offered, isSure } = choices(program, call, place, known);
  return offered.map(({ value, edits }, index) => {
    const { title, edits: own } = give(program, call, parameter, none, value);
    const tier: FixTier = index === 0 && isSure && !isHint ? 'safe' : 'suggestion';
    return { title, tier, edits: [...edits, ...own] };
  });
}

interface Choices {
  /** The best first. */
  readonly offered: readonly Choice[];
  /** True where the first keeps what the program does wherever it runs today. */
  readonly isSure: boolean;
}

function choices(program: Program, call: Call, place: Expression, known: Knowledge): Choices {
  const usage = usageOf(call, program);
  const variable = deviceVariableAt(program, place);
  const torch = torchAt(program, place);
  const cpu: Choice = { value: quotedNear(program, place, 'cpu'), edits: [] };
  const held: Choice[] = variable ? [{ value: variable.text, edits: [] }] : [];
  const byTest = torch ? [whereAvailable(program, place, torch)] : [];
  const accelerator = torch && hasAccelerator(known) ? [ofAccelerator(cpu, torch)] : [];
  const onCpu: Choices = { offered: [cpu, ...held, ...byTest, ...accelerator], isSure: true };
  // Random states and arrays stay in main memory, also where there is a GPU.
  if (usage.needsCpu) return onCpu;
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

/** True for what is copied to wherever its model is, or moved to the very device. */
const isGoingTo = (usage: Usage, device: string) =>
  !usage.calculates && (usage.isCopied || (usage.movedTo.length > 0 && usage.movedTo.every((to) => to === device)));

/**
 * Where what was loaded has to be. What the program moves or copies itself, and what nothing is known of, can start in
 * main memory; what runs or is calculated with has to be where its inputs are, and undefined where nobody knows that.
 */
function wantedPlace(usage: Usage, program: Program): Place | undefined {
  if (!(usage.runs || usage.calculates) || usage.movedTo.length > 0) return 'cpu';
  const places = usage.beside.map((each) => placeOf(each, program));
  if (places.includes('gpu')) return 'gpu';
  if (places.includes('cpu') || !usesGpu(program)) return 'cpu';
  // A model that a program for GPUs runs without moving it anywhere is on one.
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

/** `torch.accelerator` came with torch 2.6. */
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
