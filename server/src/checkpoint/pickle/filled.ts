import type { Filled } from '../checkpoint.ts';
import type { Pickle } from './interpret.ts';
import { nameOf } from './symbols.ts';
import { isModule } from './tensors.ts';

/**
 * What pickles make of imports and fill afterwards, each kind once. Undefined where they refer to classes outside of them,
 * as PyTorch before 1.6 wrote whole models: `weights_only=True` never takes those.
 */
export function filledIn(pickles: readonly Pickle[]): Filled[] | undefined {
  if (pickles.some(({ persistent }) => persistent.some(({ id }) => isModule(id)))) return undefined;
  const found = new Map<string, Filled>();
  for (const { calls } of pickles)
    for (const { callee, args, state, items, entries } of calls) {
      const by = nameOf(callee) ?? '?';
      const [first] = args;
      const spelling = by === 'numpy.dtype' && typeof first === 'string' ? first : undefined;
      if (state !== undefined) found.set(`${by} ${spelling}`, { by, with: 'state', ...(spelling && { spelling }) });
      if (items || entries) found.set(`${by} items`, { by, with: 'items' });
    }
  return [...found.values()];
}
