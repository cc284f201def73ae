/** Evidence that a GPU is available at a point of a program. */
import type { Span } from '../python/semantic/source.ts';
import { isInOtherFile, type Reason } from './reason.ts';

export interface Evidence {
  /** `guard`: established, or requested by the user. `weak`: on unless the user opts out, or distributed code. */
  readonly level: 'none' | 'weak' | 'guard';
  /** Number of devices known to be available. */
  readonly devices: number;
  /** The code that establishes it, if the program shows it. */
  readonly reason?: Reason;
}

export const NO_EVIDENCE: Evidence = { level: 'none', devices: 0 };
/** A GPU is used unless the user opts out. */
export const OPT_OUT: Evidence = { level: 'weak', devices: 0, reason: { because: 'a switch can turn the GPU off' } };
/** A launcher started one process per GPU. */
export const DISTRIBUTED: Evidence = { level: 'weak', devices: 0, reason: { because: 'this is distributed code' } };
/** There are signs of a GPU, but nothing more specific. */
export const WEAK: Evidence = { level: 'weak', devices: 0 };
export const GUARD: Evidence = { level: 'guard', devices: 1 };
/** An impossible outcome proves anything. */
export const IMPOSSIBLE: Evidence = { level: 'guard', devices: Number.POSITIVE_INFINITY };
/** The number of devices was compared with a variable, so there are as many as the program needs. */
export const ENOUGH: Evidence = { level: 'guard', devices: Number.MAX_SAFE_INTEGER };

export const isImpossible = (evidence: Evidence): boolean => evidence.devices === Number.POSITIVE_INFINITY;

const RANK = { none: 0, weak: 1, guard: 2 };

/** Combines evidence that holds at the same time. */
export function both(a: Evidence, b: Evidence): Evidence {
  const [strong, other] = RANK[a.level] >= RANK[b.level] ? [a, b] : [b, a];
  const reason = strong.reason ?? (other.level === strong.level ? other.reason : undefined);
  return { level: strong.level, devices: Math.max(a.devices, b.devices), reason };
}

/** Combines pieces of evidence of which only one holds, when it is not known which one. */
export function either(a: Evidence, b: Evidence): Evidence {
  const { level, reason } = RANK[a.level] <= RANK[b.level] ? a : b;
  return { level, devices: Math.min(a.devices, b.devices), reason };
}

/** The evidence of at least `count` GPUs. */
export const atLeast = (count: number): Evidence => (count >= 1 ? { level: 'guard', devices: count } : NO_EVIDENCE);

/** Adds the place of the code that shows the evidence, and `because` if the evidence has no reason of its own. */
export function withReason(evidence: Evidence, at: Span, because: string): Evidence {
  if (evidence.level === 'none' || evidence.reason?.at) return evidence;
  const reason = { because: evidence.reason?.because ?? because, at: { start: at.start, end: at.end } };
  return { ...evidence, reason };
}

/** True if this evidence comes from another file of the project. */
export const isFromOtherFile = ({ reason }: Evidence): boolean => reason?.at !== undefined && isInOtherFile(reason.at);

/** The reasons why a site with this evidence is only a hint; empty without evidence. */
export function reasonsOf({ level, reason }: Evidence): readonly Reason[] {
  return level === 'none' ? [] : [reason ?? { because: 'code before it checks for a GPU' }];
}
