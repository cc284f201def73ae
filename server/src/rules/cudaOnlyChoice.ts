import { spanOf } from '../python/semantic/source.ts';
import { on, type Rule } from './engine/rule.ts';
import { fixesOfCudaOnlyChoice } from './fixes/accelerator.ts';
import { cudaOnlyChoices } from './queries/cudaOnlyChoices.ts';
import { gpuReasonsAt } from './queries/gpuProgram.ts';

/** GPU401: code chooses between CUDA and the CPU and ignores other GPUs. */
export const cudaOnlyChoice: Rule = {
  code: 'GPU401',
  name: 'cuda-only-choice',
  summary: 'Code chooses only between CUDA and the CPU.',
  reports: 'a choice between CUDA and the CPU that leaves Apple and Intel GPUs unused',
  severity: 'information',
  isOffByDefault: true,
  listener: on(cudaOnlyChoices, (choice, { program, known, aboutFile, report }) => {
    const { cuda, cpu, expression } = choice;
    report({
      span: spanOf(expression ?? cuda),
      level: 'flag',
      reasons: [...aboutFile, ...gpuReasonsAt(program, cuda)],
      message: 'Apple and Intel GPUs stay unused: this chooses only between CUDA and the CPU.',
      ...(!expression && { related: [{ span: spanOf(cpu), message: 'The CPU is chosen here.' }] }),
      fixes: () => fixesOfCudaOnlyChoice(program, choice, known),
    });
  }),
};
