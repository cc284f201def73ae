/** Decides whether a call of `torch.load` accepts only tensors and plain data. */

import { torchHas } from '../../published/releases/torchReleases.ts';
import { type Argument, argumentFor } from '../../python/semantic/arguments.ts';

/**
 * Returns the value of `weights_only` in a call of `torch.load`: from the call, or else the default of the installed
 * torch. Undefined if it depends on a variable, an unpacked argument or an unknown version.
 */
export function isWeightsOnly(args: readonly Argument[], torchVersion: string | undefined): boolean | undefined {
  const { argument, maybe } = argumentFor(args, 'weights_only', undefined);
  if (maybe) return undefined;
  if (argument) {
    return argument.value.kind === 'Constant' && argument.value.type === 'bool' ? argument.value.value : undefined;
  }
  // Another unpickler, by name or as the third argument, makes `False` the default.
  const hasUnpickler = args.filter(({ name }) => name === undefined).length > 2;
  if (hasUnpickler || args.some(({ name }) => name === 'pickle_module')) return undefined;
  return torchVersion === undefined ? undefined : torchHas('weights_only_default', torchVersion);
}
