import type { Rebuilt } from '../checkpoint.ts';
import type { Pickle } from './interpret.ts';
import { isKind, nameOf, type Value } from './symbols.ts';

/** Kinds of calls that are kept; PyTorch writes a handful. */
const MOST_KINDS = 100;

/** How pickles call PyTorch's functions that make tensors, each way once. */
export function rebuiltIn(pickles: readonly Pickle[]): Rebuilt[] {
  const found = new Map<string, Rebuilt>();
  const note = (callee: Value | undefined, args: readonly Value[]) => {
    const by = nameOf(callee);
    if (by === undefined || !/^torch\._?(utils|tensor)\._rebuild_\w+$/.test(by) || found.size >= MOST_KINDS) return;
    const [first, data] = args;
    const layout = layoutOf(first);
    // What makes sparse tensors gets all of its parts as one argument.
    const count = layout !== undefined && isKind(data, 'tuple') ? data.items.length : args.length;
    found.set(`${by} ${layout} ${count}`, { by, count, ...(layout !== undefined && { layout }) });
    // A tensor of another class: the function that makes the tensor, the class, and that function's arguments.
    if (by.includes('._rebuild_from_type') && isKind(args[2], 'tuple')) note(first, args[2].items);
  };
  for (const { calls } of pickles) for (const { callee, args } of calls) note(callee, args);
  return [...found.values()];
}

/** `sparse_coo`, of `torch.serialization._get_layout("torch.sparse_coo")` */
function layoutOf(value: Value | undefined): string | undefined {
  if (!isKind(value, 'made') || nameOf(value.callee) !== 'torch.serialization._get_layout') return undefined;
  const [name] = value.args;
  return typeof name === 'string' ? name.replace(/^torch\./, '') : undefined;
}
