/** What keeps a file from taking all time or memory; real checkpoints stay far below. */
export interface Limits {
  readonly opcodes: number;
  /** Bytes that what is built takes here, in the `COST` of each; a tensor takes some 2,700. */
  readonly memory: number;
  /** Numbers under which an object is remembered. */
  readonly memo: number;
  /** Marks that are open at once. */
  readonly depth: number;
  /** Bytes that the instructions take, without the payloads that are passed over. */
  readonly bytes: number;
  /** Bytes in which the end of a line is looked for that is longer than a window. */
  readonly line: number;
  readonly pickles: number;
}

const LIMITS: Limits = {
  opcodes: 10_000_000,
  memory: 192 * 1024 * 1024,
  memo: 4_000_000,
  depth: 10_000,
  bytes: 64 * 1024 * 1024,
  line: 16 * 1024 * 1024,
  pickles: 30_000,
};

/**
 * Bytes by which the process grows for what is built, judging it included: measured on pickles of a million of each. Those
 * of texts, numbers and parts are on top.
 */
export const COST = {
  container: 200,
  /** What lies in a container, and what the first of it takes more. */
  item: 16,
  firstItem: 240,
  entry: 200,
  call: 400,
  persistent: 220,
  deed: 150,
  import: 500,
  text: 60,
  character: 2,
  number: 40,
  /** A place on the stack or in the memo that was never used before. */
  place: 24,
} as const;

/** What the pickles of one file took of the limits together. */
export interface Budget {
  readonly limits: Limits;
  opcodes: number;
  memory: number;
  bytes: number;
  pickles: number;
}

export function createBudget(limits: Partial<Limits> = {}): Budget {
  return { limits: { ...LIMITS, ...limits }, opcodes: 0, memory: 0, bytes: 0, pickles: 0 };
}
