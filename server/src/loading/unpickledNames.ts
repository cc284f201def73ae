/** Names in pickles that the installed PyTorch, NumPy or Python does not have: unpickling them fails, whatever is allowed. */

import type { Import } from '../checkpoint/checkpoint.ts';
import { enumerated } from '../checkpoint/enumerated.ts';
import { isAtLeast } from '../published/versions.ts';
import type { Here } from './here.ts';

/**
 * The names by the last release of torch that was found without them. The sources of 1.6, 1.8 and of all
 * minor releases from 1.10 to 2.15 were compared.
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

/** The names by the first of those releases that no longer has them. */
const TORCH_DROPPED: Readonly<Record<string, string>> = {
  '1.10': 'torch._utils._rebuild_xla_tensor torch.tensor._rebuild_from_type torch.nn.modules.linear._LinearWithBias',
  '1.13': 'torch.storage._TypedStorage torch.storage._UntypedStorage',
  '2.0': 'torch._utils._rebuild_sparse_csr_tensor',
};

/** The first NumPy that has them: tried with 1.24, 1.25, 1.26 and 2.4. */
const NUMPY_SINCE: readonly (readonly [name: RegExp, since: string])[] = [
  [/^numpy\._core\./, '1.26'],
  [/^numpy\.dtypes\./, '1.25'],
  // Given as classes; before, `__bit_generator_ctor` took their names only.
  [/^numpy\.random\._\w+\.(MT19937|PCG64|PCG64DXSM|Philox|SFC64)$/, '2.0'],
];

/** The only Python with that module: https://docs.python.org/3/whatsnew/3.13.html */
const PATHLIB_LOCAL = '3.13';

/** A name that fails here, and why, as a sentence. */
export interface LackingName {
  readonly because: string;
  readonly remedy?: string;
}

/** What of these imports the installed software certainly does not have. */
export function lackingNames(imports: readonly Import[], { torch, numpy, python, system }: Here): LackingName[] {
  const names = imports.map(({ name }) => name);
  const found: LackingName[] = [];
  const blame = (those: readonly string[], why: string, remedy?: string) => {
    if (those.length > 0) found.push({ because: `It names ${listed(those)}, ${why}.`, remedy });
  };
  if (torch) {
    blame(
      names.filter((name) => isAmong(name, TORCH_WITHOUT, (release) => !isAtLeast(torch, next(release)))),
      `which torch ${torch} does not have yet`,
      'Update torch, or save the file with the older one.',
    );
    blame(
      names.filter((name) => isAmong(name, TORCH_DROPPED, (release) => isAtLeast(torch, release))),
      `which torch ${torch} no longer has`,
      'Load it with the torch that wrote it, and save its `state_dict` alone.',
    );
  }
  if (numpy)
    blame(
      names.filter((name) => NUMPY_SINCE.some(([each, since]) => each.test(name) && !isAtLeast(numpy, since))),
      `as a newer NumPy writes it, and NumPy ${numpy} does not know that`,
      'Update NumPy, or save the file with the older one.',
    );
  const [local] = names.filter((name) => name.startsWith('pathlib._local.'));
  if (local && python && !isAtLeast(python, PATHLIB_LOCAL))
    blame([local], `a module that Python has had since ${PATHLIB_LOCAL}, and this is ${python}`, TEXTS);
  const foreign = system === undefined ? undefined : names.find((name) => FOREIGN_PATH[system].test(name));
  if (foreign) blame([foreign], 'a path that only the other system can make', TEXTS);
  return found;
}

const TEXTS = 'Save paths as texts: `str(path)`.';

const FOREIGN_PATH = { windows: /^pathlib(\._local)?\.PosixPath$/, other: /^pathlib(\._local)?\.WindowsPath$/ };

function isAmong(
  name: string,
  table: Readonly<Record<string, string>>,
  applies: (release: string) => boolean,
): boolean {
  return Object.entries(table).some(([release, names]) => applies(release) && names.split(/\s+/).includes(name));
}

/** The minor release after another one; `1.13` is followed by 2.0. */
function next(release: string): string {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return release === '1.13' ? '2.0' : `${major}.${minor + 1}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `\`${name}\``);
  return enumerated(names.length > 3 ? [...shown, `${names.length - 3} more`] : shown);
}

/** What the program that loads a file has to bring, as a sentence: classes of the script that saved it. */
export function ownNames(imports: readonly Import[]): string | undefined {
  const own = imports.flatMap(({ name }) => (name.startsWith('__main__.') ? [name.slice('__main__.'.length)] : []));
  return own.length === 0
    ? undefined
    : `The script that saved it defined ${listed(own)} itself: the one that loads it has to define the same.`;
}
