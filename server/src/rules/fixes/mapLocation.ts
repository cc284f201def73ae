/** GPU101: say where a checkpoint is loaded to. */
import type { Program } from '../../guards/program.ts';
import type { Argument } from '../../python/semantic/arguments.ts';
import type { Call, Expression } from '../../python/syntax/nodes.ts';
import type { Edit, Fix, FixTier, Knowledge } from '../engine/contract.ts';
import { isAtLeast } from '../queries/versions.ts';
import { addArgument, hasBrackets } from './arguments.ts';
import { deviceVariableAt } from './deviceVariable.ts';
import { type Usage, usageOf, usesGpu } from './loadedObject.ts';
import { type ModuleText, torchAt } from './modules.ts';
import { replacement } from './placement.ts';
import { quotedNear } from './quotes.ts';
import { isSound } from './soundness.ts';

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
  return choices(program, call, place, known).map(({ value, edits }, index) => {
    const { title, edits: own } = give(program, call, parameter, none, value);
    const tier: FixTier = index === 0 && !isHint ? 'safe' : 'suggestion';
    return { title, tier, edits: [...edits, ...own] };
  });
}

function choices(program: Program, call: Call, place: Expression, known: Knowledge): Choice[] {
  const usage = usageOf(call, program);
  const variable = deviceVariableAt(program, place);
  const cpu: Choice = { value: quotedNear(program, place, 'cpu'), edits: [] };
  const torch = torchAt(program, place);
  const available = torch && whereAvailable(program, place, torch);
  const held: Choice[] = variable ? [{ value: variable.text, edits: [] }] : [];
  const accelerator = torch && hasAccelerator(known) ? [ofAccelerator(cpu, torch)] : [];
  const byTest = available ? [available] : [];
  // Random states and arrays stay in main memory, also where there is a GPU.
  if (usage.needsCpu) return [cpu, ...held, ...byTest, ...accelerator];
  if (!variable && belongsOnGpu(usage, program)) return [...byTest, cpu, ...accelerator];
  return [...held, cpu, ...byTest, ...accelerator];
}

/** What is calculated with, and sent nowhere by the program, has to be loaded to where its other tensors are. */
const belongsOnGpu = (usage: Usage, program: Program) => usage.computes && !usage.moves && usesGpu(program);

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
  return torchVersion !== undefined && isAtLeast(torchVersion, '2.6');
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
