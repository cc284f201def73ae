/** Tuples, lists and dictionaries that are written out in the program. */
import type { Expression } from '../syntax.ts';

/** Displays longer than this are tables, not choices of a device. */
export const LONGEST_DISPLAY = 64;

/** The items that a subscript may take from a display. */
export function itemsIn(display: Expression, index: Expression): Expression[] {
  if (display.kind === 'Dict') {
    const key = index.kind === 'Str' ? index.value : index.kind === 'Num' ? index.value : undefined;
    return display.entries
      .filter((entry) => {
        const own = entry.key?.kind === 'Str' || entry.key?.kind === 'Num' ? entry.key.value : undefined;
        return key === undefined || own === key;
      })
      .map((entry) => entry.value);
  }
  if (display.kind !== 'Sequence' || display.items.length > LONGEST_DISPLAY) return [];
  const only = index.kind === 'Num' ? display.items[index.value] : undefined;
  return only ? [only] : display.items;
}
