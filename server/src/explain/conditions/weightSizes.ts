import { type Condition, type Shown, shown } from './condition.ts';

const sizesIn = (list: string): readonly number[] => list.split(',').map(Number);

/** The sizes of the weights that do not fit. Of old messages the two sides are changed about. */
function sizePairsIn(
  text: string,
): readonly { readonly saved: readonly number[]; readonly built: readonly number[] }[] {
  return [
    ...text.matchAll(
      /torch\.Size\(\[([\d, ]{1,60})\]\)[^\n]{1,60}(?:the shape (?:in current model )?is|in the checkpoint are) torch\.Size\(\[([\d, ]{1,60})\]\)/g,
    ),
  ].map(([, saved = '', built = '']) => ({ saved: sizesIn(saved), built: sizesIn(built) }));
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
 * Undefined unless all weights, and one of them a matrix, have the same sizes but for the first, or the first sizes are the
 * same two everywhere and a count of something (widths are multiples of eight), or one size of one convolution differs.
 */
function onFirstSize(text: string): Shown | undefined {
  const pairs = sizePairsIn(text);
  const first = pairs.find(({ saved }) => saved.length > 1);
  if (first === undefined) return undefined;
  const { saved, built } = first;
  const differing = saved.length === built.length ? [...saved.keys()].filter((at) => saved[at] !== built[at]) : [];
  const [only = 0] = differing;
  const isAlike = pairs.every(
    (pair) =>
      pair.saved.length === pair.built.length && pair.saved.every((size, at) => at === 0 || size === pair.built[at]),
  );
  if (isAlike) return shown(true, `the shapes differ in the first size alone (${saved[0]} and ${built[0]})`);
  if (pairs.length === 1 && differing.length === 1 && first.saved.length > 2)
    return shown(true, `one size alone differs (${saved[only]} and ${built[only]})`);
  const isCount =
    pairs.length > 1 &&
    pairs.every((pair) => pair.saved[0] === saved[0] && pair.built[0] === built[0]) &&
    saved[0] !== built[0] &&
    [saved[0] ?? 0, built[0] ?? 0].some((size) => size % 8 !== 0);
  return isCount ? shown(true, `the first sizes are ${saved[0]} and ${built[0]} in all of them`) : undefined;
}

/** Conditions on the sizes of weights that load_state_dict prints. */
export const weightSizeConditions = {
  'first-size-differs': ({ text }) => onFirstSize(text),
  'differs-in-ones': ({ text }) => onOnes(text),
} satisfies Record<string, Condition>;
