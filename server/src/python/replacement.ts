/** What an edit replaced: two versions of a block are compared, of which the later took over what it could. */
import type { Span } from './source.ts';
import { blocksOf, type ExceptHandler, type Statement } from './syntax.ts';

/** Statements that are in the place of others, in the innermost blocks that differ. */
export interface Replacement {
  readonly old: readonly Statement[];
  readonly fresh: readonly Statement[];
}

/** Compares a piece of the text before the edit with one of the text after it. */
export type SameText = (before: Span, after: Span) => boolean;

export function replacementIn(
  before: readonly Statement[],
  after: readonly Statement[],
  isSame: SameText,
): Replacement {
  const [old, fresh] = differing(before, after);
  const edited = old.find(isOuter);
  const now = fresh.find(isOuter);
  const within = edited && now && replacementWithin(edited, now, isSame);
  if (!within) return { old, fresh };
  return {
    old: [...old.filter((each) => each !== edited), ...within.old],
    fresh: [...fresh.filter((each) => each !== now), ...within.fresh],
  };
}

/** What two blocks do not have in common at their start and their end. */
function differing(before: readonly Statement[], after: readonly Statement[]): [Statement[], Statement[]] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

/** A statement, or a part of one, that has blocks and no names of its own. */
type Outer = Extract<Statement, { kind: 'If' | 'While' | 'For' | 'With' | 'Try' }> | ExceptHandler;

const OUTER: ReadonlySet<string> = new Set<Outer['kind']>(['If', 'While', 'For', 'With', 'Try']);

function isOuter(statement: Statement): statement is Exclude<Outer, ExceptHandler> {
  return OUTER.has(statement.kind);
}

/** Undefined where more than the blocks is another one. */
function replacementWithin(before: Outer, after: Outer, isSame: SameText): Replacement | undefined {
  if (before.kind !== after.kind || !isSame(headOf(before), headOf(after))) return undefined;
  const blocks = blocksOf(after);
  const found = blocksOf(before).map((block, index) => replacementIn(block, blocks[index] ?? [], isSame));
  if (before.kind === 'ExceptHandler' && after.kind === 'ExceptHandler' && before.name !== after.name) return undefined;
  if (before.kind === 'Try' && after.kind === 'Try') {
    if (before.handlers.length !== after.handlers.length) return undefined;
    for (const [index, handler] of before.handlers.entries()) {
      const within = replacementWithin(handler, after.handlers[index] as ExceptHandler, isSame);
      if (!within) return undefined;
      found.push(within);
    }
  }
  return { old: found.flatMap(({ old }) => old), fresh: found.flatMap(({ fresh }) => fresh) };
}

/** Where what stands before the blocks is. */
function headOf(node: Outer): Span {
  const { start } = node.span;
  switch (node.kind) {
    case 'If':
    case 'While':
      return { start, end: node.test.span.end };
    case 'For':
      return { start, end: node.iter.span.end };
    case 'With':
      return { start, end: node.items.at(-1)?.span.end ?? start };
    case 'Try':
      return { start, end: start };
    case 'ExceptHandler':
      return { start, end: node.type?.span.end ?? start };
  }
}
