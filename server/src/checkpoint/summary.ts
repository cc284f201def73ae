import type { Checkpoint, Import } from './checkpoint.ts';
import { elementsOf } from './dtypes.ts';

/** A checkpoint without its list of tensors: little enough to be kept of many files. */
export interface CheckpointSummary extends Omit<Checkpoint, 'tensors'> {
  readonly tensors: TensorCounts;
}

export interface TensorCounts {
  readonly count: number;
  readonly parameters: number;
  readonly bytes: number;
  /** Each once, in the file's order. */
  readonly dtypes: readonly string[];
}

/** Imports and problems that are kept; only files made to confuse have more. */
const MOST_KEPT = 1000;

export function summarize({ tensors, imports, problems, ...rest }: Checkpoint): CheckpointSummary {
  return {
    ...rest,
    tensors: {
      count: tensors.length,
      parameters: tensors.reduce((sum, { shape }) => sum + elementsOf(shape), 0),
      bytes: tensors.reduce((sum, { bytes }) => sum + bytes, 0),
      dtypes: [...new Set(tensors.map(({ dtype }) => dtype))],
    },
    imports: worstFirst(imports).slice(0, MOST_KEPT),
    problems: problems.slice(0, MOST_KEPT),
  };
}

const RANK: readonly Import['standing'][] = ['dangerous', 'unknown', 'harmless', 'allowed'];

/** The worst ones first, those of one standing in the file's order. */
function worstFirst(imports: readonly Import[]): Import[] {
  return [...imports].sort((a, b) => RANK.indexOf(a.standing) - RANK.indexOf(b.standing));
}
