/** What keeps a file from taking all time or memory; real checkpoints stay far below. */
export interface Limits {
  readonly opcodes: number;
  /** Containers, calls and memo entries. */
  readonly objects: number;
  /** Marks that are open at once. */
  readonly depth: number;
}

export const LIMITS: Limits = { opcodes: 20_000_000, objects: 3_000_000, depth: 10_000 };
