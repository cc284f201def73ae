/**
 * The grammar of plain data: the only imports that harmless pickles have, the objects that each import may create, and
 * the arguments. It was compared with the sources of CPython 3.9 to 3.14, NumPy 1.24 to 2.4 and PyTorch 1.13 to 2.15.
 *
 * A list of harmless names is not enough, because harmless calls can be combined to reach any attribute. Therefore each
 * constructor accepts only the arguments and the state that its library writes, no constructor calls a method of an
 * object from the file, and a result is never called, indexed or changed except as stated here. `plainData.ts` checks
 * each instruction.
 */
import { arrayOf } from './joblibArrays.ts';
import { sizeOfField, sizeOfType } from './numpyTypes.ts';
import {
  anyShape,
  bool,
  bytes,
  count,
  datum,
  dictOf,
  fixed,
  int,
  key,
  listShape,
  matches,
  named,
  none,
  number,
  only,
  resultOf,
  type Shape,
  shared,
  textLike,
  textShape,
  tuple,
  tupleOf,
  unshared,
} from './shapes.ts';
import { type CallResult, type GlobalValue, isKind, type ResultType, type Value } from './symbols.ts';

/** A predicate on the arguments of a call. */
type Signature = (args: readonly Value[]) => boolean;

/** The ways in which plain data may use an import. */
interface Constructor {
  readonly makes: ResultType;
  /** Checks the arguments of a call; undefined if plain data never calls the import. */
  readonly call?: Signature;
  /** True if plain data creates an object without arguments, bypassing its constructor. */
  readonly skipsInit?: boolean;
  /** Checks the state that the result receives, which may be set once. */
  readonly state?: (target: CallResult, state: Value) => boolean;
  /** The kind of parts that may be added to the result. */
  readonly takes?: 'items' | 'entries';
}

interface Rule extends Constructor {
  readonly module: string;
  /** Names in that module, separated by blanks. */
  readonly names: string;
}

const args =
  (...shapes: readonly Shape[]): Signature =>
  (values) =>
    matches(shapes, values);
const oneOf =
  (...signatures: readonly Signature[]): Signature =>
  (values) =>
    signatures.some((fits) => fits(values));
const nothing = args();

/** A dict of attributes for an object. None of the names is one that Python itself looks up or that the class has. */
const attributes = (...taken: readonly string[]): Shape =>
  dictOf((name) => typeof name === 'string' && !name.startsWith('__') && !taken.includes(name), datum);
const takesAttributes = (...taken: readonly string[]) => {
  const shape = attributes(...taken);
  return (_: CallResult, state: Value) => shape(state);
};

// PyTorch

const TYPED = 'Double Float Half BFloat16 Long Int Short Char Byte Bool ComplexDouble ComplexFloat'.split(' ');
const QUANTIZED = 'QInt8 QUInt8 QInt32 QUInt4x2 QUInt2x4'.split(' ');
const STORAGES = [...TYPED, ...QUANTIZED].map((type) => `${type}Storage`);
const UNTYPED = ['UntypedStorage', 'TypedStorage', '_UntypedStorage', '_TypedStorage'];
const DTYPES =
  `float16 float32 float64 bfloat16 complex32 complex64 complex128 bcomplex32 int8 int16 int32 int64 uint8 uint16
  uint32 uint64 bool qint8 quint8 qint32 quint4x2 quint2x4 bits8 bits16 bits1x8 bits2x4 bits4x2 float8_e5m2 float8_e4m3fn
  float8_e5m2fnuz float8_e4m3fnuz float8_e8m0fnu float4_e2m1fn_x2 uint1 uint2 uint3 uint4 uint5 uint6 uint7 int1 int2 int3
  int4 int5 int6 int7`.split(/\s+/);
const LAYOUTS = 'strided sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc'.split(' ');
const MEMORY_FORMATS = 'contiguous_format preserve_format channels_last channels_last_3d'.split(' ');
const QSCHEMES = `per_tensor_affine per_tensor_symmetric per_channel_affine per_channel_symmetric
  per_channel_affine_float_qparams`.split(/\s+/);

const TENSOR_CLASSES = [...TYPED, ...QUANTIZED].map((type) => `${type}Tensor`);

