import { COLUMNS, cellText } from './columns.ts';
import { element, icon } from './elements.ts';
import { spansOf } from './filter.ts';
import type { Row, Sort } from './rows.ts';
import { endingOf, shortened, visible } from './text.ts';
import type { Group, Node } from './tree.ts';

export interface TableContent {
  readonly rows: readonly Row[];
  readonly sort: Sort | undefined;
  /** True for tensors without groups, which have their full names. */
  readonly isList: boolean;
  /** Words to highlight in the names. */
  readonly terms: readonly string[];
  isOpen(group: Group): boolean;
}

/** Height of a line in pixels, the same as in the style sheet. */
export const LINE = 22;

/** The displayed name, so that copied text is what was seen. */
export function nameOf(node: Node): string {
  return visible(node.kind === 'group' ? node.path : node.tensor.name);
}

/** A line of the table; `index` counts from 0. */
export function line(row: Row, index: number, content: TableContent): HTMLElement {
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
  // The header is the first row.
  made.setAttribute('aria-rowindex', `${index + 2}`);
  made.setAttribute('aria-level', `${level}`);
  if (node.kind === 'group') made.setAttribute('aria-expanded', `${content.isOpen(node)}`);
  return made;
}

function nameCell({ node, level }: Row, { isList, terms, isOpen }: TableContent): HTMLElement {
  const whole = node.kind === 'tensor' && isList ? node.tensor.name : node.label;
  const text = shortened(whole) || '(no name)';
  // A name that is too long is cut at its start: the end distinguishes tensors.
  const end = isList ? endingOf(text) : 0;
  const spans = spansOf(text, terms);
  const label = element('bdi', 'label');
  if (end > 0) label.append(element('span', 'beginning', ...marked(text, 0, end, spans)));
  label.append(element('span', 'ending', ...marked(text, end, text.length, spans)));
  const cell = element('div', 'cell name', label);
  if (!isList) cell.prepend(node.kind === 'group' ? icon(isOpen(node) ? 'open' : 'closed') : element('span', 'icon'));
  cell.style.setProperty('--level', `${level - 1}`);
  cell.setAttribute('role', 'gridcell');
  cell.title = nameOf(node).slice(0, 1000);
  return cell;
}

/** A part of a text, with the spans inside it highlighted. */
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
