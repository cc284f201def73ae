/** Searches in sorted lists. */

/** Returns how many items are below a bound, of a list that ascends by `of`: the index of the first that is not. */
export function countBelow<T>(ascending: readonly T[], bound: number, of: (item: T) => number): number {
  let low = 0;
  for (let high = ascending.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (of(ascending[middle] as T) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
