import { element } from './elements.ts';
import type { CheckpointView } from './messages.ts';
import { shortened } from './text.ts';

/** Metadata by name, collapsed so that the tensors below are visible. */
export function metadataList(entries: CheckpointView['metadata']): HTMLElement {
  const lines = entries.map(([name, text]) =>
    element('div', '', element('dt', '', shortened(name)), element('dd', '', shortened(text))),
  );
  const summary = element('summary', '', `Metadata (${entries.length.toLocaleString('en')})`);
  return element('section', 'metadata', element('details', '', summary, element('dl', 'entries', ...lines)));
}
