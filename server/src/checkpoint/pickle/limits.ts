/** Limits on a pickle's form that no pickler exceeds. The inspection's budget limits its work. */
export const LIMITS = {
  /** Maximum memo index. */
  memo: 4_000_000,
  /** Maximum number of marks open at the same time. */
  depth: 10_000,
  /** Maximum number of bytes searched for the end of a line that is longer than a window. */
  line: 16 * 1024 * 1024,
} as const;

/** Costs in steps, measured on pickles with a million of each. */
export const STEPS = {
  pickle: 3000,
  import: 600,
  letterOfName: 20,
  instruction: 4,
  /** A character of a text that contains escapes. */
  escaped: 8,
  /** A number as text, and a pair of its digits. */
  number: 20,
  digitPair: 1 / 300,
} as const;

/**
 * Bytes of process memory per object, including the cost of checking it, measured on pickles with a million of each.
 * Texts, numbers and parts are added.
 */
export const COST = {
  container: 240,
  /** Added for a tuple that contains other containers, because it is searched for tensors. */
  nested: 240,
  /** An item of a container, and the extra cost of its first one. */
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
  /** Arbitrarily long integers take more. */
  long: 64,
  /** A slot on the stack or in the memo that is used for the first time. */
  place: 36,
} as const;
