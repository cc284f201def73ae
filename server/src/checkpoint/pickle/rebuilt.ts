import { firstTorchTakingCall } from '../../published/releases/torchFiles.ts';
import { isAtLeast } from '../../published/versions.ts';
import type { RebuildCall } from '../checkpoint.ts';
import type { Pickle } from './interpret.ts';
import { importName, isKind, type Value } from './symbols.ts';

/** A way of calling one of PyTorch's functions that older releases do not accept. */
interface NewerCall {
  readonly since: string;
  /** The result of such a call, as a noun phrase. */
  readonly what: string;
  is(call: RebuildCall): boolean;
}

/** Forms of calls by the first release that accepts them. */
const newerCalls = (): readonly NewerCall[] => [
  {
    since: firstTorchTakingCall('marked_tensor'),
    what: 'a tensor that is marked as conjugated or negated',
    is: ({ by, count }) => by === 'torch._utils._rebuild_tensor_v2' && count > 6,
  },
  {
    since: firstTorchTakingCall('other_sparse_layout'),
    what: 'a sparse tensor with a layout other than `sparse_coo`',
    is: ({ by, layout }) =>
      by === 'torch._utils._rebuild_sparse_tensor' && layout !== undefined && layout !== 'sparse_coo',
  },
  {
    since: firstTorchTakingCall('coalesced_sparse_tensor'),
    what: 'a sparse tensor in the newer form',
    is: ({ by, layout, count }) => by === 'torch._utils._rebuild_sparse_tensor' && layout === 'sparse_coo' && count > 3,
  },
];

/** Returns the forms among these calls that a torch version does not accept. */
export function callsUnknownTo(torch: string, rebuilt: readonly RebuildCall[]): NewerCall[] {
  return newerCalls().filter(({ since, is }) => !isAtLeast(torch, since) && rebuilt.some(is));
}

/** Maximum number of kinds of calls that are kept; PyTorch writes a handful. */
const MOST_KINDS = 100;

/** Returns the calls with which pickles rebuild tensors, with each kind listed once. */
export function rebuiltIn(pickles: readonly Pickle[]): RebuildCall[] {
  const found = new Map<string, RebuildCall>();
  // A file imports a function once and calls it for each tensor.
  const rebuilders = new Map<Value, boolean>();
  const isRebuilder = (callee: Value, name: string): boolean => {
    const known = rebuilders.get(callee) ?? /^torch\._?(utils|tensor)\._rebuild_\w+$/.test(name);
    rebuilders.set(callee, known);
    return known;
  };
  const note = (callee: Value | undefined, args: readonly Value[]) => {
    const by = importName(callee);
    if (callee === undefined || by === undefined || !isRebuilder(callee, by) || found.size >= MOST_KINDS) return;
    const first = args[0];
    const data = args[1];
    const layout = layoutOf(first);
    // The function for sparse tensors receives all parts as one argument.
    const count = layout !== undefined && isKind(data, 'tuple') ? data.items.length : args.length;
    const key = `${by} ${layout} ${count}`;
    if (!found.has(key)) found.set(key, { by, count, layout });
    // A tensor of another class: the arguments are the function that rebuilds the tensor, the class, and that
    // function's arguments.
    if (by.includes('._rebuild_from_type') && isKind(args[2], 'tuple')) note(first, args[2].items);
  };
  for (const { calls } of pickles) for (const { callee, args } of calls) note(callee, args);
  return [...found.values()];
}

/** Returns `sparse_coo` for `torch.serialization._get_layout("torch.sparse_coo")`. */
function layoutOf(value: Value | undefined): string | undefined {
  if (!isKind(value, 'result') || importName(value.callee) !== 'torch.serialization._get_layout') return undefined;
  const [name] = value.args;
  return typeof name === 'string' ? name.replace(/^torch\./, '') : undefined;
}
