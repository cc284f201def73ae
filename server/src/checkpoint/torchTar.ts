import type { Bytes } from './bytes.ts';
import type { Checkpoint, Safety, Tensor } from './checkpoint.ts';
import { bytesOf, bytesOfElements } from './dtypes.ts';
import { interpretPickle, type Pickle } from './pickle/interpret.ts';
import { judgePickles } from './pickle/safety.ts';
import { isKind, nameOf, type Value } from './pickle/symbols.ts';
import { dtypeOfStorage, type Storage, tensorsOf } from './pickle/tensors.ts';
import { describeUnpickled } from './unpickled.ts';

/** Members of the tar form of PyTorch 0.1.1 and older. */
const MEMBERS = ['sys_info', 'pickle', 'tensors', 'storages'] as const;

/** Storages and tensors of which more are not read. */
const MOST = 100_000;

export function isTorchTar(members: ReadonlyMap<string, Bytes>): boolean {
  return MEMBERS.every((name) => members.has(name));
}

/** A file of PyTorch 0.1.1 or older, by its members. */
export async function readTorchTar(size: number, members: ReadonlyMap<string, Bytes>): Promise<Checkpoint> {
  const member = (name: (typeof MEMBERS)[number]) => members.get(name) as Bytes;
  const main = await interpretPickle(member('pickle'));
  const machine = await interpretPickle(member('sys_info'));
  const storages = await readRecords(member('storages'), storageIn);
  const tensors = await readRecords(member('tensors'), tensorIn);
  const storageOf = new Map(storages.records.map((storage) => [storage.key, storage]));
  const tensorOf = new Map(tensors.records.map((tensor) => [tensor.key, tensor]));
  const outside = (id: Value): Omit<Tensor, 'name'> | undefined => {
    const tensor = tensorOf.get(String(id));
    const storage = tensor && storageOf.get(tensor.storage);
    return (
      storage && {
        dtype: storage.dtype,
        shape: tensor.shape,
        device: storage.location,
        bytes: bytesOf(storage.dtype, tensor.shape),
      }
    );
  };
  const checkpoint = describeUnpickled({
    format: 'torch-tar',
    size,
    writtenBy: 'PyTorch 0.1',
    main,
    others: [machine, ...storages.pickles, ...tensors.pickles],
    storages: storages.records,
  });
  return {
    ...checkpoint,
    tensors: tensorsOf(main.value, outside),
    safety: withoutWeightsOnly(judgePickles([main, machine, ...storages.pickles, ...tensors.pickles])),
  };
}

function withoutWeightsOnly(safety: Safety): Safety {
  if (safety.verdict !== 'weights-only') return safety;
  return { verdict: 'refused', reason: '`weights_only=True` cannot read this old form of file.' };
}

interface Records<T> {
  readonly records: readonly T[];
  readonly pickles: readonly Pickle[];
}

/** A pickled number of records, and for each a pickle and a block of bytes, of which `parse` tells the size. */
async function readRecords<T>(
  bytes: Bytes,
  parse: (
    value: readonly Value[],
    block: (length: number) => Promise<Buffer>,
  ) => Promise<{ record: T; size: number } | undefined>,
): Promise<Records<T>> {
  const counter = await interpretPickle(bytes);
  const pickles = [counter];
  const records: T[] = [];
  const count = typeof counter.value === 'number' ? Math.min(counter.value, MOST) : 0;
  for (let at = counter.end; records.length < count; ) {
    const pickle = await interpretPickle(bytes, at);
    pickles.push(pickle);
    const value = isKind(pickle.value, 'tuple') ? pickle.value.items : [];
    const parsed = await parse(value, (length) => bytes.read(pickle.end, length));
    if (!parsed) {
      pickles.push({ ...pickle, trouble: 'is damaged' });
      break;
    }
    records.push(parsed.record);
    at = pickle.end + parsed.size;
  }
  return { records, pickles };
}

async function storageIn([key, location, type]: readonly Value[], block: (length: number) => Promise<Buffer>) {
  const head = await block(8);
  if (key === undefined || typeof location !== 'string' || head.length < 8) return undefined;
  const count = Number(head.readBigInt64LE(0));
  const dtype = dtypeOfStorage(nameOf(type) ?? '');
  const record: Storage = { key: String(key), dtype, location, count };
  return count < 0 ? undefined : { record, size: 8 + bytesOfElements(dtype, count) };
}

async function tensorIn([key, storage]: readonly Value[], block: (length: number) => Promise<Buffer>) {
  const head = await block(8);
  if (key === undefined || storage === undefined || head.length < 8) return undefined;
  const dimensions = head.readInt32LE(0);
  if (dimensions < 0 || dimensions > 64) return undefined;
  const size = 8 + dimensions * 16 + 8;
  const content = await block(size);
  if (content.length < size) return undefined;
  const shape = Array.from({ length: dimensions }, (_, index) => Number(content.readBigInt64LE(8 + index * 8)));
  return { record: { key: String(key), storage: String(storage), shape }, size };
}
