import type { Statement } from './syntax.ts';
import { walk } from './syntax.ts';

/** Moves a statement and everything in it by `by` characters. */
export function shift(statement: Statement, by: number): void {
  if (by === 0) return;
  walk(statement, (node) => {
    node.start += by;
    node.end += by;
  });
}
