import { element } from './elements.ts';
import type { CheckpointView } from './messages.ts';
import { shortened } from './text.ts';

/** Number of entries that are visible initially; the others can be expanded. */
const SHORT = 8;

/** Metadata by name: the first entries, and the others in a collapsed section. */
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
