/** What keeps a file from taking all time or memory; real checkpoints stay far below. */
export interface Limits {
  readonly opcodes: number;
  /** Texts, containers and calls, of which a tensor takes nine. */
  readonly objects: number;
  /** Numbers under which an object is remembered. */
  readonly memo: number;
  /** Marks that are open at once. */
  readonly depth: number;
}

export const LIMITS: Limits = { opcodes: 10_000_000, objects: 1_200_000, memo: 4_000_000, depth: 10_000 };
