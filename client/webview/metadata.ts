import { element } from './elements.ts';
import type { CheckpointView } from './messages.ts';
import { shortened } from './text.ts';

/** Entries that are shown at once; more are opened by hand. */
const SHORT = 8;

/** What stands beside the tensors, name by name: the first entries, and the others behind a summary. */
export function metadataList(entries: CheckpointView['metadata']): HTMLElement {
  const title = element('h2', '', `Metadata (${entries.length.toLocaleString('en')})`);
  const section = element('section', 'metadata', title, listOf(entries.slice(0, SHORT)));
  const others = entries.slice(SHORT);
  if (others.length > 0) {
    const summary = element('summary', '', `${others.length.toLocaleString('en')} more`);
    section.append(element('details', '', summary, listOf(others)));
  }
  return section;
}

function listOf(entries: CheckpointView['metadata']): HTMLElement {
  return element(
    'dl',
    'entries',
    ...entries.map(([name, text]) =>
      element('div', '', element('dt', '', shortened(name)), element('dd', '', shortened(text))),
    ),
  );
}
