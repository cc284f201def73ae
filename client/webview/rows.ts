import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { elementsOf } from '../../server/src/checkpoint/dtypes.ts';
import type { Group, Leaf, Node } from './tree.ts';

export type Column = 'name' | 'dtype' | 'shape' | 'device' | 'parameters' | 'bytes';

/** Undefined: the file's order. */
export interface Sort {
  readonly column: Column;
  readonly descending: boolean;
}

/** A line of the table. */
export interface Row {
  readonly node: Node;
  /** From 1; in a list without groups always 1. */
  readonly level: number;
}

/** The lines of a tree, including those of open groups. */
export function treeRows(root: Group, isOpen: (group: Group) => boolean, sort?: Sort): Row[] {
  const rows: Row[] = [];
  const add = (group: Group, level: number) => {
    for (const node of inOrder(group.children, sort)) {
      rows.push({ node, level });
      if (node.kind === 'group' && isOpen(node)) add(node, level + 1);
    }
  };
  add(root, 1);
  return rows;
}

const { compare: byNumberAndName } = new Intl.Collator('en', { numeric: true });

function inOrder(nodes: readonly Node[], sort: Sort | undefined): readonly Node[] {
  if (sort?.column !== 'name') return nodes;
  const turn = sort.descending ? -1 : 1;
  return nodes.toSorted((a, b) => turn * byNumberAndName(a.label, b.label));
}

/** All tensors below a group, in order. Equal ones keep the file's order. */
export function sortedLeaves(root: Group, sort?: Sort): Leaf[] {
  const byName = sort?.column === 'name' ? sort : undefined;
  const rows = treeRows(root, () => true, byName);
  const leaves = rows.flatMap(({ node }) => (node.kind === 'tensor' ? [node] : []));
  if (byName) return leaves;
  leaves.sort((a, b) => a.index - b.index);
  if (!sort) return leaves;
  const turn = sort.descending ? -1 : 1;
  const compare = COMPARISONS[sort.column as Exclude<Column, 'name'>];
  return leaves.sort((a, b) => turn * compare(a.tensor, b.tensor));
}

/** The lines of a list without groups. */
export function listRows(leaves: readonly Leaf[]): Row[] {
  return leaves.map((node) => ({ node, level: 1 }));
}

const COMPARISONS: Readonly<Record<Exclude<Column, 'name'>, (a: Tensor, b: Tensor) => number>> = {
  dtype: (a, b) => compareTexts(a.dtype, b.dtype),
  shape: (a, b) => compareShapes(a.shape, b.shape),
  device: (a, b) => compareTexts(a.device ?? '', b.device ?? ''),
  parameters: (a, b) => elementsOf(a.shape) - elementsOf(b.shape),
  bytes: (a, b) => a.bytes - b.bytes,
};

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : byNumberAndName(a, b);
}

/** Sorts by the number of dimensions, then by each dimension. */
function compareShapes(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let axis = 0; axis < a.length; axis++) {
    const difference = (a[axis] ?? 0) - (b[axis] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
