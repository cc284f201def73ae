import type { Checkpoint, Tensor } from './checkpoint.ts';
import { partsIn } from './modelParts.ts';
import { isUsualPrefix } from './prefixes.ts';

/** How the model of one checkpoint differs from that of another. Names are those behind the prefixes. */
export interface Comparison {
  /** What the compared names begin with in each of the two files: `state_dict.module.`. */
  readonly prefixes: readonly [first: string, second: string];
  /** Tensors that both have, with the same shape and type. */
  readonly same: number;
  /** Tensors of the first that the second lacks: what `load_state_dict` of the second into the first's model calls missing. */
  readonly missing: readonly Tensor[];
  /** Tensors of the second that the first lacks. */
  readonly unexpected: readonly Tensor[];
  readonly shapes: readonly Difference[];
  readonly dtypes: readonly Difference[];
  /** Tensors that are no part of what is compared: an optimizer's state, an average, other entries of the files. */
  readonly notCompared: readonly [first: number, second: number];
}

/** A tensor that both files have, of another shape or type. */
export interface Difference {
  readonly name: string;
  readonly first: Tensor;
  readonly second: Tensor;
}

/** Tensors of each that are compared; the largest models have a tenth. */
export const MOST_COMPARED = 200_000;

/**
 * Compares the models of two checkpoints by the names, shapes and types of their tensors. Values are not read. Prefixes and entries such
 * as `module.` and `state_dict.` that only one of them has are taken off, where that makes names equal.
 */
export function compareCheckpoints(first: Checkpoint, second: Checkpoint): Comparison {
  const models = [first, second].map(({ tensors }) => partsIn(tensors).model.slice(0, MOST_COMPARED)) as [
    Tensor[],
    Tensor[],
  ];
  const prefixes = commonView(models[0], models[1]);
  const [one, other] = [namedBelow(models[0], prefixes[0]), namedBelow(models[1], prefixes[1])];
  const missing: Tensor[] = [];
  const shapes: Difference[] = [];
  const dtypes: Difference[] = [];
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

/** True where the two have the same tensors, all of the same shapes and types. */
export function isSameModel({ missing, unexpected, shapes, dtypes }: Comparison): boolean {
  return missing.length + unexpected.length + shapes.length + dtypes.length === 0;
}

function isSameShape(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((size, axis) => size === other[axis]);
}

/** The tensors whose names begin so, by what follows. */
function namedBelow(tensors: readonly Tensor[], prefix: string): Map<string, Tensor> {
  return new Map(
    tensors.flatMap((tensor) =>
      tensor.name.startsWith(prefix) ? [[tensor.name.slice(prefix.length), tensor] as const] : [],
    ),
  );
}

/** Names by which prefixes are chosen, and prefixes of a file that are tried. */
const MOST_SAMPLED = 2000;
const MOST_COUNTED = 20_000;
const MOST_PREFIXES = 12;
/** Parts of a name that may be a prefix. */
const DEEPEST = 4;
/** The share of a file's tensors that are below a prefix which is worth trying. */
const LEAST_SHARE = 0.2;

/** The prefixes under which the two have most names in common, the shortest of equals. */
function commonView(one: readonly Tensor[], other: readonly Tensor[]): [string, string] {
  const names = new Set(other.map(({ name }) => name));
  const theirs = prefixesIn(other);
  let best: [string, string] = ['', ''];
  let most = 0;
  for (const prefix of prefixesIn(one)) {
    const below = one.filter(({ name }) => name.startsWith(prefix));
    const step = Math.ceil(below.length / MOST_SAMPLED) || 1;
    const sample = sampled(below, MOST_SAMPLED).map(({ name }) => name.slice(prefix.length));
    for (const theirPrefix of theirs) {
      // Any two layers have a `weight`: where prefixes are no wrappers, names of one part say nothing.
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

/** At most so many of the tensors, from all of their order. */
function sampled(tensors: readonly Tensor[], most: number): readonly Tensor[] {
  const step = Math.ceil(tensors.length / most) || 1;
  return step === 1 ? tensors : tensors.filter((_, index) => index % step === 0);
}

/** Beginnings of names below which a fair part of the tensors are, the shortest first. */
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
