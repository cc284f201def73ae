/** How far it is established, at some point of a program, that a GPU is there. */
import type { Span } from '../python/semantic/source.ts';
import { isElsewhere, type Reason } from './reason.ts';

export interface Evidence {
  /** `guard`: established, or asked for by the user. `weak`: on unless the user opts out, or distributed code. */
  readonly level: 'none' | 'weak' | 'guard';
  /** How many devices are known to be there. */
  readonly devices: number;
  /** What establishes it, where the program says so. */
  readonly reason?: Reason;
}

export const NONE: Evidence = { level: 'none', devices: 0 };
/** A GPU is used unless the user opts out. */
export const OPT_OUT: Evidence = { level: 'weak', devices: 0, reason: { because: 'a switch can turn the GPU off' } };
/** A launcher started one process for each GPU. */
export const DISTRIBUTED: Evidence = { level: 'weak', devices: 0, reason: { because: 'this is distributed code' } };
/** Something speaks for a GPU, and no more is known. */
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
  const [strong, other] = RANK[a.level] >= RANK[b.level] ? [a, b] : [b, a];
  const reason = strong.reason ?? (other.level === strong.level ? other.reason : undefined);
  return { level: strong.level, devices: Math.max(a.devices, b.devices), ...(reason && { reason }) };
}

/** Only one of the two holds, and which is not known. */
export function either(a: Evidence, b: Evidence): Evidence {
  const { level, reason } = RANK[a.level] <= RANK[b.level] ? a : b;
  return { level, devices: Math.min(a.devices, b.devices), ...(reason && { reason }) };
}

/** The evidence of a GPU count known to be at least `count`. */
export const atLeast = (count: number): Evidence => (count >= 1 ? { level: 'guard', devices: count } : NONE);

/** The evidence as shown by a piece of code: its place is added, and `because` where it does not give a cause itself. */
export function shownBy(evidence: Evidence, at: Span, because: string): Evidence {
  if (evidence.level === 'none' || evidence.reason?.at) return evidence;
  const reason = { because: evidence.reason?.because ?? because, at: { start: at.start, end: at.end } };
  return { ...evidence, reason };
}

/** True where another file of the project establishes it. */
export const isFromElsewhere = ({ reason }: Evidence): boolean => reason?.at !== undefined && isElsewhere(reason.at);

/** Why a site with this evidence is only a hint; empty where there is no evidence. */
export function reasonsOf({ level, reason }: Evidence): readonly Reason[] {
  return level === 'none' ? [] : [reason ?? { because: 'code before it checks for a GPU' }];
}
