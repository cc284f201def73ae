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
  /**
   * The prefix of a wrapper that all names have: of the whole file under the empty key, of an entry under its own. Absent for files
   * without one.
   */
  readonly wrapped?: Readonly<Record<string, WrapperPrefix>>;
}

/** What `DataParallel` and `torch.compile` put before the names of parameters. */
export type WrapperPrefix = 'module.' | '_orig_mod.';

/** Imports and problems that are kept; only files made to confuse have more. */
const MOST_KEPT = 1000;

export function summarize({ tensors, metadata: _, imports, problems, ...rest }: Checkpoint): CheckpointSummary {
  const training = tensors.filter(({ name }) => isTrainingState(name));
  const wrapped = wrappedIn(tensors);
  return {
    ...rest,
    tensors: {
      count: tensors.length,
      parameters: parametersOf(tensors),
      training: { count: training.length, bytes: bytesIn(training) },
      bytes: bytesIn(tensors),
      dtypes: [...new Set(tensors.map(({ dtype }) => dtype))],
      ...(Object.keys(wrapped).length > 0 && { wrapped }),
    },
    imports: worstFirst(imports).slice(0, MOST_KEPT),
    problems: problems.slice(0, MOST_KEPT),
  };
}

/** How many numbers a model is made of. */
export function parametersOf(tensors: readonly Tensor[]): number {
  return tensors.reduce((sum, { name, shape }) => sum + (isTrainingState(name) ? 0 : elementsOf(shape)), 0);
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

const RANK: readonly Import['standing'][] = ['dangerous', 'unknown', 'harmless', 'allowed'];

/** The worst ones first, those of one standing in the file's order. */
function worstFirst(imports: readonly Import[]): Import[] {
  return [...imports].sort((a, b) => RANK.indexOf(a.standing) - RANK.indexOf(b.standing));
}
