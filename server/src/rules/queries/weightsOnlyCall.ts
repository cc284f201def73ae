/** Whether a call of `torch.load` takes nothing but tensors and plain data. */

import { torchHas } from '../../published/releases/torchReleases.ts';
import type { Argument } from '../../python/semantic/arguments.ts';
import { argumentFor } from '../../python/semantic/arguments.ts';

/**
 * What `weights_only` is in a call of `torch.load`: as the call says, else by the default of the installed torch.
 * Undefined where a variable, an unpacked argument or a version that is not known decides.
 */
export function isWeightsOnly(args: readonly Argument[], torchVersion: string | undefined): boolean | undefined {
  const { argument, maybe } = argumentFor(args, 'weights_only', undefined);
  if (maybe) return undefined;
  if (argument) {
    return argument.value.kind === 'Constant' && argument.value.type === 'bool' ? argument.value.value : undefined;
  }
  // Another unpickler, by name or in the third place, makes `False` the default.
  const hasUnpickler = args.filter(({ name }) => name === undefined).length > 2;
  if (hasUnpickler || args.some(({ name }) => name === 'pickle_module')) return undefined;
  return torchVersion === undefined ? undefined : torchHas('weights_only_default', torchVersion);
}
