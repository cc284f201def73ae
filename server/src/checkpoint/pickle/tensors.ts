import type { Tensor } from '../checkpoint.ts';
import { bytesOf } from '../dtypes.ts';
import type { Pickle } from './interpret.ts';
import { arrayOf, representsArray } from './joblibArrays.ts';
import { pathBelow } from './paths.ts';
import { type CallResult, importName, isKind, mayContain, type Value } from './symbols.ts';

/** Bytes outside the pickle that tensors share. */
export interface Storage {
  readonly key: string;
  readonly dtype: string;
  /** The device on which it was stored: `cpu`, `cuda:1`. */
  readonly location: string;
  /** Number of elements, or of bytes if the storage has no type. */
  readonly count: number;
}

/** Returns the storages that a pickle refers to, without duplicates; undefined if a reference has another form. */
export function storagesOf(pickle: Pickle): Storage[] | undefined {
  const found = new Map<string, Storage>();
  for (const { id } of pickle.persistent) {
    const storage = storageOf(id);
    if (!storage && !isModuleSource(id)) return undefined;
    if (!storage) continue;
    const known = found.get(storage.key);
    // Loaders use the type and the size of the first reference.
    if (known && (known.dtype !== storage.dtype || known.count !== storage.count)) return undefined;
    if (known?.location !== storage.location) found.set(storage.key, storage);
  }
  return [...found.values()];
}

/** `('storage', type, key, location, count)`; older files add a view's description. */
function storageOf(id: Value): Storage | undefined {
  if (!isKind(id, 'tuple')) return undefined;
  const { items } = id;
  // Read by index for speed, since there may be a hundred thousand of them.
  const [tag, type, key, location, count] = [items[0], items[1], items[2], items[3], items[4]];
  // A package numbers its storages; other files name them.
  if (typeof key !== 'string' && typeof key !== 'number') return undefined;
  if (tag !== 'storage' || typeof location !== 'string' || typeof count !== 'number') return undefined;
  return { key: String(key), dtype: dtypeOfStorage(importName(type) ?? ''), location, count };
}

/** True for `('module', class, file, source)`: the source of a class, which old files include. */
function isModuleSource(id: Value): boolean {
  return isKind(id, 'tuple') && id.items[0] === 'module';
}

const STORAGE_TYPES: Readonly<Record<string, string>> = {
  Float: 'float32',
  Double: 'float64',
  Half: 'float16',
  BFloat16: 'bfloat16',
  Long: 'int64',
  Int: 'int32',
  Short: 'int16',
  Char: 'int8',
  Byte: 'uint8',
  Bool: 'bool',
  ComplexFloat: 'complex64',
  ComplexDouble: 'complex128',
  QInt8: 'qint8',
  QUInt8: 'quint8',
  QInt32: 'qint32',
  QUInt4x2: 'quint4x2',
  QUInt2x4: 'quint2x4',
  Untyped: 'uint8',
};

const PLAIN_STORAGES: ReadonlyMap<string, string> = new Map(
  Object.entries(STORAGE_TYPES).map(([type, dtype]) => [`torch.${type}Storage`, dtype]),
);

/** Returns the element type of a storage class: `torch.FloatStorage`. */
function dtypeOfStorage(name: string): string {
  const plain = PLAIN_STORAGES.get(name);
  if (plain !== undefined) return plain;
  const type = name.slice(name.lastIndexOf('.') + 1, name.endsWith('Storage') ? -'Storage'.length : undefined);
  return STORAGE_TYPES[type] ?? type;
}

/** Returns the devices of tensors whose call names a device, without a storage that records the device. */
export function devicesInCalls(pickle: Pickle): string[] {
  const devices: string[] = [];
  for (const { callee, args } of pickle.calls) {
    const place = DEVICE_ARGUMENTS[importName(callee) ?? ''];
    if (place !== undefined) devices.push(...deviceIn(args[place]));
  }
  return devices;
}

/** Index of the device argument. */
const DEVICE_ARGUMENTS: Readonly<Record<string, number>> = {
  'torch._utils._rebuild_device_tensor_from_numpy': 2,
  'torch._utils._rebuild_device_tensor_from_cpu_tensor': 2,
  'torch._utils._rebuild_wrapper_subclass': 6,
};

