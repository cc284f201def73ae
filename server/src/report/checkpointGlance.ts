import type { CheckpointSummary } from '../checkpoint/summary.ts';

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** Devices that are named; a file of a whole cluster has many. */
const MOST_DEVICES = 2;

/** Returns a checkpoint in a few words, to stand in a line of code: `cuda:0 · 516K parameters`; empty where nothing is known. */
export function checkpointGlance({ devices = [], tensors }: CheckpointSummary): string {
  const more = devices.length > MOST_DEVICES ? [`${devices.length - MOST_DEVICES} more`] : [];
  const places = [...devices.slice(0, MOST_DEVICES), ...more].join(', ');
  const count = tensors.parameters > 0 ? `${COMPACT.format(tensors.parameters)} parameters` : '';
  return [places, count].filter((part) => part !== '').join(' · ');
}
