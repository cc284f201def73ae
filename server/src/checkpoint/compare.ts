import type { Checkpoint, Tensor } from './checkpoint.ts';
import { partsIn } from './modelParts.ts';
import { isUsualPrefix } from './prefixes.ts';

/** The differences between the models of two checkpoints. Names exclude the prefixes. */
export interface CheckpointComparison {
  /** The prefix of the compared names in each file: `state_dict.module.`. */
  readonly prefixes: readonly [first: string, second: string];
  /** Number of tensors that both have with the same shape and type. */
  readonly same: number;
  /**
   * Tensors that only the first has: `load_state_dict` calls them missing when the second is loaded into the first's
   * model.
   */
  readonly missing: readonly Tensor[];
  /** Tensors that only the second has. */
  readonly unexpected: readonly Tensor[];
  readonly shapes: readonly TensorDifference[];
  readonly dtypes: readonly TensorDifference[];
  /** Number of tensors outside the comparison: an optimizer's state, an averaged copy, other entries of the files. */
  readonly notCompared: readonly [first: number, second: number];
}

/** A tensor whose shape or type differs between the files. */
export interface TensorDifference {
  readonly name: string;
  readonly first: Tensor;
  readonly second: Tensor;
}

/** Maximum number of tensors compared per checkpoint; the largest models have a tenth of this. */
export const MOST_COMPARED = 200_000;

/**
 * Compares the models of two checkpoints by the names, shapes and types of their tensors. Values are not read. Prefixes
 * and entries that only one of them has, such as `module.` and `state_dict.`, are removed if that makes names equal.
 */
export function compareCheckpoints(first: Checkpoint, second: Checkpoint): CheckpointComparison {
  const models = [first, second].map(({ tensors }) => partsIn(tensors).model.slice(0, MOST_COMPARED)) as [
    Tensor[],
    Tensor[],
  ];
  const prefixes = bestPrefixes(models[0], models[1]);
  const [one, other] = [namedBelow(models[0], prefixes[0]), namedBelow(models[1], prefixes[1])];
  const missing: Tensor[] = [];
  const shapes: TensorDifference[] = [];
  const dtypes: TensorDifference[] = [];
  let same = 0;
  for (const [name, tensor] of one) {
    const twin = other.get(name);
    if (!twin) missing.push({ ...tensor, name });
    else if (!isSameShape(tensor.shape, twin.shape)) shapes.push({ name, first: tensor, second: twin });
    else if (tensor.dtype !== twin.dtype) dtypes.push({ name, first: tensor, second: twin });
    else same++;
  }
  const unexpected = [...other].flatMap(([name, tensor]) => (one.has(name) ? [] : [{ ...tensor, name }]));
  const notCompared = [first.tensors.length - one.size, second.tensors.length - other.size] as const;
  return { prefixes, same, missing, unexpected, shapes, dtypes, notCompared };
}

/** True if both have the same tensors with the same shapes and types. */
export function isSameModel({ missing, unexpected, shapes, dtypes }: CheckpointComparison): boolean {
  return missing.length + unexpected.length + shapes.length + dtypes.length === 0;
}

function isSameShape(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((size, axis) => size === other[axis]);
}

/** Returns the tensors whose names begin with the prefix, keyed by the rest of their names. */
function namedBelow(tensors: readonly Tensor[], prefix: string): Map<string, Tensor> {
  return new Map(
    tensors.flatMap((tensor) =>
      tensor.name.startsWith(prefix) ? [[tensor.name.slice(prefix.length), tensor] as const] : [],
    ),
  );
}

/** Maximum number of names that decide the choice of prefixes, and of prefixes that are tried per file. */
const MOST_SAMPLED = 2000;
const MOST_COUNTED = 20_000;
const MOST_PREFIXES = 12;
/** Number of leading name parts that may form a prefix. */
const DEEPEST = 4;
/** Smallest share of a file's tensors below a prefix that is worth trying. */
const LEAST_SHARE = 0.2;

/** Returns the pair of prefixes that makes the most names equal; on a tie, the shortest. */
function bestPrefixes(one: readonly Tensor[], other: readonly Tensor[]): [string, string] {
  const names = new Set(other.map(({ name }) => name));
  const theirs = prefixesIn(other);
  let best: [string, string] = ['', ''];
  let most = 0;
  for (const prefix of prefixesIn(one)) {
    const below = one.filter(({ name }) => name.startsWith(prefix));
    const step = Math.ceil(below.length / MOST_SAMPLED) || 1;
    const sample = sampled(below, MOST_SAMPLED).map(({ name }) => name.slice(prefix.length));
    for (const theirPrefix of theirs) {
      // Any two layers have a `weight`, so names with a single part prove nothing unless the prefixes are wrappers.
      const isUsual = isUsualPrefix(prefix) && isUsualPrefix(theirPrefix);
      const shared =
        sample.filter((name) => names.has(`${theirPrefix}${name}`) && (isUsual || name.includes('.'))).length * step;
      if (shared <= most) continue;
      most = shared;
      best = [prefix, theirPrefix];
    }
  }
  return best;
}

/** Returns an evenly spaced sample of at most `most` tensors. */
function sampled(tensors: readonly Tensor[], most: number): readonly Tensor[] {
  const step = Math.ceil(tensors.length / most) || 1;
  return step === 1 ? tensors : tensors.filter((_, index) => index % step === 0);
}

/** Returns prefixes that a fair share of the tensors have, the shortest first. */
function prefixesIn(tensors: readonly Tensor[]): string[] {
  const counts = new Map<string, number>();
  const sample = sampled(tensors, MOST_COUNTED);
  for (const { name } of sample) {
    let at = -1;
    for (let depth = 0; depth < DEEPEST; depth++) {
      at = name.indexOf('.', at + 1);
      if (at < 0) break;
      const prefix = name.slice(0, at + 1);
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  const least = Math.max(1, sample.length * LEAST_SHARE);
  const common = [...counts].filter(([, count]) => count >= least).map(([prefix]) => prefix);
  return ['', ...common.sort((a, b) => a.length - b.length)].slice(0, MOST_PREFIXES);
}