/** Reads `"cuda:1"` or `torch.device("cuda", 1)`. */
function deviceIn(value: Value | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (!isKind(value, 'result') || importName(value.callee) !== 'torch.device') return [];
  return typeof value.args[0] === 'string' ? [value.args.filter((part) => part !== null).join(':')] : [];
}

/** Parts of a module's state that are omitted in parameter names. */
const MODULE_STATE = new Set(['_parameters', '_buffers', '_modules']);
const MOST_TENSORS = 1_000_000;

/**
 * Returns the tensors in the result of a pickle, named by their path: `model.conv1.weight`. `outside` describes a
 * tensor that the pickle only refers to.
 */
export function tensorsOf(
  root: Value | undefined,
  outside: (id: Value) => UnnamedTensor | undefined = () => undefined,
): Tensor[] {
  const tensors: Tensor[] = [];
  const entered = new Set<Value>();
  const waiting: { name: string; value: Value | undefined }[] = [{ name: '', value: root }];
  for (let next = waiting.pop(); next && tensors.length < MOST_TENSORS; next = waiting.pop()) {
    const { name, value } = next;
    if (!mayContain(value)) continue;
    const found = isKind(value, 'result')
      ? tensorOf(value)
      : isKind(value, 'persistent')
        ? outside(value.id)
        : undefined;
    const tensor = found && { name, ...found };
    if (tensor) tensors.push(tensor);
    if (tensor || entered.has(value)) continue;
    entered.add(value);
    const parts: { name: string; value: Value }[] = [];
    eachPart(value, name, (named, part) => {
      if (mayContainTensors(part)) parts.push({ name: named(), value: part });
    });
    for (let index = parts.length - 1; index >= 0; index--) waiting.push(parts[index] as (typeof parts)[number]);
  }
  return tensors;
}

/** Number of items that are checked before their container is entered; shapes have no more. */
const FEW = 8;

function mayContainTensors(value: Value): boolean {
  if (!mayContain(value)) return false;
  if (isKind(value, 'list') || isKind(value, 'tuple')) return value.items.length > FEW || value.items.some(mayContain);
  return !isKind(value, 'dict') || value.entries.length > 0;
}

/** Visits the parts of a value. Names are computed on demand, because most parts do not need them. */
function eachPart(value: Value, name: string, visit: (named: () => string, part: Value) => void): void {
  const below = (key: string | number) => pathBelow(name, key);
  const itemsOf = (items: readonly Value[]) => {
    for (const [index, item] of items.entries()) visit(() => below(index), item);
  };
  const entriesOf = (entries: readonly [Value, Value][]) => {
    for (const [key, item] of entries)
      visit(() => (typeof key === 'string' ? (MODULE_STATE.has(key) ? name : below(key)) : below(String(key))), item);
  };
  if (isKind(value, 'list') || isKind(value, 'tuple')) itemsOf(value.items);
  if (isKind(value, 'dict')) entriesOf(value.entries);
  if (!isKind(value, 'result')) return;
  const { entries = [], items = [], args, state } = value;
  entriesOf(entries);
  itemsOf(items);
  if (state !== undefined) visit(() => name, state);
  if (entries.length > 0 || items.length > 0) return;
  const pairs = importName(value.callee) === 'collections.OrderedDict' ? pairsIn(args[0]) : undefined;
  if (pairs) entriesOf(pairs);
  else itemsOf(args);
}

/** Reads `[['weight', …], …]`, Python 2's form of an `OrderedDict`. */
function pairsIn(value: Value | undefined): [Value, Value][] | undefined {
  if (!isKind(value, 'list')) return undefined;
  const pairs = value.items.map((item) => (isKind(item, 'list') || isKind(item, 'tuple') ? item.items : []));
  return pairs.every((pair) => pair.length === 2)
    ? pairs.map(([key, item]) => [key as Value, item as Value])
    : undefined;
}

/** A one-element tensor and the location of its number. */
export interface ScalarTensor {
  readonly name: string;
  readonly storage: Storage;
  /** In elements. */
  readonly offset: number;
}

const MOST_SCALARS = 50;

