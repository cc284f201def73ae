import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { COLUMNS, cellText, columnWidths, TITLES } from './columns.ts';
import { element, icon } from './elements.ts';
import { spansOf } from './filter.ts';
import type { MenuContext } from './messages.ts';
import type { Column, Row, Sort } from './rows.ts';
import { shortened, visible } from './text.ts';
import type { Group, Node } from './tree.ts';
import { drawnLines } from './viewport.ts';

/** Pixels. */
const LINE = 22;
const INDENT = 14;

export interface TableEvents {
  sort(column: Column): void;
  toggle(group: Group): void;
  copy(name: string): void;
}

/** What the table shows. */
export interface TableContent {
  readonly rows: readonly Row[];
  readonly sort: Sort | undefined;
  /** True for tensors without their groups, which then have their whole names. */
  readonly isList: boolean;
  /** Words to mark in the names. */
  readonly terms: readonly string[];
  isOpen(group: Group): boolean;
}

export interface Table {
  readonly element: HTMLElement;
  show(content: TableContent): void;
  /** Draws what has come into sight; to be called when the page was scrolled or has another size. */
  draw(): void;
  focus(): void;
}

/**
 * A table of any length, of which only what is in sight is drawn. The focus stays on the table itself, which names the
 * line that has it: lines come and go.
 */
export function createTable(root: Group, tensors: readonly Tensor[], events: TableEvents): Table {
  let content: TableContent = { rows: [], sort: undefined, isList: true, terms: [], isOpen: () => false };
  let active: Node | undefined;
  let activeIndex = -1;
  let drawn = { start: 0, end: 0 };

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
    body.replaceChildren(
      ...content.rows.slice(now.start, now.end).map((row, at) => line(row, now.start + at, content)),
    );
    mark();
  };
  /** Shows which line is the active one, where it is drawn. */
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
  /** The line that a key leads to; undefined for other keys. */
  const target = (key: string): number | undefined => {
    const page = Math.max(1, Math.floor((window.innerHeight - head.element.getBoundingClientRect().bottom) / LINE) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: activeIndex + 1,
      ArrowUp: activeIndex - 1,
      PageDown: activeIndex + page,
      PageUp: activeIndex - page,
      Home: 0,
      End: content.rows.length - 1,
    };
    return steps[key];
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.target !== table || content.rows.length === 0) return;
    const row = content.rows[activeIndex];
    const isGroup = row?.node.kind === 'group';
    const isOpen = row?.node.kind === 'group' && content.isOpen(row.node);
    const next = event.ctrlKey || event.metaKey || event.altKey ? undefined : target(event.key);
    if (next !== undefined) activate(next);
    else if (event.key === 'ArrowRight' && isOpen) activate(activeIndex + 1);
    else if (event.key === 'ArrowRight') toggle(row?.node);
    else if (event.key === 'ArrowLeft' && isOpen) toggle(row?.node);
    else if (event.key === 'ArrowLeft') activate(parentOf(activeIndex, content.rows));
    else if ((event.key === 'Enter' || event.key === ' ') && isGroup) toggle(row?.node);
    else if (event.key === 'c' && (event.ctrlKey || event.metaKey) && active && !isTextSelected())
      events.copy(nameOf(active));
    else return;
    event.preventDefault();
    reveal();
  };
  const lineOf = (event: Event): number | undefined => {
    const row = (event.target as Element).closest('[role=row]');
    return row && body.contains(row) ? Number(row.id.slice('line-'.length)) : undefined;
  };
  table.addEventListener('keydown', pressed);
  table.addEventListener('focus', () => activeIndex < 0 && activate(drawn.start));
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
      activeIndex = active ? next.rows.findIndex(({ node }) => node === active) : -1;
      if (activeIndex < 0) active = undefined;
      table.setAttribute('aria-rowcount', `${next.rows.length + 1}`);
      body.style.height = `${next.rows.length * LINE}px`;
      head.show(next.sort);
      draw(true);
    },
    draw,
    focus: () => table.focus({ preventScroll: true }),
  };
}

/** The line of the group that a line is in; itself where there is none. */
function parentOf(index: number, rows: readonly Row[]): number {
  const level = rows[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above--) if ((rows[above]?.level ?? 0) < level) return above;
  return index;
}

function isTextSelected(): boolean {
  return document.getSelection()?.isCollapsed === false;
}

/** The name as it is shown, so that what is copied is what was seen. */
function nameOf(node: Node): string {
  return visible(node.kind === 'group' ? node.path : node.tensor.name);
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

function line(row: Row, index: number, content: TableContent): HTMLElement {
  const { node, level } = row;
  const cells = COLUMNS.map((column) => {
    const text = visible(cellText(node, column));
    const cell = element('div', `cell ${column}`, text);
    cell.setAttribute('role', 'gridcell');
    cell.title = text;
    return cell;
  });
  const made = element('div', `line ${node.kind}`, nameCell(row, content), ...cells);
  made.id = `line-${index}`;
  made.style.top = `${index * LINE}px`;
  made.setAttribute('role', 'row');
  // The head is the first row.
  made.setAttribute('aria-rowindex', `${index + 2}`);
  made.setAttribute('aria-level', `${level}`);
  if (node.kind === 'group') made.setAttribute('aria-expanded', `${content.isOpen(node)}`);
  return made;
}

function nameCell({ node, level }: Row, { isList, terms, isOpen }: TableContent): HTMLElement {
  const whole = node.kind === 'tensor' && isList ? node.tensor.name : node.label;
  const text = shortened(whole) || '(no name)';
  // Where there is no room for the whole, the beginning gives way: the end is what tells tensors apart.
  const end = isList ? text.lastIndexOf('.') + 1 : 0;
  const spans = spansOf(text, terms);
  const label = element('bdi', 'label');
  if (end > 0) label.append(element('span', 'beginning', ...marked(text, 0, end, spans)));
  label.append(element('span', 'ending', ...marked(text, end, text.length, spans)));
  const cell = element('div', 'cell name', label);
  if (!isList) cell.prepend(node.kind === 'group' ? icon(isOpen(node) ? 'open' : 'closed') : element('span', 'icon'));
  cell.style.paddingInlineStart = `${(level - 1) * INDENT + 8}px`;
  cell.setAttribute('role', 'gridcell');
  cell.title = nameOf(node).slice(0, 1000);
  return cell;
}

/** A part of a text, with what of the spans lies in it marked. */
function marked(text: string, from: number, to: number, spans: readonly [number, number][]): (string | Element)[] {
  const parts: (string | Element)[] = [];
  let at = from;
  for (const [start, end] of spans) {
    const [first, last] = [Math.max(start, from), Math.min(end, to)];
    if (first >= last) continue;
    parts.push(text.slice(at, first), element('mark', '', text.slice(first, last)));
    at = last;
  }
  return [...parts, text.slice(at, to)];
}
