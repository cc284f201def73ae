/**
 * Names in pickles that the installed PyTorch, NumPy or Python lacks. Unpickling them fails, no matter what is allowed.
 */

import type { Import } from '../checkpoint/checkpoint.ts';
import { enumerated } from '../checkpoint/enumerated.ts';
import { isAtLeast } from '../published/versions.ts';
import type { Here } from './here.ts';

/**
 * Names by the last release of torch that lacked them. The sources of 1.6, 1.8 and all minor releases from 1.10 to 2.15
 * were compared.
 */
const TORCH_WITHOUT: Readonly<Record<string, string>> = {
  '1.6': `torch.QUInt4x2Storage torch.nn.modules.activation.SiLU torch.nn.modules.flatten.Unflatten
    torch.nn.modules.pixelshuffle.PixelUnshuffle torch.nn.modules.loss.GaussianNLLLoss`,
  '1.8': `torch._utils._rebuild_device_tensor_from_numpy torch._utils._rebuild_meta_tensor_no_storage
    torch._tensor._rebuild_from_type torch._tensor._rebuild_from_type_v2 torch.nn.modules.activation.Mish
    torch.nn.modules.linear.NonDynamicallyQuantizableLinear torch.nn.modules.loss.HuberLoss`,
  '1.10': `torch._utils._rebuild_wrapper_subclass torch._utils._rebuild_sparse_csr_tensor torch.QUInt2x4Storage
    torch.nn.modules.dropout.Dropout1d`,
  '1.12': 'torch.storage.TypedStorage torch.storage.UntypedStorage',
  '1.13': 'torch._utils._rebuild_parameter_with_state',
  '2.0': `torch.nn.modules.padding.CircularPad1d torch.nn.modules.padding.CircularPad2d
    torch.nn.modules.padding.CircularPad3d torch.nn.modules.padding.ZeroPad1d torch.nn.modules.padding.ZeroPad3d
    torch.float8_e4m3fn torch.float8_e5m2 torch.float8_e4m3fnuz torch.float8_e5m2fnuz`,
  '2.1': 'torch._utils._rebuild_tensor_v3 torch._utils._rebuild_nested_tensor',
  '2.2': 'torch.uint16 torch.uint32 torch.uint64 torch.nn.modules.pooling.LPPool3d',
  '2.3': 'torch.nn.modules.normalization.RMSNorm',
  '2.5': 'torch._utils._rebuild_device_tensor_from_cpu_tensor',
  '2.6': 'torch.float8_e8m0fnu',
  '2.7': 'torch.float4_e2m1fn_x2',
  '2.13': 'torch.bcomplex32',
};

/** Names by the first of those releases that no longer has them. */
const TORCH_DROPPED: Readonly<Record<string, string>> = {
  '1.10': 'torch._utils._rebuild_xla_tensor torch.tensor._rebuild_from_type torch.nn.modules.linear._LinearWithBias',
  '1.13': 'torch.storage._TypedStorage torch.storage._UntypedStorage',
  '2.0': 'torch._utils._rebuild_sparse_csr_tensor',
};

/** The first NumPy with these names: tested with 1.24, 1.25, 1.26 and 2.4. */
const NUMPY_SINCE: readonly (readonly [name: RegExp, since: string])[] = [
  [/^numpy\._core\./, '1.26'],
  [/^numpy\.dtypes\./, '1.25'],
  // As classes. Before, `__bit_generator_ctor` only accepted their names.
  [/^numpy\.random\._\w+\.(MT19937|PCG64|PCG64DXSM|Philox|SFC64)$/, '2.0'],
];

/** The only Python with that module: https://docs.python.org/3/whatsnew/3.13.html */
const PATHLIB_LOCAL = '3.13';

/** A name that fails here, and the reason as a sentence. */
export interface LackingName {
  readonly because: string;
  readonly remedy?: string;
}

/** Returns which of these imports the installed software certainly lacks. */
export function lackingNames(imports: readonly Import[], { torch, numpy, python, system }: Here): LackingName[] {
  const names = imports.map(({ name }) => name);
  const found: LackingName[] = [];
  const addLacking = (those: readonly string[], why: string, remedy?: string) => {
    if (those.length > 0) found.push({ because: `The file refers to ${listed(those)}, ${why}.`, remedy });
  };
  if (torch) {
    addLacking(
      names.filter((name) => isAmong(name, TORCH_WITHOUT, (release) => !isAtLeast(torch, next(release)))),
      `which torch ${torch} does not have yet`,
      'Update torch, or save the file with the older one.',
    );
    addLacking(
      names.filter((name) => isAmong(name, TORCH_DROPPED, (release) => isAtLeast(torch, release))),
      `which torch ${torch} no longer has`,
      'Load it with the torch that wrote it, and save only its `state_dict`.',
    );
  }
  if (numpy)
    addLacking(
      names.filter((name) => NUMPY_SINCE.some(([each, since]) => each.test(name) && !isAtLeast(numpy, since))),
      `a name of newer NumPy releases that NumPy ${numpy} lacks`,
      'Update NumPy, or save the file with the older one.',
    );
  const [local] = names.filter((name) => name.startsWith('pathlib._local.'));
  if (local && python && !isAtLeast(python, PATHLIB_LOCAL))
    addLacking([local], `a module of Python ${PATHLIB_LOCAL} and newer; this is Python ${python}`, TEXTS);
  const foreign = system === undefined ? undefined : names.find((name) => OTHER_SYSTEM_PATH[system].test(name));
  if (foreign) addLacking([foreign], 'a path that only another operating system can create', TEXTS);
  return found;
}

const TEXTS = 'Save paths as strings: `str(path)`.';

const OTHER_SYSTEM_PATH = { windows: /^pathlib(\._local)?\.PosixPath$/, other: /^pathlib(\._local)?\.WindowsPath$/ };

function isAmong(
  name: string,
  table: Readonly<Record<string, string>>,
  applies: (release: string) => boolean,
): boolean {
  return Object.entries(table).some(([release, names]) => applies(release) && names.split(/\s+/).includes(name));
}

/** Returns the next minor release; `2.0` follows `1.13`. */
function next(release: string): string {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return release === '1.13' ? '2.0' : `${major}.${minor + 1}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `\`${name}\``);
  return enumerated(names.length > 3 ? [...shown, `${names.length - 3} more`] : shown);
}

/**
 * Returns a sentence about classes that the loading program must define, because the script that saved the file defined
 * them.
 */
export function ownNames(imports: readonly Import[]): string | undefined {
  const own = imports.flatMap(({ name }) => (name.startsWith('__main__.') ? [name.slice('__main__.'.length)] : []));
  return own.length === 0
    ? undefined
    : `The script that saved it defined ${listed(own)}: the script that loads it must define the same.`;
}