/** Returns the one-element tensors among the top-level entries, such as `best_accuracy`. */
export function scalarTensorsOf(root: Value | undefined): ScalarTensor[] {
  if (!isKind(root, 'dict')) return [];
  const found: ScalarTensor[] = [];
  for (const [name, value] of root.entries) {
    if (typeof name !== 'string' || !isKind(value, 'result') || found.length === MOST_SCALARS) continue;
    if (importName(value.callee) !== 'torch._utils._rebuild_tensor_v2') continue;
    const [reference, offset, size] = value.args;
    const storage = isKind(reference, 'persistent') ? storageOf(reference.id) : undefined;
    if (storage && typeof offset === 'number' && shapeIn(size)?.length === 0) found.push({ name, storage, offset });
  }
  return found;
}

type UnnamedTensor = Omit<Tensor, 'name'>;

/** Describes the tensor that a call rebuilds; undefined for other calls. */
function tensorOf(made: CallResult): UnnamedTensor | undefined {
  const { callee, args, state, offset } = made;
  if (representsArray(made)) return arrayOf(made);
  switch (importName(callee)) {
    case 'torch._utils._rebuild_parameter':
    case 'torch._utils._rebuild_parameter_with_state':
    case 'torch.nn.parameter.Parameter':
      return isKind(args[0], 'result') ? tensorOf(args[0]) : undefined;
    case 'torch._tensor._rebuild_from_type_v2':
    case 'torch._tensor._rebuild_from_type': {
      const rebuilt = isKind(args[2], 'tuple') ? args[2].items : undefined;
      const inner = args[0];
      return rebuilt && inner !== undefined
        ? tensorOf({
            kind: 'result',
            callee: inner,
            args: rebuilt,
            skipsInit: false,
            offset,
            state,
            resultType: undefined,
          })
        : undefined;
    }
    case 'torch._utils._rebuild_tensor':
    case 'torch._utils._rebuild_tensor_v2':
    case 'torch._utils._rebuild_qtensor':
      return storageTensor(args[0], args[2]);
    case 'torch._utils._rebuild_tensor_v3':
      return storageTensor(args[0], args[2], args[6]);
    case 'torch._utils._rebuild_sparse_tensor':
      return sparseTensor(args[1]);
    case 'torch._utils._rebuild_meta_tensor_no_storage':
      return describedTensor(args[0], args[1], 'meta');
    case 'torch._utils._rebuild_wrapper_subclass':
      return describedTensor(args[1], args[2], deviceIn(args[6])[0]);
    default:
      return undefined;
  }
}

function storageTensor(reference: Value | undefined, size: Value | undefined, dtype?: Value) {
  const storage = isKind(reference, 'persistent') ? storageOf(reference.id) : undefined;
  const shape = shapeIn(size);
  if (!storage || !shape) return undefined;
  return tensor(dtypeIn(dtype) ?? storage.dtype, shape, storage.location);
}

/** Reads `(indices, values, size)`. */
function sparseTensor(parts: Value | undefined): UnnamedTensor | undefined {
  const [indices, values, size] = isKind(parts, 'tuple') ? parts.items : [];
  const [places, content] = [indices, values].map((part) => (isKind(part, 'result') ? tensorOf(part) : undefined));
  const shape = shapeIn(size);
  return shape && places && content && { ...content, shape, bytes: places.bytes + content.bytes };
}

function describedTensor(dtype: Value | undefined, size: Value | undefined, device: string | undefined) {
  const shape = shapeIn(size);
  return shape && tensor(dtypeIn(dtype) ?? 'unknown', shape, device);
}

function tensor(dtype: string, shape: readonly number[], device: string | undefined): UnnamedTensor {
  return { dtype, shape, device, bytes: bytesOf(dtype, shape) };
}

function dtypeIn(value: Value | undefined): string | undefined {
  const name = importName(value);
  return name?.startsWith('torch.') ? name.slice('torch.'.length) : undefined;
}

/** Reads `(3, 4)` or `torch.Size([3, 4])`. */
function shapeIn(value: Value | undefined): readonly number[] | undefined {
  if (isKind(value, 'result') && importName(value.callee) === 'torch.Size') return shapeIn(value.args[0]);
  if (!isKind(value, 'tuple') && !isKind(value, 'list')) return undefined;
  const items: readonly Value[] = value.items;
  return items.every((size) => typeof size === 'number') ? items : undefined;
}
