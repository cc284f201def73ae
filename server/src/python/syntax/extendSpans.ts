/** Adjusts the spans of nodes in invalid code. */
import type { Node } from './nodes.ts';
import { forEachChild } from './walk.ts';

interface MutableSpan {
  start: number;
  end: number;
}

/**
 * Makes each node's span include its children. In invalid code a node may begin at a missing expression, whose offset
 * is after the last token and thus before the node. Decorators always precede their definition.
 */
export function extendSpans(nodes: readonly Node[]): void {
  for (const node of nodes) extendSpan(node);
}

function extendSpan(node: Node): void {
  const span: MutableSpan = node;
  const isDecorated = node.kind === 'FunctionDef' || node.kind === 'ClassDef';
  if (span.end < span.start) span.end = span.start;
  forEachChild(node, (child) => {
    extendSpan(child);
    if (child.start < span.start && !isDecorated) span.start = child.start;
    if (child.end > span.end) span.end = child.end;
  });
}
