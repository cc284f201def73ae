import { codeIn, element, icon, sentence } from './elements.ts';
import type { CheckpointView, JudgementHere, JudgementView } from './messages.ts';
import { metadataList } from './metadata.ts';
import { shortened, visible } from './text.ts';

export interface Summary {
  readonly element: HTMLElement;
  /** Shows whether the file loads on this machine. */
  judge(judgement: JudgementHere): void;
}

/** The part above the table: the file's format, whether it loads here, and what loading would run. */
export function summaryOf(
  file: string,
  { facts, safety, problems, components, imports, metadata }: CheckpointView,
): Summary {
  const here = element('section', 'judgement');
  const memory = element('section', 'judgement');
  memory.hidden = true;
  const judge = (judgement: JudgementHere) => {
    const content = judged('On this machine', judgement);
    // An unchanged text would be read aloud again.
    if (here.textContent !== content.map(({ textContent }) => textContent).join('')) here.replaceChildren(...content);
    memory.hidden = judgement.memory.length === 0;
    memory.replaceChildren(element('h2', '', 'Memory'), ...judgement.memory.map(sentence));
  };
  const header = element('header', '', element('h1', '', visible(file)), factList(facts));
  if (problems.length > 0) header.append(element('div', 'problems', ...problems.map(problem)));
  if (components) header.append(componentTable(components));
  if (safety) {
    judge({ tone: 'neutral', headline: 'Checking', sentences: [], memory: [] });
    here.setAttribute('aria-live', 'polite');
    const safe = element('section', 'judgement safety', ...judged('Safety', safety));
    if (imports.length > 0) safe.append(importList(imports));
    header.append(element('div', 'judgements', here, safe, memory));
  }
  if (metadata.length > 0) header.append(metadataList(metadata));
  return { element: header, judge };
}

function factList(facts: CheckpointView['facts']): HTMLElement {
  return element(
    'dl',
    'facts',
    ...facts.map(({ label, value }) =>
      element('div', '', element('dt', '', label), element('dd', '', ...codeIn(shortened(value)))),
    ),
  );
}

/** A table of a pipeline's components. It scrolls horizontally by itself, also with keys. */
function componentTable({ titles, rows }: NonNullable<CheckpointView['components']>): HTMLElement {
  const head = element('tr', '', ...titles.map((title) => element('th', '', title)));
  for (const cell of head.children) cell.setAttribute('scope', 'col');
  const lines = rows.map((row) => element('tr', '', ...row.map((cell) => element('td', '', visible(cell)))));
  const table = element('table', '', element('thead', '', head), element('tbody', '', ...lines));
  const title = element('h2', '', `Components (${rows.length})`);
  const section = element('section', 'components', title, table);
  section.tabIndex = 0;
  section.setAttribute('role', 'region');
  section.setAttribute('aria-label', 'Components');
  return section;
}

function problem(text: string): HTMLElement {
  return element('div', 'problem', icon('bad'), sentence(text));
}

function judged(title: string, { tone, headline, sentences }: JudgementView): HTMLElement[] {
  const words = sentence(headline);
  words.className = 'headline';
  return [element('h2', '', title), element('div', `verdict ${tone}`, icon(tone), words), ...sentences.map(sentence)];
}

/** Maximum number of names per standing; a crafted file can have any number. */
const MOST_LISTED = 200;

function importList(groups: CheckpointView['imports']): HTMLElement {
  const count = groups.reduce((sum, { names }) => sum + names.length, 0);
  const summary = element('summary', '', `What loading it imports (${count.toLocaleString('en')})`);
  const lists = element('div', 'imports');
  // A long list scrolls by itself, also with keys, so that the table below stays visible.
  lists.tabIndex = 0;
  lists.setAttribute('role', 'region');
  lists.setAttribute('aria-label', 'Imports');
  // Collapsed, so that the tensors below are visible; the verdict above names what matters.
  const details = element('details', '', summary, lists);
  for (const { standing, meaning, names } of groups) {
    const list = element('ul', '', ...names.slice(0, MOST_LISTED).map((name) => element('li', '', shortened(name))));
    if (names.length > MOST_LISTED) list.append(element('li', 'more', `and ${names.length - MOST_LISTED} more`));
    const title = sentence(meaning);
    title.prepend(element('span', `standing ${standing}`, standing), ' ');
    lists.append(title, list);
  }
  return details;
}
