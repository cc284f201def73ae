import { type Condition, type ShownFact, shown } from './condition.ts';

const sizesIn = (list: string): readonly number[] => list.split(',').map(Number);

interface SizePair {
  /** The name of the weight, if the message contains it. */
  readonly name: string;
  readonly saved: readonly number[];
  readonly built: readonly number[];
}

/** The mismatched sizes. In old messages the two sides are swapped. */
function sizePairsIn(text: string): readonly SizePair[] {
  return [
    ...text.matchAll(
      /(?:size mismatch for ([\w.]{1,160})[^\n]{1,60})?torch\.Size\(\[([\d, ]{1,60})\]\)[^\n]{1,60}(?:the shape (?:in current model )?is|in the checkpoint are) torch\.Size\(\[([\d, ]{1,60})\]\)/g,
    ),
  ].map(([, name = '', saved = '', built = '']) => ({ name, saved: sizesIn(saved), built: sizesIn(built) }));
}

/** Names of weights that contain a row, or a frequency, for each position of an image or a text. */
const OF_POSITIONS = /pos(?:ition(?:al|s)?)?_?(?:emb|enc)|relative_position|absolute_pos|attn_mask|complex_weight/i;

/** True if the sizes are equal except in one dimension. */
function isSameBut(place: number, { saved, built }: SizePair): boolean {
  return saved.length === built.length && saved.every((size, at) => at === place || size === built[at]);
}

/** Sizes without ones, which do not change the order of the values. */
const manyIn = (sizes: readonly number[]): string => sizes.filter((size) => size !== 1).join(', ');

function onOnes(text: string): ShownFact | undefined {
  const pairs = sizePairsIn(text);
  const [first] = pairs;
  if (first === undefined) return undefined;
  return pairs.every(({ saved, built }) => manyIn(saved) === manyIn(built))
    ? shown(true, `[${first.saved.join(', ')}] and [${first.built.join(', ')}] differ only in dimensions of size 1`)
    : shown(false, '');
}

/**
 * Based on a number of classes, tokens or channels, which position weights do not show. Undefined unless all weights,
 * including a matrix, have equal sizes except the first, or the first sizes are the same pair everywhere and no widths
 * (multiples of eight), or only one convolution differs, in its channels.
 */
function onCount(text: string): ShownFact | undefined {
  const pairs = sizePairsIn(text).filter(({ name }) => !OF_POSITIONS.test(name));
  const first = pairs.find(({ saved }) => saved.length > 1);
  if (first === undefined) return undefined;
  const { saved, built } = first;
  if (pairs.every((pair) => isSameBut(0, pair)))
    return shown(true, `only the first dimension differs (${saved[0]} and ${built[0]})`);
  if (pairs.length === 1 && saved.length > 2 && isSameBut(1, first))
    return shown(true, `only the number of channels differs (${saved[1]} and ${built[1]})`);
  const isCount =
    pairs.length > 1 &&
    pairs.every((pair) => pair.saved[0] === saved[0] && pair.built[0] === built[0]) &&
    saved[0] !== built[0] &&
    [saved[0] ?? 0, built[0] ?? 0].some((size) => size % 8 !== 0);
  return isCount ? shown(true, `the first sizes are ${saved[0]} and ${built[0]} in all of them`) : undefined;
}

/**
 * Based on the number of positions; undefined for weights without names. A weight that also differs in width belongs to
 * another model.
 */
function onPositions(text: string): ShownFact | undefined {
  const pairs = sizePairsIn(text).filter(({ name }) => name !== '');
  if (pairs.length === 0) return undefined;
  const found = pairs.find(
    ({ name, saved, built }) =>
      OF_POSITIONS.test(name) && saved.length === built.length && saved.at(-1) === built.at(-1),
  );
  return found === undefined || onWidth(text)
    ? shown(false, '')
    : shown(
        true,
        `${found.name} has [${found.saved.join(', ')}] in the checkpoint and [${found.built.join(', ')}] here`,
      );
}

/** Based on the model's width, which is the first size of some weights and a later one of others. */
function onWidth(text: string): ShownFact | undefined {
  const differing = sizePairsIn(text).flatMap(({ saved, built }) =>
    saved.length === built.length
      ? saved.flatMap((size, place) => (size === built[place] ? [] : [{ place, sizes: `${size} and ${built[place]}` }]))
      : [],
  );
  const width = differing.find(({ place, sizes }) =>
    differing.some((other) => place === 0 && other.place === 1 && other.sizes === sizes),
  );
  return width && shown(true, `the widths ${width.sizes} are in the first and in later dimensions of the shapes`);
}

/** Conditions on the sizes that load_state_dict prints. */
export const weightSizeConditions = {
  'count-differs': ({ text }) => onCount(text),
  'differs-in-ones': ({ text }) => onOnes(text),
  'positions-differ': ({ text }) => onPositions(text),
  'width-differs': ({ text }) => onWidth(text),
} satisfies Record<string, Condition>;
