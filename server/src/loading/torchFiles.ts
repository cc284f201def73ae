/** Files that are of a newer form than the installed PyTorch reads, though it knows all that they name. */

import type { RebuildCall } from '../checkpoint/checkpoint.ts';
import { callsUnknownTo } from '../checkpoint/pickle/rebuilt.ts';
import { isAtLeast } from '../published/versions.ts';
import type { Here } from './here.ts';
import type { LackingName } from './unpickledNames.ts';

/** What a file calls as the installed torch cannot be called. */
export function lackingCalls(rebuilt: readonly RebuildCall[] = [], { torch }: Here): LackingName[] {
  if (!torch) return [];
  return callsUnknownTo(torch, rebuilt).map(({ since, what }) => ({
    because: `It holds ${what}, which torch ${since} and newer read, and this is ${torch}.`,
    remedy: 'Update torch, or save the tensor in another form: `tensor.to_dense()`, `tensor.resolve_conj()`.',
  }));
}

/** By the first torch that reads it, the newest version of TorchScript's files: `kMaxSupportedFileFormatVersion`. */
const SCRIPT_FORMATS: readonly (readonly [since: string, newest: number])[] = [
  ['1.4', 2],
  ['1.5', 3],
  ['1.6', 5],
  ['1.9', 6],
  ['1.11', 9],
  ['1.12', 10],
];

/** Up to here the wheels were looked into; a newer torch may read more. */
export const NEWEST_LOOKED_INTO = '2.15';

/** The newest version of TorchScript's files that a torch reads; undefined where that is not known. */
export function newestScript(torch: string): number | undefined {
  if (isAtLeast(torch, NEWEST_LOOKED_INTO)) return undefined;
  return SCRIPT_FORMATS.findLast(([since]) => isAtLeast(torch, since))?.[1];
}

/** The first torch that asks `map_location` where such tensors go: before, they go where they were. */
const RESTORED_ELSEWHERE_SINCE = '2.4';

/** Whether `map_location` moves all tensors of a file: those that a call puts onto its device, old ones leave there. */
export function restoresElsewhere(rebuilt: readonly RebuildCall[] = [], { torch }: Here): boolean {
  if (!torch || isAtLeast(torch, RESTORED_ELSEWHERE_SINCE)) return true;
  return !rebuilt.some(({ by }) => /\._rebuild_(device_tensor_from_\w+|wrapper_subclass|xla_tensor)$/.test(by));
}
