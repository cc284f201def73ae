/** Files in a newer form than the installed PyTorch can read, although it knows every name in them. */

import type { RebuildCall } from '../checkpoint/checkpoint.ts';
import { callsUnknownTo } from '../checkpoint/pickle/rebuilt.ts';
import { torchHas } from '../published/releases/torchReleases.ts';
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

/**
 * True if `map_location` moves all tensors in a file. Old releases of torch leave a tensor on the device named in its
 * call.
 */
export function mapLocationMovesAll(rebuilt: readonly RebuildCall[] = [], { torch }: Here): boolean {
  if (!torch || torchHas('map_location_of_all', torch)) return true;
  return !rebuilt.some(({ by }) => /\._rebuild_(device_tensor_from_\w+|wrapper_subclass|xla_tensor)$/.test(by));
}