const storageClass = anyShape(
  named('torch', ...STORAGES),
  named('torch.cuda', ...STORAGES),
  named('torch.storage', ...UNTYPED),
);
const view = anyShape(none, tuple(anyShape(textShape, int), int, int));
/** A reference to something outside the pickle: a storage, or its number in files of torch 0.1. */
export const reference: Shape = anyShape(
  tuple(only('storage'), storageClass, anyShape(textShape, int), textShape, int),
  tuple(only('storage'), storageClass, anyShape(textShape, int), textShape, int, view),
  int,
  textLike(/^\d+$/),
);

const storage: Shape = (value) => isKind(value, 'persistent') || resultOf('storage')(value);
const tensor = resultOf('tensor');
const dtype = named('torch', ...DTYPES);
const size = anyShape(tupleOf(count), resultOf('size'));
const device = anyShape(textShape, resultOf('device'));
const flag = anyShape(bool, only(0, 1));
const noHooks = fixed(
  (value) =>
    resultOf('ordered-dict')(value) &&
    isKind(value, 'result') &&
    value.args.length === 0 &&
    value.entries === undefined &&
    value.state === undefined,
);
const bits = anyShape(none, dictOf(only('conj', 'neg'), bool));
const numbers = anyShape(tensor, listShape(number));
const quantizer = anyShape(
  tuple(named('torch', 'per_tensor_affine', 'per_tensor_symmetric'), number, int),
  tuple(named('torch', ...QSCHEMES.filter((name) => name.startsWith('per_channel'))), numbers, numbers, int),
);
const sparseParts = anyShape(
  tuple(tensor, tensor, size),
  tuple(tensor, tensor, size, anyShape(none, bool)),
  tuple(tensor, tensor, tensor, size),
);
/**
 * Tensor attributes that are more than values: setting `real` writes into the tensor's memory, which an array may share
 * with bytes that are unpickled later.
 */
const PROPERTIES = `H T _backward_hooks _base _cdata _grad _grad_fn _has_grad_dtype_override _has_symbolic_sizes_strides
  _post_accumulate_grad_hooks _python_dispatch _version data device dtype grad grad_dtype grad_fn imag is_cpu is_cuda is_ipu
  is_leaf is_maia is_meta is_mkldnn is_mps is_mtia is_nested is_ort is_quantized is_sparse is_sparse_csr is_vulkan is_xla
  is_xpu itemsize layout mH mT name names nbytes ndim output_nr real requires_grad retains_grad shape volatile`.split(
  /\s+/,
);
const tensorAttributes = anyShape(none, attributes(...PROPERTIES));
const tensorState = anyShape(tensorAttributes, tuple(tensorAttributes, tensorAttributes));

/** Functions that rebuild tensors, with the arguments that PyTorch releases write. */
const TENSORS: Readonly<Record<string, Signature>> = {
  _rebuild_tensor: args(storage, int, size, size),
  _rebuild_tensor_v2: oneOf(
    args(storage, int, size, size, flag, noHooks),
    args(storage, int, size, size, flag, noHooks, bits),
  ),
  _rebuild_tensor_v3: oneOf(
    args(storage, int, size, size, flag, noHooks, dtype),
    args(storage, int, size, size, flag, noHooks, dtype, bits),
  ),
  _rebuild_qtensor: args(storage, int, size, size, quantizer, flag, noHooks),
  _rebuild_parameter: args(tensor, flag, noHooks),
  _rebuild_parameter_with_state: args(tensor, flag, noHooks, tensorState),
  _rebuild_sparse_tensor: args(resultOf('layout'), sparseParts),
  _rebuild_sparse_csr_tensor: args(resultOf('layout'), sparseParts),
  _rebuild_meta_tensor_no_storage: args(dtype, size, size, flag),
  _rebuild_device_tensor_from_cpu_tensor: args(tensor, dtype, device, flag),
  _rebuild_device_tensor_from_numpy: args(numericArray, dtype, device, flag),
};

/** `(function, torch.Tensor, arguments, attributes)`: a tensor with attributes. */
const withAttributes: Signature = ([by, type, given, state, ...more]) =>
  isKind(by, 'global') &&
  by.module === 'torch._utils' &&
  anyShape(named('torch', 'Tensor'), named('torch.nn.parameter', 'Parameter'))(type) &&
  isKind(given, 'tuple') &&
  Object.hasOwn(TENSORS, by.name) &&
  TENSORS[by.name]?.(given.items) === true &&
  tensorState(state) &&
  more.length === 0;

