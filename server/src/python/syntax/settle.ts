/** Spans of nodes around what is missing. */
import type { Node } from './nodes.ts';
import { forEachChild } from './walk.ts';

interface Movable {
  start: number;
  end: number;
}

/**
 * Makes each node span what is in it. Of code that is no Python a node may begin where an expression is missing, which
 * stands behind the last token and so before the node. Decorators stand before their definition anyway.
 */
export function settle(nodes: readonly Node[]): void {
  for (const node of nodes) settleNode(node);
}

function settleNode(node: Node): void {
  const span: Movable = node;
  const isDecorated = node.kind === 'FunctionDef' || node.kind === 'ClassDef';
  if (span.end < span.start) span.end = span.start;
  forEachChild(node, (child) => {
    settleNode(child);
    if (child.start < span.start && !isDecorated) span.start = child.start;
    if (child.end > span.end) span.end = child.end;
  });
}
