import type { FilledObject } from '../checkpoint.ts';
import type { Pickle } from './interpret.ts';
import { importName } from './symbols.ts';

/**
 * Returns the objects that pickles create with an import and fill afterwards, with each kind listed once. Undefined if
 * a pickle departs from the grammar of plain data, since it is unknown how `weights_only=True` handles that.
 */
export function filledIn(pickles: readonly Pickle[]): FilledObject[] | undefined {
  if (pickles.some(({ departure }) => departure !== undefined)) return undefined;
  const found = new Map<string, FilledObject>();
  for (const { calls } of pickles)
    for (const { callee, args, state, items, entries } of calls) {
      if (state === undefined && !items && !entries) continue;
      const by = importName(callee) ?? '?';
      const first = args[0];
      const spelling = by === 'numpy.dtype' && typeof first === 'string' ? first : undefined;
      if (state !== undefined) found.set(`${by} ${spelling}`, { by, with: 'state', ...(spelling && { spelling }) });
      if (items) found.set(`${by} items`, { by, with: 'items' });
      if (entries) found.set(`${by} entries`, { by, with: 'entries' });
    }
  return [...found.values()];
}
