/** The order in which nodes stand in the text. */
import type { Span } from '../syntax/nodes.ts';

/** Of two nodes that start at one place, the outer one comes first. */
export function bySourceOrder(a: Span, b: Span): number {
  return a.start - b.start || b.end - a.end;
}
