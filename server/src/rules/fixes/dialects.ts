/** Detects the libraries, and their versions, that a program is written for. */
import type { Program } from '../../guards/program.ts';
import { importsFramework } from '../../published/knownPackages.ts';
import { memoize } from '../../python/semantic/memoize.ts';

/**
 * True for a module that requires torch: if the module is imported, torch can be imported too. `clip` means OpenAI's
 * package, which is not on PyPI.
 */
const isOfTorch = (module = '') => /^(torch\w*|pytorch_\w+|clip)$/.test(module) || importsFramework(module, 'torch');

/** False for a program in which nothing shows that torch is installed. */
export const isTorchProgram = memoize((program: Program): boolean => {
  for (const scope of program.index.scopes) {
    if (scope.starImports.some((module) => isOfTorch(module.split('.')[0]))) return true;
    for (const definitions of scope.definitions.values()) {
      if (definitions.some(({ qualified }) => isOfTorch(qualified?.split('.')[0]))) return true;
    }
  }
  return false;
});

/** True for a program from before torch 0.4, which has neither `torch.device` nor `to`. */
export const isOldTorch = memoize((program: Program): boolean =>
  program.index.calls.some(({ keywords }) => keywords.some(({ arg }) => arg === 'async' || arg === 'volatile')),
);
