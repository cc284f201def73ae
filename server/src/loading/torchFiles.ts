/** Files in a newer form than the installed PyTorch reads, although it knows every name in them. */

import type { RebuildCall } from '../checkpoint/checkpoint.ts';
import { callsUnknownTo } from '../checkpoint/pickle/rebuilt.ts';
import { isAtLeast } from '../published/versions.ts';
import type { Here } from './here.ts';
import type { LackingName } from './unpickledNames.ts';

/** Returns calls in a file that the installed torch does not accept. */
export function lackingCalls(rebuilt: readonly RebuildCall[] = [], { torch }: Here): LackingName[] {
  if (!torch) return [];
  return callsUnknownTo(torch, rebuilt).map(({ since, what }) => ({
    because: `The file contains ${what}, which requires torch ${since} or newer; torch ${torch} is installed.`,
    remedy: 'Update torch, or save the tensor in another form: `tensor.to_dense()`, `tensor.resolve_conj()`.',
  }));
}

/** Newest TorchScript format version by the first torch that reads it: `kMaxSupportedFileFormatVersion`. */
const SCRIPT_FORMATS: readonly (readonly [since: string, newest: number])[] = [
  ['1.4', 2],
  ['1.5', 3],
  ['1.6', 5],
  ['1.9', 6],
  ['1.11', 9],
  ['1.12', 10],
];

/** The newest inspected wheels; a newer torch may read more. */
export const NEWEST_INSPECTED = '2.15';

/** Returns the newest TorchScript format version that a torch reads; undefined if unknown. */
export function newestScript(torch: string): number | undefined {
  if (isAtLeast(torch, NEWEST_INSPECTED)) return undefined;
  return SCRIPT_FORMATS.findLast(([since]) => isAtLeast(torch, since))?.[1];
}

/** The first torch that applies `map_location` to such tensors; older ones restore them to their original device. */
const MAP_LOCATION_APPLIES_SINCE = '2.4';

/**
 * True if `map_location` moves all tensors of a file. Old releases of torch leave a tensor on the device that its call
 * names.
 */
export function mapLocationMovesAll(rebuilt: readonly RebuildCall[] = [], { torch }: Here): boolean {
  if (!torch || isAtLeast(torch, MAP_LOCATION_APPLIES_SINCE)) return true;
  return !rebuilt.some(({ by }) => /\._rebuild_(device_tensor_from_\w+|wrapper_subclass|xla_tensor)$/.test(by));
}
