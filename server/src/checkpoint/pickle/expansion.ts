import type { Pickle } from './interpret.ts';
import { isKind, mayContain, type Value } from './symbols.ts';

/** Number of objects above which comparing, hashing, copying or printing them practically never ends. */
const MOST = 1e9;
/** Average number of references per object that only a malicious file has. */
const MOST_SHARED = 1e6;

/** Fewer references than this cannot grow to `MOST`. */
const FEWEST_RECALLS = 30;

/**
 * True for nested containers that each refer to the next one many times: a few hundred bytes that expand to billions of
 * objects when they are traversed.
 */
export function isExplosive({ value: root, recalls }: Pickle): boolean {
  if (recalls < FEWEST_RECALLS) return false;
  const sizes = new Map<Value, number>();
  const open: { readonly value: Value; readonly parts: readonly Value[]; next: number; size: number }[] = [];
  const enter = (value: Value) => {
    sizes.set(value, 1);
    open.push({ value, parts: partsOf(value), next: 0, size: 1 });
  };
  if (mayContain(root)) enter(root);
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const part = last.parts[last.next++];
    if (part === undefined) {
      if (last.size > MOST && last.size / sizes.size > MOST_SHARED) return true;
      sizes.set(last.value, last.size);
      open.pop();
      const outer = open.at(-1);
      if (outer) outer.size += last.size;
    } else if (!mayContain(part)) last.size++;
    else if (sizes.has(part)) last.size += sizes.get(part) as number;
    else enter(part);
  }
  return false;
}

function partsOf(value: Value): readonly Value[] {
  if (isKind(value, 'list') || isKind(value, 'tuple')) return value.items;
  if (isKind(value, 'dict')) return value.entries.flat();
  if (!isKind(value, 'result')) return [];
  const { args, items = [], entries = [], state } = value;
  return [...args, ...items, ...entries.flat(), ...(state === undefined ? [] : [state])];
}
