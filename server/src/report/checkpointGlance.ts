import type { CheckpointSummary } from '../checkpoint/summary.ts';

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** Maximum number of devices; a file saved on a whole cluster has many. */
const MOST_DEVICES = 2;

/**
 * Returns a short description of a checkpoint for a line of code: `cuda:0 · 516K parameters`; empty if nothing is
 * known.
 */
export function checkpointGlance({ devices = [], tensors }: CheckpointSummary): string {
  const more = devices.length > MOST_DEVICES ? [`${devices.length - MOST_DEVICES} more`] : [];
  const places = [...devices.slice(0, MOST_DEVICES), ...more].join(', ');
  const count = tensors.parameters > 0 ? `${COMPACT.format(tensors.parameters)} parameters` : '';
  return [places, count].filter((part) => part !== '').join(' · ');
}
