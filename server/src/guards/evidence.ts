/** How far it is established, at some point of a program, that a GPU is there. */
export interface Evidence {
  /** `guard`: established, or asked for by the user. `weak`: on unless the user opts out, or distributed code. */
  readonly level: 'none' | 'weak' | 'guard';
  /** How many devices are known to be there. */
  readonly devices: number;
}

export const NONE: Evidence = { level: 'none', devices: 0 };
export const WEAK: Evidence = { level: 'weak', devices: 0 };
export const GUARD: Evidence = { level: 'guard', devices: 1 };
/** What can't come out this way proves anything. */
export const IMPOSSIBLE: Evidence = { level: 'guard', devices: Number.POSITIVE_INFINITY };
/** The number of devices was compared with a variable: there are as many as the program needs. */
export const ENOUGH: Evidence = { level: 'guard', devices: Number.MAX_SAFE_INTEGER };

export const isImpossible = (evidence: Evidence): boolean => evidence.devices === Number.POSITIVE_INFINITY;

const RANK = { none: 0, weak: 1, guard: 2 };

/** Both hold. */
export function both(a: Evidence, b: Evidence): Evidence {
  const level = RANK[a.level] >= RANK[b.level] ? a.level : b.level;
  return { level, devices: Math.max(a.devices, b.devices) };
}

/** Only one of the two holds, and which is not known. */
export function either(a: Evidence, b: Evidence): Evidence {
  const level = RANK[a.level] <= RANK[b.level] ? a.level : b.level;
  return { level, devices: Math.min(a.devices, b.devices) };
}

/** The evidence of a GPU count known to be at least `count`. */
export const atLeast = (count: number): Evidence => (count >= 1 ? { level: 'guard', devices: count } : NONE);
