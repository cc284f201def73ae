/** GPU401: a device that may be any GPU that PyTorch supports. */

import type { Program } from '../../guards/program.ts';
import { firstTorchWith } from '../../published/releases/torchReleases.ts';
import { isSince, type KnownVersions } from '../../published/specifier.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import type { Expression } from '../../python/syntax/nodes.ts';
import type { Edit, Fix } from '../edits/fix.ts';
import { insertion, replacement } from '../edits/placement.ts';
import type { Knowledge } from '../engine/contract.ts';
import type { CudaOnlyChoice } from '../queries/cudaOnlyChoices.ts';
import { type ModuleText, torchAt } from './modules.ts';
import { quotedNear } from './quotes.ts';
import { isSound } from './soundness.ts';

/** GPUs besides CUDA, by preference, each with the first release of PyTorch that can detect it. */
const OTHERS = [
  { device: 'mps', test: 'backends.mps.is_available()' },
  { device: 'xpu', test: 'xpu.is_available()' },
] as const;
/** A requirement that states the minimum version of PyTorch. */
const NAMES_OLDEST = />|~=|==|\^/;

/**
 * Offers `torch.accelerator` if the project's PyTorch has it, else a chain of conditions. These are suggestions: on a
 * machine with another kind of GPU, the program then runs there instead of on the CPU, and not every operation exists
 * on every GPU.
 */
export function fixesOfCudaOnlyChoice(program: Program, choice: CudaOnlyChoice, known: Knowledge): Fix[] {
  const { expression } = choice;
  const torch = expression && torchAt(program, expression);
  if (!expression || !torch || !isSound(program, expression)) return [];
  const { torchVersion: version, torchRequirement: requirement } = known;
  const installed: KnownVersions = {
    version,
    requirement,
  };
  const isKnown = version !== undefined || NAMES_OLDEST.test(requirement ?? '');
  const fix = isKnown && isSince(firstTorchWith('accelerator'), installed) ? byAccelerator(choice, torch) : undefined;
  if (fix) return [fix];
  // Without a stated minimum, PyTorch may lack the check for Intel GPUs.
  return byLadder(program, choice, torch, isKnown ? installed : { version: firstTorchWith('mps') });
}

function byAccelerator({ cuda, test }: CudaOnlyChoice, torch: ModuleText): Fix | undefined {
  const name = stringOf(cuda.kind === 'Call' ? cuda.args[0] : cuda);
  if (!test || name !== 'cuda') return undefined;
  const current = `${torch.text}.accelerator.current_accelerator()`;
  const device = cuda.kind === 'Call' ? current : `${current}.type`;
  const edits: Edit[] = [
    ...torch.edits,
    replacement(cuda.start, cuda.end, device),
    replacement(test.start, test.end, `${torch.text}.accelerator.is_available()`),
  ];
  return { title: 'Use `torch.accelerator`, which supports every kind of GPU', tier: 'suggestion', edits };
}

function byLadder(
  program: Program,
  { cpu, expression }: CudaOnlyChoice,
  torch: ModuleText,
  installed: KnownVersions,
): Fix[] {
  // As the body of a conditional expression, another one needs parentheses.
  if (!expression || expression.orelse !== cpu) return [];
  const steps = OTHERS.filter(({ device }) => isSince(firstTorchWith(device), installed));
  if (steps.length === 0) return [];
  const branches = steps.map(({ device, test }) => `${like(program, cpu, device)} if ${torch.text}.${test} else `);
  const names = steps.map(({ device }) => device.toUpperCase()).join(' and ');
  return [
    {
      title: `Also check for ${names}`,
      tier: 'suggestion',
      edits: [...torch.edits, insertion(cpu.start, branches.join(''))],
    },
  ];
}

/** Returns another device in the same form as the CPU. */
function like(program: Program, cpu: Expression, device: string): string {
  const string = cpu.kind === 'Call' ? cpu.args[0] : cpu;
  const text = quotedNear(program, string ?? cpu, device);
  return string && cpu.kind === 'Call'
    ? `${program.text.slice(cpu.start, string.start)}${text}${program.text.slice(string.end, cpu.end)}`
    : text;
}
