/**
 * Names and calls in pickles that the installed PyTorch, NumPy or Python lacks. Unpickling them fails, no matter what is
 * allowed.
 */

import type { PickledImport, RebuildCall } from '../checkpoint/checkpoint.ts';
import { enumeratedCode } from '../checkpoint/enumerated.ts';
import { callsUnknownTo } from '../checkpoint/pickle/rebuilt.ts';
import { firstWithName, isDroppedByTorch, isNewerThanTorch } from '../published/releases/torchFiles.ts';
import { torchHas } from '../published/releases/torchReleases.ts';
import { isAtLeast } from '../published/versions.ts';
import type { Here } from './here.ts';

/** A name that fails here, and the reason as a sentence. */
interface LackingName {
  readonly because: string;
  readonly remedy?: string;
}

/** Returns which of these imports the installed software certainly lacks. */
export function lackingNames(imports: readonly PickledImport[], { torch, numpy, python, system }: Here): LackingName[] {
  const names = imports.map(({ name }) => name);
  const found: LackingName[] = [];
  const addLacking = (those: readonly string[], why: string, remedy?: string) => {
    if (those.length > 0) found.push({ because: `The file refers to ${enumeratedCode(those, 3)}, ${why}.`, remedy });
  };
  if (torch) {
    addLacking(
      names.filter((name) => isNewerThanTorch(name, torch)),
      `which torch ${torch} does not have yet`,
      'Update torch, or save the file with the older one.',
    );
    addLacking(
      names.filter((name) => isDroppedByTorch(name, torch)),
      `which torch ${torch} no longer has`,
      'Load it with the torch that wrote it, and save only its `state_dict`.',
    );
  }
  if (numpy)
    addLacking(
      names.filter((name) => !isAtLeast(numpy, firstWithName('numpy', name) ?? numpy)),
      `a name of newer NumPy releases that NumPy ${numpy} lacks`,
      'Update NumPy, or save the file with the older one.',
    );
  const [local] = names.filter((name) => firstWithName('python', name) !== undefined);
  const since = local && firstWithName('python', local);
  if (local && since && python && !isAtLeast(python, since))
    addLacking([local], `a module of Python ${since} and newer; this is Python ${python}`, TEXTS);
  const foreign = system === undefined ? undefined : names.find((name) => OTHER_SYSTEM_PATH[system].test(name));
  if (foreign) addLacking([foreign], 'a path that only another operating system can create', TEXTS);
  return found;
}

const TEXTS = 'Save paths as strings: `str(path)`.';

const OTHER_SYSTEM_PATH = { windows: /^pathlib(\._local)?\.PosixPath$/, other: /^pathlib(\._local)?\.WindowsPath$/ };

/**
 * Returns a sentence about classes that the loading program must define, because they were defined by the script that
 * saved the file.
 */
export function ownNames(imports: readonly PickledImport[]): string | undefined {
  const own = imports.flatMap(({ name }) => (name.startsWith('__main__.') ? [name.slice('__main__.'.length)] : []));
  return own.length === 0
    ? undefined
    : `The script that saved it defined ${enumeratedCode(own, 3)}: the script that loads it must define the same.`;
}

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
