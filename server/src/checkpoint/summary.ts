import type { Checkpoint, PickledImport, Tensor } from './checkpoint.ts';
import { partsIn, type TensorTotal, totalOf } from './modelParts.ts';
import { type CommonPrefix, prefixOf } from './prefixes.ts';

/** A checkpoint without its lists of tensors and metadata, small enough to keep for many files. */
export interface CheckpointSummary extends Omit<Checkpoint, 'tensors' | 'metadata'> {
  readonly tensors: TensorCounts;
}

export interface TensorCounts {
  readonly count: number;
  /** Parameters of only the model. */
  readonly parameters: number;
  readonly buffers: number;
  readonly training: TensorTotal;
  /** Totals of an averaged copy of the model. */
  readonly average: TensorTotal;
  readonly bytes: number;
  /** In file order, without duplicates. */
  readonly dtypes: readonly string[];
  /**
   * The wrapper prefix that all names have: the empty key stands for the whole file, other keys for its entries. Absent
   * if there is no such prefix.
   */
  readonly wrapped?: Readonly<Record<string, WrapperPrefix>>;
  /** The prefix that all names of the model share. */
  readonly prefix?: CommonPrefix;
}

/** Prefixes that `DataParallel` and `torch.compile` add to parameter names. */
type WrapperPrefix = 'module.' | '_orig_mod.';

/** Maximum number of imports and problems that are kept; only files designed to confuse have more. */
const MOST_KEPT = 1000;

export function summarizeCheckpoint(checkpoint: Checkpoint): CheckpointSummary {
  const { tensors, metadata: _, imports, problems, ...rest } = checkpoint;
  const { model, average, training } = partsIn(tensors);
  const { parameters, buffers } = totalOf(model);
  const wrapped = wrappedIn(tensors);
  const prefix = prefixOf(checkpoint);
  return {
    ...rest,
    tensors: {
      count: tensors.length,
      parameters,
      buffers,
      training: totalOf(training),
      average: totalOf(average),
      bytes: bytesIn(tensors),
      dtypes: [...new Set(tensors.map(({ dtype }) => dtype))],
      ...(Object.keys(wrapped).length > 0 && { wrapped }),
      ...(prefix && { prefix }),
    },
    imports: worstFirst(imports).slice(0, MOST_KEPT),
    problems: problems.slice(0, MOST_KEPT),
  };
}

const WRAPPER = /^(?:module|_orig_mod)\./;

function wrappedIn(tensors: readonly Tensor[]): NonNullable<TensorCounts['wrapped']> {
  const prefixes = new Map<string, Set<string>>();
  const add = (key: string, name: string) => {
    const known = prefixes.get(key) ?? new Set();
    prefixes.set(key, known.add(WRAPPER.exec(name)?.[0] ?? ''));
  };
  for (const { name } of tensors) {
    add('', name);
    const end = name.indexOf('.');
    if (end > 0) add(name.slice(0, end), name.slice(end + 1));
  }
  const whole = [...prefixes].flatMap(([key, [only, other]]) => (only && other === undefined ? [[key, only]] : []));
  return Object.fromEntries(whole.slice(0, MOST_KEPT));
}

const bytesIn = (tensors: readonly Tensor[]) => tensors.reduce((sum, { bytes }) => sum + bytes, 0);

const RANK: readonly PickledImport['standing'][] = ['dangerous', 'unknown', 'harmless', 'allowed'];

/** Sorts imports from worst to best, and within a standing in file order. */
function worstFirst(imports: readonly PickledImport[]): PickledImport[] {
  return [...imports].sort((a, b) => RANK.indexOf(a.standing) - RANK.indexOf(b.standing));
}
