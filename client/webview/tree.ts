import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { elementsOf } from '../../server/src/checkpoint/dtypes.ts';

export interface Leaf {
  readonly kind: 'tensor';
  readonly tensor: Tensor;
  /** Its index in the file. */
  readonly index: number;
  readonly label: string;
}

/** Tensors with a common prefix. */
export interface Group {
  readonly kind: 'group';
  /** The common part of the names after the enclosing group's prefix; empty for the root. */
  readonly label: string;
  /** The common prefix: `model.layers.0`. */
  readonly path: string;
  /** In the file's order, by the first tensor of each. */
  readonly children: readonly Node[];
  readonly total: Total;
}

export type Node = Leaf | Group;

/** Properties of all tensors in a group, at any depth. */
export interface Total {
  readonly tensors: number;
  readonly parameters: number;
  readonly bytes: number;
  /** Without duplicates. */
  readonly dtypes: readonly string[];
  readonly devices: readonly string[];
}

/** Maximum number of levels; the rest of a longer name is one label. */
const DEEPEST = 32;

/** A group under construction. */
interface Draft {
  readonly path: string;
  readonly label: string;
  readonly children: (Leaf | Draft)[];
}

/** The tensors as a tree, by the parts of their names. */
export function treeOf(tensors: readonly Tensor[]): Group {
  const root: Draft = { path: '', label: '', children: [] };
  const groups = new Map<string, Draft>();
  tensors.forEach((tensor, index) => {
    const group = groupOf(tensor.name, groups, root);
    const label = labelIn(tensor.name, group) || tensor.name;
    group.children.push({ kind: 'tensor', tensor, index, label });
  });
  const children = childrenOf(root);
  return { kind: 'group', label: '', path: '', children, total: totalOf(children) };
}

/** Returns the group for a tensor name; creates it and the enclosing ones if necessary. */
function groupOf(name: string, groups: Map<string, Draft>, root: Draft): Draft {
  const ends = endsIn(name);
  let depth = ends.length;
  let group: Draft | undefined;
  // Usually the previous tensor was in the same group, so the search starts with the innermost one.
  while (depth > 0 && !group) group = groups.get(name.slice(0, ends[--depth]));
  if (group) depth++;
  group ??= root;
  for (const end of ends.slice(depth)) {
    const path = name.slice(0, end);
    const made: Draft = { path, label: labelIn(path, group), children: [] };
    groups.set(path, made);
    group.children.push(made);
    group = made;
  }
  return group;
}

/** The ends of a name's parts, without the last one. Parts are separated by dots or slashes. */
function endsIn(name: string): number[] {
  const ends: number[] = [];
  let isInPart = false;
  for (let at = 0; at < name.length && ends.length < DEEPEST; at++) {
    const isBetween = name[at] === '.' || name[at] === '/';
    if (isBetween && isInPart && at < name.length - 1) ends.push(at);
    isInPart = !isBetween;
  }
  return ends;
}

function labelIn(path: string, { path: outer }: Draft): string {
  return path.slice(outer.length).replace(/^[./]+/, '');
}

/** Completes a group; one with a single child is merged with it. */
function finished(draft: Draft): Node {
  const children = childrenOf(draft);
  const [only] = children;
  if (children.length === 1 && only) {
    const name = only.kind === 'group' ? only.path : only.tensor.name;
    return { ...only, label: `${draft.label}${name.slice(draft.path.length)}` };
  }
  return { kind: 'group', label: draft.label, path: draft.path, children, total: totalOf(children) };
}

function childrenOf(draft: Draft): Node[] {
  return draft.children.map((child) => ('children' in child ? finished(child) : child));
}

function totalOf(children: readonly Node[]): Total {
  const dtypes: string[] = [];
  const devices: string[] = [];
  let [tensors, parameters, bytes] = [0, 0, 0];
  for (const child of children) {
    if (child.kind === 'tensor') {
      const { shape, dtype, device } = child.tensor;
      tensors += 1;
      parameters += elementsOf(shape);
      bytes += child.tensor.bytes;
      if (!dtypes.includes(dtype)) dtypes.push(dtype);
      if (device !== undefined && !devices.includes(device)) devices.push(device);
    } else {
      tensors += child.total.tensors;
      parameters += child.total.parameters;
      bytes += child.total.bytes;
      for (const dtype of child.total.dtypes) if (!dtypes.includes(dtype)) dtypes.push(dtype);
      for (const device of child.total.devices) if (!devices.includes(device)) devices.push(device);
    }
  }
  return { tensors, parameters, bytes, dtypes, devices };
}