const TORCH: readonly Rule[] = [
  ...Object.entries(TENSORS).map(([names, call]): Rule => ({ module: 'torch._utils', names, makes: 'tensor', call })),
  { module: 'torch._tensor', names: '_rebuild_from_type_v2', makes: 'tensor', call: withAttributes },
  { module: 'torch.nn.parameter', names: 'Parameter', makes: 'tensor', call: args(tensor, flag) },
  {
    module: 'torch.serialization',
    names: '_get_layout',
    makes: 'layout',
    call: args(only(...LAYOUTS.map((layout) => `torch.${layout}`))),
  },
  { module: 'torch', names: 'Size', makes: 'size', call: oneOf(args(tupleOf(count)), args(listShape(count))) },
  { module: 'torch', names: 'device', makes: 'device', call: oneOf(args(textShape), args(textShape, int)) },
  // This function unpickles the bytes the way `torch.load` does. `legacy.ts` reads them, and they must contain a
  // storage.
  { module: 'torch.storage', names: '_load_from_bytes', makes: 'storage', call: args(unshared(bytes)) },
];

// NumPy

/** An array without objects, so that its bytes are numbers. */
function numericArray(value: Value | undefined): boolean {
  return (
    resultOf('array')(value) && isKind(value, 'result') && isKind(value.state, 'tuple') && !holdsObjects(value.state)
  );
}

function holdsObjects({ items }: Extract<Value, { kind: 'tuple' }>): boolean {
  return sizeOfType(items.at(-3))?.hasObjects !== false;
}

/** NumPy's spellings of element types: a letter with a number of bytes or characters. */
const ELEMENTS = /^(b1|[iu][1248]|f(2|4|8|12|16)|c(8|16|24|32)|[mM]8|O[48]?|[SV]\d{1,9}|U\d{1,8})$/;

/** An element type that NumPy itself writes. A type that hides objects would make an array use numbers as pointers. */
const elements: Shape = (value) => resultOf('numpy-dtype')(value) && sizeOfType(value) !== undefined;
const positive: Shape = (value) => int(value) && Number(value) > 0;
const unit = tuple(anyShape(none, fixed(dictOf(textShape, none))), tuple(bytes, positive, positive, positive));

/** The fields of a record, with exactly the given names. */
const fieldsOf = (names: Value | undefined): Shape =>
  fixed(
    (value) =>
      tupleOf(textShape)(names) &&
      isKind(names, 'tuple') &&
      dictOf(only(...names.items), datum)(value) &&
      isKind(value, 'dict') &&
      value.entries.length === names.items.length,
  );

const isElementsState = (target: CallResult, state: Value): boolean => {
  if (!isKind(state, 'tuple')) return false;
  const [, , , names, fields, , , , more] = state.items;
  const isDate = typeof target.args[0] === 'string' && /^[mM]8$/.test(target.args[0]);
  // NumPy crashes on a date without a unit.
  if (isDate ? !unit(more) : state.items.length !== 8) return false;
  if (sizeOfField({ ...target, state }) === undefined) return false;
  return (names === null && fields === null) || fieldsOf(names)(fields);
};

/** `(version, shape, element type, is Fortran order, content)`; the oldest files do not have the version. */
const isArrayState = (_: CallResult, state: Value): boolean => {
  if (!isKind(state, 'tuple')) return false;
  const [shape, type, isFortran, content] = state.items.slice(-4);
  if (state.items.length === 5 ? !int(state.items[0]) : state.items.length !== 4) return false;
  if (!tupleOf(count)(shape) || !elements(type) || !flag(isFortran)) return false;
  if (!sizeOfType(type)?.hasObjects) return shared(bytes)(content);
  // NumPy takes as many items from the list as the shape specifies, without checking the list's length.
  const wanted = isKind(shape, 'tuple') ? shape.items.reduce((product: number, each) => product * Number(each), 1) : -1;
  return isKind(content, 'list') && content.type === 'list' && content.items.length === wanted;
};

/** The element type of one number, and its bytes. */
const isScalar: Signature = ([type, content, ...more]) => {
  const found = elements(type) ? sizeOfType(type) : undefined;
  if (!found || found.hasObjects || more.length > 0 || !bytes(content)) return false;
  return !isKind(content, 'raw') || content.isText || content.length === found.bytes;
};

const isBuffer: Signature = ([buffer, type, shape, order, ...more]) =>
  shared((value) => isKind(value, 'raw') && !value.isText)(buffer) &&
  elements(type) &&
  sizeOfType(type)?.hasObjects === false &&
  tupleOf(count)(shape) &&
  only('C', 'F')(order) &&
  more.length === 0;

