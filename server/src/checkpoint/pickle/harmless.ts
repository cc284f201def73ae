/**
 * What a pickle may import besides what `weights_only=True` allows, and why that can do no harm. Each entry was compared
 * with the source of its library: CPython 3.9 to 3.14, NumPy 1.24 to 2.4, PyTorch 1.13 to 2.15.
 *
 * The rule that makes the list safe as a whole: whatever the arguments are, made of other entries and of plain data, a call
 * of an entry runs no code but the library's own, imports nothing by a name that it is given, and opens no file. So it does
 * not matter that some of them call what they are given: that is an entry, too. Nothing on it leads to an attribute by
 * name, and what is imported by a dotted name is never on it. What remains is watched by `uses.ts`.
 */
import { LAYERS, OPTIMIZERS } from './torchClasses.ts';

/**
 * What is usual to do with an import. `value`: to name it as an argument; `call`: to call it as well; `object`: to call it,
 * and to set the state of what that gives; `instance`: to make an object past its constructor, and to set its state.
 */
export type Use = 'value' | 'call' | 'object' | 'instance';

interface Entry {
  readonly use: Use;
  /** Full names, with blanks between them. */
  readonly names: string;
  readonly why: string;
}

const ENTRIES: readonly Entry[] = [
  {
    use: 'call',
    names: `builtins.list builtins.tuple builtins.dict builtins.frozenset builtins.int builtins.float builtins.str
      builtins.bytes builtins.bool builtins.range builtins.slice`,
    why: 'They copy or convert what they are given; the methods that they ask for are those of other entries.',
  },
  {
    use: 'value',
    names: 'builtins.object builtins.NoneType builtins.Ellipsis builtins.NotImplemented',
    why: 'Without content: named as a base or a placeholder.',
  },
  {
    use: 'object',
    names: 'collections.defaultdict collections.deque collections.UserDict collections.UserList',
    why: 'Containers. A missing key calls the factory of a `defaultdict` without arguments: a factory is an entry itself.',
  },
  {
    use: 'object',
    names: 'argparse.Namespace types.SimpleNamespace',
    why: 'They keep their named values as attributes, and have no other behaviour than to show and compare them.',
  },
  {
    use: 'object',
    names: 'copyreg._reconstructor',
    why: 'Makes an object of a class that is an entry, past its constructor, as protocols 0 and 1 do.',
  },
  {
    use: 'call',
    names: 'datetime.datetime datetime.date datetime.time datetime.timedelta datetime.timezone',
    why: 'Immutable values made of numbers. A time zone in them is an entry.',
  },
  { use: 'call', names: 'decimal.Decimal fractions.Fraction', why: 'Numbers, parsed from text.' },
  {
    use: 'call',
    names: `pathlib.Path pathlib.PosixPath pathlib.WindowsPath pathlib.PurePath pathlib.PurePosixPath
      pathlib.PureWindowsPath pathlib._local.Path pathlib._local.PosixPath pathlib._local.WindowsPath
      pathlib._local.PurePath pathlib._local.PurePosixPath pathlib._local.PureWindowsPath`,
    why: 'They join texts into a path. Only their methods look at files, and no entry calls those.',
  },
  {
    use: 'value',
    names: 'numpy.ndarray',
    why: 'The class that `_reconstruct` is told to make. Called, it would look into a buffer that another array may free.',
  },
  {
    use: 'object',
    names: 'numpy.dtype',
    why: 'A description of elements. Its state is watched: one that hides objects in it lets an array take numbers for pointers.',
  },
  {
    use: 'object',
    names: 'numpy.core.multiarray._reconstruct numpy._core.multiarray._reconstruct',
    why: 'Makes an empty array; its state brings a shape, a type and as many bytes, which NumPy compares.',
  },
  {
    use: 'call',
    names: `numpy.core.multiarray.scalar numpy._core.multiarray.scalar numpy.core.numeric._frombuffer
      numpy._core.numeric._frombuffer`,
    why: 'They make a number, or an array, of bytes whose length NumPy compares with the type. The buffer is watched.',
  },
  {
    use: 'instance',
    names: 'joblib.numpy_pickle.NumpyArrayWrapper sklearn.externals.joblib.numpy_pickle.NumpyArrayWrapper',
    why: 'It describes an array whose content lies between the instructions: see `joblib.ts`, which reads on behind it.',
  },
  {
    use: 'object',
    names: `numpy.random._pickle.__randomstate_ctor numpy.random._pickle.__generator_ctor
      numpy.random._pickle.__bit_generator_ctor`,
    why: 'They make a generator of random numbers by a name out of a fixed table. A second argument is watched: it is called.',
  },
  {
    use: 'object',
    names: 'numpy.random.bit_generator.__pyx_unpickle_SeedSequence',
    why: 'Makes a seed, past its constructor, and sets its numbers.',
  },
  {
    use: 'value',
    names: 'numpy.random._mt19937.MT19937 numpy.random._pcg64.PCG64 numpy.random.bit_generator.SeedSequence',
    why: 'Algorithms of random numbers, which `__bit_generator_ctor` calls without arguments, and the class of their seeds.',
  },
  {
    use: 'value',
    names: `numpy.bool numpy.bool_ numpy.int8 numpy.int16 numpy.int32 numpy.int64 numpy.uint8 numpy.uint16 numpy.uint32
      numpy.uint64 numpy.float16 numpy.float32 numpy.float64 numpy.complex64 numpy.complex128`,
    why: 'Classes of numbers, which name a type of elements.',
  },
  {
    use: 'value',
    names: [
      ...'Bool Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Float16 Float32 Float64 LongDouble'.split(' '),
      ...'Complex64 Complex128 CLongDouble Bytes Str Object Void DateTime64 TimeDelta64 String'.split(' '),
    ]
      .map((name) => `numpy.dtypes.${name}DType`)
      .join(' '),
    why: 'Classes of descriptions of elements: named, not called.',
  },
  {
    use: 'call',
    names: 'torch._utils._rebuild_sparse_csr_tensor torch.Generator',
    why: 'Makes a tensor of tensors, whose indices PyTorch checks; makes a generator of random numbers on a device.',
  },
  {
    use: 'call',
    names: `torch.jit._pickle.build_intlist torch.jit._pickle.build_tensorlist torch.jit._pickle.build_doublelist
      torch.jit._pickle.build_boollist torch.jit._pickle.build_tensor_from_id torch.jit._pickle.restore_type_tag`,
    why: 'They return what they are given; TorchScript marks lists and numbers by them.',
  },
  {
    use: 'value',
    names: 'torch.strided torch.sparse_coo torch.sparse_csr torch.sparse_csc torch.sparse_bsr torch.sparse_bsc',
    why: 'Constants: layouts of tensors.',
  },
  {
    use: 'value',
    names: `torch.nn.functional.relu torch._C._nn.gelu torch.nn.functional.gelu torch.nn.functional.silu
      torch.nn.functional.tanh torch.nn.functional.sigmoid torch.nn.functional.softmax torch.nn.functional.mish`,
    why: 'Functions of tensors, which layers keep as their activation.',
  },
  {
    use: 'call',
    names: 'torch.storage._load_from_bytes',
    why: 'It is `torch.load` itself. Harmless only as far as the bytes are known and were read: see `legacy.ts`.',
  },
  {
    use: 'instance',
    names: namesIn('torch.nn.modules', LAYERS),
    why: 'Layers. Their `__setstate__` fill in attributes that older versions lacked; constructors are not called by pickles.',
  },
  {
    use: 'instance',
    names: namesIn('torch.optim', OPTIMIZERS),
    why: 'Optimizers and schedules: dicts of numbers and tensors; their `__setstate__` make tensors of numbers.',
  },
];

/** Of what `weights_only=True` allows, that which makes objects with a state of their own; the rest is called at most. */
const ALLOWED_OBJECTS = new Set(
  `collections.OrderedDict collections.Counter torch.Tensor torch.nn.parameter.Parameter`.split(/\s+/),
);

function namesIn(parent: string, modules: Readonly<Record<string, string>>): string {
  return Object.entries(modules)
    .flatMap(([module, classes]) => classes.split(/\s+/).map((name) => `${parent}.${module}.${name}`))
    .join(' ');
}

const USES: ReadonlyMap<string, Use> = new Map(
  ENTRIES.flatMap(({ use, names }) => names.split(/\s+/).map((name) => [name, use] as const)),
);

/** True for an import that is plain data, though not on the list of `weights_only=True`. */
export function isPlainData(name: string): boolean {
  return USES.has(name);
}

/** What is usual to do with an import that is known to do no harm. */
export function usualUseOf(name: string): Use {
  return USES.get(name) ?? (ALLOWED_OBJECTS.has(name) ? 'object' : 'call');
}
