import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { COLUMNS, columnWidths, TITLES } from './columns.ts';
import { element } from './elements.ts';
import { actionOf, type Place } from './keys.ts';
import { LINE, line, nameOf, type TableContent } from './lines.ts';
import type { MenuContext } from './messages.ts';
import type { Column, Row, Sort } from './rows.ts';
import type { Group, Node } from './tree.ts';
import { drawnLines } from './viewport.ts';

export interface TableEvents {
  sort(column: Column): void;
  toggle(group: Group): void;
  copy(name: string): void;
}

export interface Table {
  readonly element: HTMLElement;
  show(content: TableContent): void;
  /** Draws lines that became visible; called after scrolling or resizing. */
  draw(): void;
  focus(): void;
  activeName(): string | undefined;
}

/**
 * A table of any length, of which only visible lines are drawn. The focus stays on the table, which names the active
 * line, because lines come and go. `before` is the name of the line that was active before the file was read again.
 */
export function createTable(
  root: Group,
  tensors: readonly Tensor[],
  before: string | undefined,
  events: TableEvents,
): Table {
  let content: TableContent = { rows: [], sort: undefined, isList: true, terms: [], isOpen: () => false };
  let active: Node | undefined;
  let activeName = before;
  let activeIndex = -1;
  let drawn = { start: 0, end: 0 };
  /** The drawn lines, by index: scrolling only creates those that become visible. */
  let lines = new Map<number, HTMLElement>();

  const head = headOf(events);
  const body = element('div', 'body');
  body.setAttribute('role', 'rowgroup');
  const table = element('div', 'table', head.element, body);
  table.tabIndex = 0;
  table.setAttribute('role', 'treegrid');
  table.setAttribute('aria-label', 'Tensors');
  for (const [column, width] of Object.entries(columnWidths(root, tensors))) {
    table.style.setProperty(`--${column}`, width === 0 ? '0' : `${width + 2}ch`);
    table.classList.toggle(`without-${column}`, width === 0);
  }

  const draw = (anew = false) => {
    const { top } = body.getBoundingClientRect();
    const now = drawnLines(-top, window.innerHeight, LINE, content.rows.length);
    if (!anew && now.start === drawn.start && now.end === drawn.end) return;
    drawn = now;
    const before = anew ? new Map<number, HTMLElement>() : lines;
    lines = new Map();
    content.rows.slice(now.start, now.end).forEach((row, at) => {
      const index = now.start + at;
      lines.set(index, before.get(index) ?? line(row, index, content));
    });
    body.replaceChildren(...lines.values());
    mark();
  };
  /** Marks the active line, if it is drawn. */
  const mark = () => {
    for (const row of body.children) row.classList.toggle('active', row.id === `line-${activeIndex}`);
    const isDrawn = activeIndex >= drawn.start && activeIndex < drawn.end;
    if (isDrawn) table.setAttribute('aria-activedescendant', `line-${activeIndex}`);
    else table.removeAttribute('aria-activedescendant');
    table.dataset.vscodeContext = active ? JSON.stringify(menuContext(active)) : '{}';
  };
  const activate = (index: number) => {
    activeIndex = Math.max(0, Math.min(index, content.rows.length - 1));
    active = content.rows[activeIndex]?.node;
    activeName = active && nameOf(active);
    mark();
  };
  const reveal = () => {
    const top = body.getBoundingClientRect().top + activeIndex * LINE;
    const above = top - head.element.getBoundingClientRect().bottom;
    const below = top + LINE - window.innerHeight;
    if (above < 0 || below > 0) window.scrollBy({ top: above < 0 ? above : below, behavior: 'instant' });
    draw();
  };
  const toggle = (node: Node | undefined) => {
    if (node?.kind === 'group') events.toggle(node);
  };
  const place = (): Place => {
    const node = content.rows[activeIndex]?.node;
    return {
      index: activeIndex,
      parent: parentOf(activeIndex, content.rows),
      count: content.rows.length,
      page: Math.max(1, Math.floor((window.innerHeight - head.element.getBoundingClientRect().bottom) / LINE) - 1),
      isOpen: node?.kind === 'group' ? content.isOpen(node) : undefined,
    };
  };
  const pressed = (event: KeyboardEvent) => {
    const action = event.target === table ? actionOf(event, place()) : undefined;
    if (!action || (action.kind === 'copy' && isTextSelected())) return;
    event.preventDefault();
    if (action.kind === 'go') activate(action.to);
    else if (action.kind === 'toggle') toggle(active);
    else if (active) events.copy(nameOf(active));
    reveal();
  };
  const lineOf = (event: Event): number | undefined => {
    const row = (event.target as Element).closest('[role=row]');
    return row && body.contains(row) ? Number(row.id.slice('line-'.length)) : undefined;
  };
  table.addEventListener('keydown', pressed);
  table.addEventListener('focus', () => {
    const hidden = head.element.getBoundingClientRect().bottom - body.getBoundingClientRect().top;
    if (activeIndex < 0) activate(Math.ceil(hidden / LINE));
  });
  body.addEventListener('contextmenu', (event) => {
    const index = lineOf(event);
    if (index !== undefined) activate(index);
  });
  body.addEventListener('click', (event) => {
    const index = lineOf(event);
    if (index === undefined || isTextSelected()) return;
    activate(index);
    toggle(active);
  });

  return {
    element: table,
    show(next) {
      content = next;
      const isActive = (node: Node) => (active ? node === active : nameOf(node) === activeName);
      activeIndex = activeName === undefined ? -1 : next.rows.findIndex(({ node }) => isActive(node));
      active = next.rows[activeIndex]?.node;
      activeName = active && activeName;
      table.setAttribute('aria-rowcount', `${next.rows.length + 1}`);
      body.style.height = `${next.rows.length * LINE}px`;
      head.show(next.sort);
      draw(true);
    },
    draw,
    focus: () => table.focus({ preventScroll: true }),
    activeName: () => activeName,
  };
}

/** The line of the group that contains a line; itself without one. */
function parentOf(index: number, rows: readonly Row[]): number {
  const level = rows[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above--) if ((rows[above]?.level ?? 0) < level) return above;
  return index;
}

function isTextSelected(): boolean {
  return document.getSelection()?.isCollapsed === false;
}

function menuContext(node: Node): MenuContext {
  return { webviewSection: 'tensor', name: nameOf(node), preventDefaultContextMenuItems: true };
}

function headOf(events: TableEvents): { element: HTMLElement; show(sort: Sort | undefined): void } {
  const cells = (['name', ...COLUMNS] as const).map((column) => {
    const button = element('button', '', TITLES[column]);
    button.type = 'button';
    button.title = `Sort by ${TITLES[column].toLowerCase()}`;
    button.addEventListener('click', () => events.sort(column));
    const cell = element('div', `cell ${column}`, button);
    cell.setAttribute('role', 'columnheader');
    return { column, cell };
  });
  const row = element('div', 'line', ...cells.map(({ cell }) => cell));
  row.setAttribute('role', 'row');
  row.setAttribute('aria-rowindex', '1');
  const head = element('div', 'head', row);
  head.setAttribute('role', 'rowgroup');
  return {
    element: head,
    show(sort) {
      for (const { column, cell } of cells) {
        const way = sort?.column !== column ? 'none' : sort.descending ? 'descending' : 'ascending';
        cell.setAttribute('aria-sort', way);
      }
    },
  };
}