/** NumPy 2 renamed its internal modules. */
const inBothModules = (rule: Omit<Rule, 'module'>, module: string): Rule[] => [
  { ...rule, module: `numpy.core.${module}` },
  { ...rule, module: `numpy._core.${module}` },
];

const NUMPY: readonly Rule[] = [
  {
    module: 'numpy',
    names: 'dtype',
    makes: 'numpy-dtype',
    call: args(textLike(ELEMENTS), only(false, 0), only(true, 1)),
    state: isElementsState,
  },
  ...inBothModules(
    {
      names: '_reconstruct',
      makes: 'array',
      call: args(named('numpy', 'ndarray'), tuple(only(0)), bytes),
      state: isArrayState,
    },
    'multiarray',
  ),
  ...inBothModules({ names: 'scalar', makes: 'scalar', call: isScalar }, 'multiarray'),
  ...inBothModules({ names: '_frombuffer', makes: 'array-view', call: isBuffer }, 'numeric'),
];

// Python

const PATHS = 'Path PosixPath WindowsPath PurePath PurePosixPath PureWindowsPath';
const DICT_METHODS =
  'clear copy fromkeys get items keys move_to_end pop popitem setdefault update values elements most_common subtract total';
const keys = anyShape(listShape(key), tupleOf(key));

const PYTHON: readonly Rule[] = [
  {
    module: 'collections',
    names: 'OrderedDict',
    makes: 'ordered-dict',
    call: oneOf(nothing, args(listShape(anyShape(tuple(key, datum), pairOf(key, datum))))),
    state: takesAttributes(...DICT_METHODS.split(' ')),
    takes: 'entries',
  },
  { module: 'collections', names: 'Counter', makes: 'counter', call: oneOf(nothing, args(dictOf(key, number))) },
  {
    module: 'collections',
    names: 'defaultdict',
    makes: 'default-dict',
    // A missing key calls the factory; these factories create an empty value.
    call: oneOf(
      nothing,
      args(anyShape(none, named('builtins', 'int', 'float', 'str', 'bool', 'list', 'dict', 'set', 'tuple'))),
    ),
    takes: 'entries',
  },
  {
    module: 'collections',
    names: 'deque',
    makes: 'deque',
    call: oneOf(nothing, args(sequenceOf(datum)), args(sequenceOf(datum), anyShape(none, int))),
    takes: 'items',
  },
  { module: 'builtins', names: 'set', makes: 'set', call: oneOf(nothing, args(keys)) },
  { module: 'builtins', names: 'frozenset', makes: 'frozenset', call: oneOf(nothing, args(keys)) },
  { module: '_codecs', names: 'encode', makes: 'bytes', call: args(textShape, only('latin1', 'latin-1')) },
  { module: 'builtins', names: 'bytes', makes: 'bytes', call: nothing },
  {
    module: 'builtins',
    names: 'bytearray',
    makes: 'bytearray',
    call: oneOf(nothing, args(bytes), args(textShape, only('latin1', 'latin-1'))),
  },
  // Python's spelling of the type of `None`. With other arguments, `type` creates classes.
  { module: 'builtins', names: 'type', makes: 'class', call: args(none) },
  { module: 'builtins', names: 'complex', makes: 'number', call: args(number, number) },
  { module: 'builtins', names: 'range', makes: 'range', call: args(int, int, int) },
  {
    module: 'builtins',
    names: 'slice',
    makes: 'range',
    call: args(anyShape(none, int), anyShape(none, int), anyShape(none, int)),
  },
  {
    module: 'datetime',
    names: 'datetime',
    makes: 'time',
    call: oneOf(args(bytes), args(bytes, resultOf('time-zone'))),
  },
  { module: 'datetime', names: 'time', makes: 'time', call: oneOf(args(bytes), args(bytes, resultOf('time-zone'))) },
  { module: 'datetime', names: 'date', makes: 'time', call: args(bytes) },
  { module: 'datetime', names: 'timedelta', makes: 'duration', call: args(int, int, int) },
  {
    module: 'datetime',
    names: 'timezone',
    makes: 'time-zone',
    call: oneOf(args(resultOf('duration')), args(resultOf('duration'), textShape)),
  },
  { module: 'decimal', names: 'Decimal', makes: 'number', call: args(textLike(/^[-+.\w]{1,1000}$/)) },
  // A power of ten would take forever to compute.
  {
    module: 'fractions',
    names: 'Fraction',
    makes: 'number',
    call: oneOf(args(int, int), args(textLike(/^-?\d{1,1000}(\/\d{1,1000})?$/))),
  },
  { module: 'pathlib', names: PATHS, makes: 'path', call: (given) => given.every((each) => textShape(each)) },
  { module: 'pathlib._local', names: PATHS, makes: 'path', call: (given) => given.every((each) => textShape(each)) },
  { module: 'types', names: 'SimpleNamespace', makes: 'object', call: nothing, state: takesAttributes() },
];

