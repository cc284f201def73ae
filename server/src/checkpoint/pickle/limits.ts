/** Limits of one pickle that are no work but a form that no pickler writes; what it costs is counted in the inspection's budget. */
export const LIMITS = {
  /** Numbers under which an object is remembered. */
  memo: 4_000_000,
  /** Marks that are open at once. */
  depth: 10_000,
  /** Bytes in which the end of a line is looked for that is longer than a window. */
  line: 16 * 1024 * 1024,
} as const;

/** Steps of work: measured on pickles of a million of each. */
export const STEPS = {
  pickle: 3000,
  import: 600,
  letterOfName: 20,
  instruction: 4,
  /** A character of a text in which escapes stand. */
  escaped: 8,
  /** A number as text, and a pair of its digits. */
  number: 20,
  digitPair: 1 / 300,
} as const;

/**
 * Bytes by which the process grows for what is built, judging it included: measured on pickles of a million of each. Those
 * of texts, numbers and parts are on top.
 */
export const COST = {
  container: 240,
  /** What a tuple takes more that holds others: tensors are looked for in it. */
  nested: 240,
  /** What lies in a container, and what the first of it takes more. */
  item: 16,
  firstItem: 240,
  entry: 200,
  call: 400,
  persistent: 220,
  effect: 150,
  import: 500,
  text: 85,
  character: 2,
  number: 40,
  /** A number of any length takes more. */
  long: 64,
  /** A place on the stack or in the memo that was never used before. */
  place: 36,
} as const;
