/**
 * The imports and opcodes that `torch.load(..., weights_only=True)` allows, by the first version of torch that allows
 * them. From `_get_allowed_globals` and `Unpickler.load` in `torch/_weights_only_unpickler.py` and `_new_dtypes` in
 * `torch/storage.py`, compared from 1.13 to 2.15.
 */
import { torchHas } from '../../published/releases/torchReleases.ts';
import { isAtLeast } from '../../published/versions.ts';

/** The newest torch whose list is known. */
export const NEWEST_TORCH = '2.15';

/** The first torch with `weights_only`. */
const FIRST_TORCH = '1.13';

const ADDED: Readonly<Record<string, string>> = {
  '1.13': `collections.OrderedDict torch.Size torch.Tensor torch.nn.parameter.Parameter torch.serialization._get_layout
    torch.storage.TypedStorage torch.storage.UntypedStorage torch._utils._rebuild_tensor torch._utils._rebuild_tensor_v2
    torch._utils._rebuild_parameter torch._utils._rebuild_sparse_tensor torch._utils._rebuild_meta_tensor_no_storage
    torch.complex32 torch.complex64 torch.complex128 torch.float16 torch.float32 torch.float64 torch.int8 torch.int16
    torch.int32 torch.int64`,
  '2.0': 'torch._tensor._rebuild_from_type_v2',
  '2.2': `torch._utils._rebuild_tensor_v3 torch._utils._rebuild_nested_tensor torch.float8_e5m2 torch.float8_e4m3fn`,
  '2.3': 'torch.float8_e5m2fnuz torch.float8_e4m3fnuz',
  '2.4': `collections.Counter torch.device torch._utils._rebuild_parameter_with_state torch._utils._rebuild_qtensor
    torch._utils._rebuild_wrapper_subclass torch.per_tensor_affine torch.per_tensor_symmetric torch.per_channel_affine
    torch.per_channel_symmetric torch.per_channel_affine_float_qparams torch.bool torch.uint8 torch.bfloat16
    torch.qint8 torch.quint8 torch.qint32 torch.quint4x2 torch.quint2x4 torch.bits8 torch.bits16 torch.bits1x8
    torch.bits2x4 torch.bits4x2`,
  '2.5': '_codecs.encode builtins.bytearray torch._utils._rebuild_device_tensor_from_numpy',
  '2.6': `builtins.set builtins.complex torch._utils._rebuild_device_tensor_from_cpu_tensor torch.uint16 torch.uint32
    torch.uint64`,
  '2.7': `torch.float8_e8m0fnu torch.uint1 torch.uint2 torch.uint3 torch.uint4 torch.uint5 torch.uint6 torch.uint7
    torch.int1 torch.int2 torch.int3 torch.int4 torch.int5 torch.int6 torch.int7`,
  '2.8': 'torch.float4_e2m1fn_x2',
  '2.14': 'torch.bcomplex32',
};

/** Names that a version removed from the list. */
const REMOVED: ReadonlyMap<string, string> = new Map([['torch._utils._rebuild_nested_tensor', '2.15']]);

/** The minor releases with `weights_only`. */
const RELEASES: readonly string[] = [
  FIRST_TORCH,
  ...Array.from({ length: 1 + Number(NEWEST_TORCH.slice(2)) }, (_, minor) => `2.${minor}`),
];

const SINCE: ReadonlyMap<string, string> = new Map(
  Object.entries(ADDED).flatMap(([version, names]) => names.split(/\s+/).map((name) => [name, version] as const)),
);

const ELEMENT =
  'Double|Float|Half|BFloat16|Long|Int|Short|Char|Byte|Bool|ComplexDouble|ComplexFloat|QInt8|QUInt8|QInt32|QUInt4x2|QUInt2x4';
/** Tensor and storage classes with the element type in their name, which every version allows. */
const TYPED_CLASSES = new RegExp(`^torch\\.(cuda\\.)?((${ELEMENT})Storage|(sparse\\.)?(${ELEMENT})Tensor)$`);

/** True for an import that `weights_only=True` of that torch allows: `torch._utils._rebuild_tensor_v2`. */
export function isAllowed(name: string, torch = NEWEST_TORCH): boolean {
  const since = SINCE.get(name) ?? (TYPED_CLASSES.test(name) ? FIRST_TORCH : undefined);
  const until = REMOVED.get(name);
  return since !== undefined && isAtLeast(torch, since) && (until === undefined || !isAtLeast(torch, until));
}

/**
 * Returns the first torch from which on `weights_only=True` accepts all of these imports and opcodes, and `takesCalls`
 * is true.
 */
export function firstTorchAccepting(
  imports: readonly string[],
  opcodes: readonly string[],
  takesCalls: (torch: string) => boolean,
): string | undefined {
  const takes = (torch: string) =>
    imports.every((name) => isAllowed(name, torch)) &&
    opcodes.every((name) => isKnownOpcode(name, torch)) &&
    takesCalls(torch);
  const versions = RELEASES;
  const last = versions.findLastIndex((torch) => !takes(torch));
  return versions[last + 1];
}

const OPCODES: ReadonlySet<string> = new Set(
  `APPEND APPENDS BINGET BININT BININT1 BININT2 BINPERSID BINPUT BINUNICODE BUILD EMPTY_DICT EMPTY_LIST EMPTY_SET
   EMPTY_TUPLE GLOBAL LONG1 LONG_BINGET LONG_BINPUT MARK NEWFALSE NEWOBJ NEWTRUE NONE PROTO REDUCE SETITEM SETITEMS
   SHORT_BINSTRING STOP TUPLE TUPLE1 TUPLE2 TUPLE3`.split(/\s+/),
);

/** True for an opcode that the unpickler of `weights_only=True` knows; it refuses a file with any other. */
export function isKnownOpcode(name: string, torch = NEWEST_TORCH): boolean {
  return OPCODES.has(name) || (name === 'BINFLOAT' && isAtLeast(torch, '2.0'));
}

/** True if `torch.load` has the argument `weights_only`. */
export function hasWeightsOnly(torch: string): boolean {
  return torchHas('weights_only', torch);
}

/** True if `torch.serialization.add_safe_globals` exists. */
export function hasSafeGlobals(torch: string): boolean {
  return torchHas('safe_globals', torch);
}

/** True if `add_safe_globals` accepts an object together with its name in the file. */
export function acceptsAliases(torch: string): boolean {
  return torchHas('safe_globals_aliases', torch);
}
