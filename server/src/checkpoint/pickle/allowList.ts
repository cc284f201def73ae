/**
 * What `torch.load(..., weights_only=True)` lets a file import, as of torch 2.14: `_get_allowed_globals` in
 * https://github.com/pytorch/pytorch/blob/main/torch/_weights_only_unpickler.py
 */

/** The torch whose list this is. */
export const ALLOW_LIST_OF = 'torch 2.14';

const REBUILD = [
  '_rebuild_tensor',
  '_rebuild_tensor_v2',
  '_rebuild_tensor_v3',
  '_rebuild_parameter',
  '_rebuild_parameter_with_state',
  '_rebuild_qtensor',
  '_rebuild_sparse_tensor',
  '_rebuild_meta_tensor_no_storage',
  '_rebuild_nested_tensor',
  '_rebuild_wrapper_subclass',
  '_rebuild_device_tensor_from_numpy',
  '_rebuild_device_tensor_from_cpu_tensor',
];

const ALLOWED: ReadonlySet<string> = new Set([
  'builtins.set',
  'builtins.complex',
  'builtins.bytearray',
  '_codecs.encode',
  'collections.OrderedDict',
  'collections.Counter',
  'torch.Tensor',
  'torch.nn.parameter.Parameter',
  'torch.Size',
  'torch.device',
  'torch.serialization._get_layout',
  'torch.storage.TypedStorage',
  'torch.storage.UntypedStorage',
  'torch._tensor._rebuild_from_type_v2',
  'torch.per_tensor_affine',
  'torch.per_tensor_symmetric',
  'torch.per_channel_affine',
  'torch.per_channel_symmetric',
  'torch.per_channel_affine_float_qparams',
  ...REBUILD.map((name) => `torch._utils.${name}`),
]);

const ELEMENT =
  'Double|Float|Half|BFloat16|Long|Int|Short|Char|Byte|Bool|ComplexDouble|ComplexFloat|QInt8|QUInt8|QInt32|QUInt4x2|QUInt2x4';
const LEGACY_TYPES = new RegExp(`^torch\\.(cuda\\.)?((${ELEMENT})Storage|(sparse\\.)?(${ELEMENT})Tensor)$`);
const DTYPES =
  /^torch\.(b?float16|float32|float64|float8_e\w+|float4_e2m1fn_x2|b?complex32|complex64|complex128|u?int([1-8]|16|32|64)|bool|bits\d\w*|q(u?int8|int32|uint4x2|uint2x4))$/;

/** True for an import that `weights_only=True` lets pass: `torch._utils._rebuild_tensor_v2`. */
export function isAllowed(name: string): boolean {
  return ALLOWED.has(name) || LEGACY_TYPES.test(name) || DTYPES.test(name);
}

/** The opcodes that the unpickler of `weights_only=True` knows; it refuses a file that has any other. */
export const ALLOWED_OPCODES: ReadonlySet<string> = new Set([
  'APPEND',
  'APPENDS',
  'BINFLOAT',
  'BINGET',
  'BININT',
  'BININT1',
  'BININT2',
  'BINPERSID',
  'BINPUT',
  'BINUNICODE',
  'BUILD',
  'EMPTY_DICT',
  'EMPTY_LIST',
  'EMPTY_SET',
  'EMPTY_TUPLE',
  'GLOBAL',
  'LONG1',
  'LONG_BINGET',
  'LONG_BINPUT',
  'MARK',
  'NEWFALSE',
  'NEWOBJ',
  'NEWTRUE',
  'NONE',
  'PROTO',
  'REDUCE',
  'SETITEM',
  'SETITEMS',
  'SHORT_BINSTRING',
  'STOP',
  'TUPLE',
  'TUPLE1',
  'TUPLE2',
  'TUPLE3',
]);
