import { element } from './elements.ts';
import type { CheckpointView } from './messages.ts';
import { shortened } from './text.ts';

/** Entries that are shown at once; a longer list is opened by hand. */
const SHORT = 8;

/** What stands beside the tensors, name by name. */
export function metadataList(entries: CheckpointView['metadata']): HTMLElement {
  const summary = element('summary', '', `Metadata (${entries.length.toLocaleString('en')})`);
  const list = element(
    'dl',
    'entries',
    ...entries.map(([name, text]) =>
      element('div', '', element('dt', '', shortened(name)), element('dd', '', shortened(text))),
    ),
  );
  const details = element('details', 'metadata', summary, list);
  details.open = entries.length <= SHORT;
  return details;
}
