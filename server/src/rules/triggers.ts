/**
 * Words of which at least one stands in every file that any rule can report. A file without one need not be parsed.
 * Whoever adds a rule or a loader that can do without these adds its word.
 */
export const triggers: readonly string[] = ['cuda', 'torch', 'keras', 'gpu', 'GPU', 'load_'];

/** True when a file's bytes hold one of the triggers, or one of `more`. Only for encodings that contain ASCII. */
export function hasTrigger(bytes: Buffer, more: readonly string[] = []): boolean {
  return triggers.some((word) => bytes.includes(word)) || more.some((word) => bytes.includes(word));
}