/** `[key, value]`, Python 2's form of the items of an `OrderedDict`. */
function pairOf(first: Shape, second: Shape): Shape {
  return (value) => isKind(value, 'list') && value.type === 'list' && matches([first, second], value.items);
}

function sequenceOf(item: Shape): Shape {
  return anyShape(listShape(item), tupleOf(item));
}

// Objects that protocols 0 and 1 create with `copyreg`

const WRAPPERS = ['joblib.numpy_pickle', 'sklearn.externals.joblib.numpy_pickle'];
const wrapper = anyShape(...WRAPPERS.map((module) => named(module, 'NumpyArrayWrapper')));

/** The description of an array whose content joblib writes after it. */
const isWrapperState = (target: CallResult, state: Value): boolean => {
  if (!isKind(state, 'dict') || arrayOf({ ...target, state }) === undefined) return false;
  return named('numpy', 'ndarray')(new Map(state.entries).get('subclass'));
};

const OBJECTS: readonly Rule[] = [
  { module: 'argparse', names: 'Namespace', makes: 'object', skipsInit: true, state: takesAttributes() },
  // Extra states of layers. How the program uses the bytes is out of scope, as it is for all bytes.
  {
    module: '_io',
    names: 'BytesIO',
    makes: 'object',
    skipsInit: true,
    state: (_, state) => tuple(bytes, count, none)(state),
  },
  ...WRAPPERS.map(
    (module): Rule => ({ module, names: 'NumpyArrayWrapper', makes: 'object', skipsInit: true, state: isWrapperState }),
  ),
  {
    module: 'copyreg',
    names: '_reconstructor',
    makes: 'object',
    call: args(anyShape(named('argparse', 'Namespace'), wrapper), named('builtins', 'object'), none),
    state: (target, state) => (wrapper(target.args[0]) ? isWrapperState(target, state) : attributes()(state)),
  },
];

// Imports that are values themselves: they are named, never called

const CONSTANTS: Readonly<Record<string, readonly string[]>> = {
  builtins:
    `int float str bool bytes list dict tuple set frozenset complex object Ellipsis NotImplemented NoneType`.split(' '),
  torch: ['Tensor', ...MEMORY_FORMATS, ...DTYPES, ...LAYOUTS, ...QSCHEMES, ...STORAGES, ...TENSOR_CLASSES],
  'torch.cuda': [...STORAGES, ...TENSOR_CLASSES],
  'torch.sparse': TENSOR_CLASSES,
  'torch.cuda.sparse': TENSOR_CLASSES,
  'torch.storage': UNTYPED,
  numpy: `ndarray bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64
    complex128`.split(/\s+/),
};

const CONSTRUCTORS: ReadonlyMap<string, ReadonlyMap<string, Constructor>> = indexed([
  ...TORCH,
  ...NUMPY,
  ...PYTHON,
  ...OBJECTS,
]);

/** Nested by module and name, because a joined name can be split in more than one way. */
function indexed(rules: readonly Rule[]): Map<string, Map<string, Constructor>> {
  const found = new Map<string, Map<string, Constructor>>();
  for (const { module, names, ...rest } of rules) {
    const inModule = found.get(module) ?? new Map<string, Constructor>();
    found.set(module, inModule);
    for (const name of names.split(/\s+/)) inModule.set(name, rest);
  }
  return found;
}

type Name = Pick<GlobalValue, 'module' | 'name'>;

/** Returns how plain data uses an import as a constructor; undefined if it creates nothing. */
export function constructorOf({ module, name }: Name): Constructor | undefined {
  return CONSTRUCTORS.get(module)?.get(name);
}

/** True for an import that is itself a value. */
export function isConstant({ module, name }: Name): boolean {
  return Object.hasOwn(CONSTANTS, module) && CONSTANTS[module]?.includes(name) === true;
}

/** True for an import that plain data may contain. */
export function isInGrammar(name: Name): boolean {
  return isConstant(name) || constructorOf(name) !== undefined;
}
