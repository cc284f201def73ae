/** What keeps a file from taking all time or memory; real checkpoints stay far below. */
export interface Limits {
  readonly opcodes: number;
  /** Texts, containers and calls, of which a tensor takes nine. */
  readonly objects: number;
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
  objects: 1_200_000,
  memo: 4_000_000,
  depth: 10_000,
  bytes: 64 * 1024 * 1024,
  line: 16 * 1024 * 1024,
  pickles: 30_000,
};

/** What the pickles of one file took of the limits together. */
export interface Budget {
  readonly limits: Limits;
  opcodes: number;
  objects: number;
  bytes: number;
  pickles: number;
}

export function createBudget(limits: Partial<Limits> = {}): Budget {
  return { limits: { ...LIMITS, ...limits }, opcodes: 0, objects: 0, bytes: 0, pickles: 0 };
}
