import type { Checkpoint, Import, Tensor } from './checkpoint.ts';
import { elementsOf } from './dtypes.ts';
import { isTrainingState } from './trainingState.ts';

/** A checkpoint without its lists of tensors and of what stands beside them: little enough to be kept of many files. */
export interface CheckpointSummary extends Omit<Checkpoint, 'tensors' | 'metadata'> {
  readonly tensors: TensorCounts;
}

export interface TensorCounts {
  readonly count: number;
  /** Elements, without those of an optimizer's state. */
  readonly parameters: number;
  /** Of an optimizer's state. */
  readonly training: { readonly count: number; readonly bytes: number };
  readonly bytes: number;
  /** Each once, in the file's order. */
  readonly dtypes: readonly string[];
}

/** Imports and problems that are kept; only files made to confuse have more. */
const MOST_KEPT = 1000;

export function summarize({ tensors, metadata: _, imports, problems, ...rest }: Checkpoint): CheckpointSummary {
  const training = tensors.filter(({ name }) => isTrainingState(name));
  return {
    ...rest,
    tensors: {
      count: tensors.length,
      parameters: parametersOf(tensors),
      training: { count: training.length, bytes: bytesIn(training) },
      bytes: bytesIn(tensors),
      dtypes: [...new Set(tensors.map(({ dtype }) => dtype))],
    },
    imports: worstFirst(imports).slice(0, MOST_KEPT),
    problems: problems.slice(0, MOST_KEPT),
  };
}

/** How many numbers a model is made of. */
export function parametersOf(tensors: readonly Tensor[]): number {
  return tensors.reduce((sum, { name, shape }) => sum + (isTrainingState(name) ? 0 : elementsOf(shape)), 0);
}

const bytesIn = (tensors: readonly Tensor[]) => tensors.reduce((sum, { bytes }) => sum + bytes, 0);

const RANK: readonly Import['standing'][] = ['dangerous', 'unknown', 'harmless', 'allowed'];

/** The worst ones first, those of one standing in the file's order. */
function worstFirst(imports: readonly Import[]): Import[] {
  return [...imports].sort((a, b) => RANK.indexOf(a.standing) - RANK.indexOf(b.standing));
}
