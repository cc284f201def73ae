import { type Condition, type Shown, shown } from './condition.ts';

const sizesIn = (list: string): readonly number[] => list.split(',').map(Number);

interface SizePair {
  readonly saved: readonly number[];
  readonly built: readonly number[];
}

/** The sizes of the weights that do not fit. Of old messages the two sides are changed about. */
function sizePairsIn(text: string): readonly SizePair[] {
  return [
    ...text.matchAll(
      /torch\.Size\(\[([\d, ]{1,60})\]\)[^\n]{1,60}(?:the shape (?:in current model )?is|in the checkpoint are) torch\.Size\(\[([\d, ]{1,60})\]\)/g,
    ),
  ].map(([, saved = '', built = '']) => ({ saved: sizesIn(saved), built: sizesIn(built) }));
}

/** Whether the sizes are the same but for the one at a place. */
function isSameBut(place: number, { saved, built }: SizePair): boolean {
  return saved.length === built.length && saved.every((size, at) => at === place || size === built[at]);
}

/** Sizes without those of one, which do not change the order of the values. */
const manyIn = (sizes: readonly number[]): string => sizes.filter((size) => size !== 1).join(', ');

function onOnes(text: string): Shown | undefined {
  const pairs = sizePairsIn(text);
  const [first] = pairs;
  if (first === undefined) return undefined;
  return pairs.every(({ saved, built }) => manyIn(saved) === manyIn(built))
    ? shown(true, `[${first.saved.join(', ')}] and [${first.built.join(', ')}] differ in sizes of one alone`)
    : shown(false, '');
}

/**
 * On a number of classes, tokens or channels. Undefined unless all weights, and one of them a matrix, have the same sizes but
 * for the first, or the first sizes are the same two everywhere and no widths (multiples of eight), or one convolution alone
 * differs, in its channels.
 */
function onCount(text: string): Shown | undefined {
  const pairs = sizePairsIn(text);
  const first = pairs.find(({ saved }) => saved.length > 1);
  if (first === undefined) return undefined;
  const { saved, built } = first;
  if (pairs.every((pair) => isSameBut(0, pair)))
    return shown(true, `the shapes differ in the first size alone (${saved[0]} and ${built[0]})`);
  if (pairs.length === 1 && saved.length > 2 && isSameBut(1, first))
    return shown(true, `the number of channels alone differs (${saved[1]} and ${built[1]})`);
  const isCount =
    pairs.length > 1 &&
    pairs.every((pair) => pair.saved[0] === saved[0] && pair.built[0] === built[0]) &&
    saved[0] !== built[0] &&
    [saved[0] ?? 0, built[0] ?? 0].some((size) => size % 8 !== 0);
  return isCount ? shown(true, `the first sizes are ${saved[0]} and ${built[0]} in all of them`) : undefined;
}

/** Conditions on the sizes of weights that load_state_dict prints. */
export const weightSizeConditions = {
  'count-differs': ({ text }) => onCount(text),
  'differs-in-ones': ({ text }) => onOnes(text),
} satisfies Record<string, Condition>;
