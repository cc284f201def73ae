import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { element, icon } from './elements.ts';
import { createFilters, typeIn, withType } from './filter.ts';
import { type OpenState, openGroups } from './openGroups.ts';
import { type Column, listRows, type Sort, sortedLeaves, treeRows } from './rows.ts';
import { createTable } from './table.ts';
import { tableText } from './tableText.ts';
import { visible } from './text.ts';
import { type Leaf, treeOf } from './tree.ts';

/** The user's state; it outlives the page. */
export interface TensorsState {
  readonly filter?: string;
  readonly sort?: Sort;
  readonly open?: OpenState;
  /** The name of the active line. */
  readonly active?: string;
}

export interface TensorsView {
  readonly element: HTMLElement;
  state(): TensorsState;
  draw(): void;
  focusFilter(): void;
}

export interface TensorsEvents {
  copy(text: string): void;
  /** The state has changed. */
  changed(): void;
}

/**
 * The tensors with a filter above them: a tree by the parts of their names, or a list while a filter is set or another
 * column is sorted.
 */
export function createTensorsView(tensors: readonly Tensor[], state: TensorsState, events: TensorsEvents): TensorsView {
  const root = treeOf(tensors);
  const groups = openGroups(root, state.open);
  const filterIn = createFilters();
  let sort = state.sort;
  /** All tensors in the chosen order; sorting them for every keystroke in the filter would be too slow. */
  let sorted: readonly Leaf[] | undefined;

  const table = createTable(root, tensors, state.active, {
    sort(column) {
      sort = nextSort(sort, column);
      sorted = undefined;
      update();
    },
    toggle(group) {
      groups.toggle(group);
      update();
    },
    copy: events.copy,
  });
  const filter = filterBox(state.filter ?? '');
  const count = element('span', 'count');
  count.setAttribute('role', 'status');
  const all = (open: boolean) => () => {
    groups.all(open);
    update();
  };
  const nothing = element('p', 'nothing', NOTHING_FOUND);
  const buttons = element(
    'div',
    'buttons',
    button('Expand all', 'expand', all(true)),
    button('Collapse all', 'collapse', all(false)),
  );
  const copyTable = button('Copy as table', 'copy', () => events.copy(tableText(found().map(({ tensor }) => tensor))));
  const types = typeBox(root.total.dtypes, (dtype) => {
    filter.value = withType(filter.value, dtype);
    update();
  });

  const found = (): Leaf[] => {
    const { passes } = filterIn(filter.value);
    sorted ??= sortedLeaves(root, sort);
    return sorted.filter(({ tensor }) => passes(tensor));
  };
  const show = () => {
    const isFiltered = filter.value.trim() !== '';
    const isList = isFiltered || (sort !== undefined && sort.column !== 'name');
    const rows = isList ? listRows(found()) : treeRows(root, groups.isOpen, sort);
    types.value = typeIn(filter.value, root.total.dtypes);
    count.textContent = countText(isFiltered ? rows.length : undefined, tensors.length);
    nothing.hidden = !isFiltered || rows.length > 0;
    buttons.hidden = isList || root.children.every(({ kind }) => kind === 'tensor');
    table.show({ rows, sort, isList, terms: filterIn(filter.value).words, isOpen: groups.isOpen });
  };
  const update = () => {
    show();
    events.changed();
  };
  filter.addEventListener('input', update);
  filter.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && filter.value !== '') {
      filter.value = '';
      update();
    } else if (event.key === 'ArrowDown') table.focus();
    else return;
    event.preventDefault();
  });
  show();

  const bar = element('div', 'bar', filter, types, count, element('div', 'tools', buttons, copyTable));
  return {
    element: element('section', 'tensors', bar, nothing, table.element),
    state: () => ({ filter: filter.value, sort, open: groups.state(), active: table.activeName() }),
    draw: () => table.draw(),
    focusFilter() {
      filter.focus();
      filter.select();
    },
  };
}

const NOTHING_FOUND =
  'No tensor matches. Each word must match the name, type, shape or device; name:*.bias, dtype:float16, shape:*x768 and device:cuda match only one of them.';

/** Ascending, descending, and then the file's order. */
function nextSort(sort: Sort | undefined, column: Column): Sort | undefined {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? undefined : { column, descending: true };
}

function countText(found: number | undefined, all: number): string {
  const total = `${all.toLocaleString('en')} ${all === 1 ? 'tensor' : 'tensors'}`;
  return found === undefined ? total : `${found.toLocaleString('en')} of ${total}`;
}

/** A selection of one type, hidden if there is only one. */
function typeBox(dtypes: readonly string[], chosen: (dtype: string) => void): HTMLSelectElement {
  const options = dtypes.map((dtype) => new Option(visible(dtype), dtype));
  const box = element('select', 'types', new Option('All types', ''), ...options);
  box.setAttribute('aria-label', 'Filter by type');
  box.hidden = dtypes.length < 2;
  box.addEventListener('change', () => chosen(box.value));
  return box;
}

function filterBox(value: string): HTMLInputElement {
  const box = element('input', 'filter');
  box.type = 'search';
  box.value = value;
  box.placeholder = 'Filter by name, type, shape or device';
  box.title =
    'Each word must match the name, type, shape or device.\nname:*.bias, dtype:float16, shape:*x768 and device:cuda match only one of them.';
  box.spellcheck = false;
  box.setAttribute('aria-label', 'Filter the tensors');
  return box;
}

function button(title: string, shape: 'expand' | 'collapse' | 'copy', pressed: () => void): HTMLElement {
  const made = element('button', 'tool', icon(shape));
  made.type = 'button';
  made.title = title;
  made.setAttribute('aria-label', title);
  made.addEventListener('click', pressed);
  return made;
}
