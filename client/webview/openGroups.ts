import { isTrainingState } from '../../server/src/checkpoint/trainingState.ts';
import type { Group, Node } from './tree.ts';

/** Maximum number of lines when the table is first shown: groups are opened level by level up to it. */
const FIRST_LINES = 60;

/** The open groups of a tree. */
export interface OpenGroups {
  isOpen(group: Group): boolean;
  toggle(group: Group): void;
  all(open: boolean): void;
  state(): OpenState;
}

/** The differences from the initially open groups, by path: paths stay the same when the file changes. */
export interface OpenState {
  /** Undefined: the initial state. */
  readonly all?: boolean;
  readonly toggled: readonly string[];
}

export function openGroups(root: Group, { all: initial, toggled: before }: OpenState = { toggled: [] }): OpenGroups {
  const first = openAtFirst(root);
  let all = initial;
  let toggled = new Set(before);
  const isOpen = (group: Group) => (all ?? first.has(group)) !== toggled.has(group.path);
  return {
    isOpen,
    toggle({ path }) {
      if (!toggled.delete(path)) toggled.add(path);
    },
    all(open) {
      all = open;
      toggled = new Set();
    },
    state: () => ({ all, toggled: [...toggled] }),
  };
}

function openAtFirst(root: Group): Set<Group> {
  const open = new Set<Group>();
  let lines = root.children.length;
  const waiting: Group[] = root.children.filter(root.children.length === 1 ? isGroup : isOfModel);
  for (let group = waiting.shift(); group; group = waiting.shift()) {
    lines += group.children.length;
    // A single group around everything is always opened: closed, it would show nothing.
    const isAll = root.children.length === 1 && open.size === 0;
    if (lines > FIRST_LINES && !isAll) break;
    open.add(group);
    waiting.push(...group.children.filter(isOfModel));
  }
  return open;
}

const isGroup = (node: Node): node is Group => node.kind === 'group';
/** An optimizer's state is initially one line. */
const isOfModel = (node: Node): node is Group => isGroup(node) && !isTrainingState(node.path);
