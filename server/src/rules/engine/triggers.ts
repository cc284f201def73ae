import { loaders, readers } from '../catalogue/catalogue.ts';

/** Words of frameworks and devices, at least one of which stands in nearly every file that a rule can report. */
const WORDS = ['cuda', 'torch', 'keras', 'gpu', 'GPU', 'CUDA_VISIBLE_DEVICES'];

/**
 * Words of which at least one stands in every file that any rule can report; a file without one need not be parsed.
 * Besides the general ones these are the loaders that can be called without them.
 */
export const triggers: readonly string[] = [
  ...WORDS,
  ...new Set(
    [...loaders.values(), ...readers.values()]
      .filter((known) => 'class' in known || !WORDS.some((word) => known.name.includes(word)))
      .map(({ name }) => name.slice(name.lastIndexOf('.') + 1)),
  ),
];

/** True when a file's bytes hold one of the triggers, or one of `more`. Only for encodings that contain ASCII. */
export function hasTrigger(bytes: Buffer, more: readonly string[] = []): boolean {
  return triggers.some((word) => bytes.includes(word)) || more.some((word) => bytes.includes(word));
}
