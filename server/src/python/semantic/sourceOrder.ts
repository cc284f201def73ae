/** Compares nodes by their order in the source. */
import type { Span } from '../syntax/nodes.ts';

/** If two nodes start at the same offset, the outer one comes first. */
export function bySourceOrder(a: Span, b: Span): number {
  return a.start - b.start || b.end - a.end;
}
