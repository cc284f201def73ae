import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Safety, Tensor } from '../../checkpoint.ts';
import { bytesOf, bytesOfStorage } from '../../dtypes.ts';
import type { Pickle } from '../../pickle/interpret.ts';
import { pickleAt } from '../../pickle/legacy.ts';
import { readPickle } from '../../pickle/readPickle.ts';
import { isKind, nameOf, type Value } from '../../pickle/symbols.ts';
import { dtypeOfStorage, type Storage, tensorsOf } from '../../pickle/tensors.ts';
import { describeUnpickled } from '../../unpickledFile.ts';

/** Members of the tar format used by PyTorch 0.1.1 and older. */
const MEMBERS = ['sys_info', 'pickle', 'tensors', 'storages'] as const;

/** Limit on storages and on tensors. */
const MOST = 100_000;

export function isTorchTar(members: ReadonlyMap<string, Bytes>): boolean {
  return MEMBERS.every((name) => members.has(name));
}

/** Reads a file written by PyTorch 0.1.1 or older, by its members. */
export async function readTorchTar(
  size: number,
  members: ReadonlyMap<string, Bytes>,
  budget: Budget,
): Promise<Checkpoint> {
  const member = (name: (typeof MEMBERS)[number]) => members.get(name) as Bytes;
  const [main, ...within] = await readPickle(member('pickle'), budget);
  const machine = await readPickle(member('sys_info'), budget);
  const storages = await readRecords(member('storages'), storageIn, 'views', budget);
  const tensors = await readRecords(member('tensors'), tensorIn, undefined, budget);
  const others = [...within, ...machine, ...storages.pickles, ...tensors.pickles];
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
    others,
    storages: storages.records,
  });
  return {
    ...checkpoint,
    tensors: tensorsOf(main.value, outside),
    safety: withoutWeightsOnly(checkpoint.safety),
  };
}

function withoutWeightsOnly(safety: Safety): Safety {
  if (safety.verdict !== 'weights-only') return safety;
  return { verdict: 'refused', reason: '`weights_only=True` cannot read this old file format.' };
}

interface Records<T> {
  readonly records: readonly T[];
  readonly pickles: readonly Pickle[];
}

/**
 * Reads a pickled count of records, then a pickle and a block of bytes per record; `parse` determines the block's size.
 * The storages are followed by a pickle with their `views`, and nothing else.
 */
async function readRecords<T>(
  bytes: Bytes,
  parse: (
    value: readonly Value[],
    block: (length: number) => Promise<Buffer>,
  ) => Promise<{ record: T; size: number } | undefined>,
  last: 'views' | undefined,
  budget: Budget,
): Promise<Records<T>> {
  const [counter, ...within] = await pickleAt(bytes, 0, budget);
  const pickles = [counter, ...within];
  const records: T[] = [];
  const damaged = (why: string): Records<T> => ({ records, pickles: [...pickles, { ...counter, trouble: why }] });
  if (counter.trouble !== undefined) return { records, pickles };
  const count = Number(counter.value);
  if (!(count >= 0 && count <= MOST)) return damaged('counts its records wrongly');
  let at = counter.end;
  while (records.length < count) {
    const [pickle, ...inner] = await pickleAt(bytes, at, budget);
    pickles.push(pickle, ...inner);
    const value = isKind(pickle.value, 'tuple') ? pickle.value.items : [];
    const parsed = await parse(value, (length) => bytes.read(pickle.end, length));
    if (!parsed) return damaged('is damaged');
    records.push(parsed.record);
    at = pickle.end + parsed.size;
  }
  if (last === 'views') {
    const [views, ...inner] = await pickleAt(bytes, at, budget);
    pickles.push(views, ...inner);
    at = views.end;
  }
  return at === bytes.size ? { records, pickles } : damaged('is followed by other data');
}

async function storageIn([key, location, type]: readonly Value[], block: (length: number) => Promise<Buffer>) {
  const head = await block(8);
  if (key === undefined || typeof location !== 'string' || head.length < 8) return undefined;
  const count = Number(head.readBigInt64LE(0));
  const dtype = dtypeOfStorage(nameOf(type) ?? '');
  const record: Storage = { key: String(key), dtype, location, count };
  const size = bytesOfStorage(dtype, count);
  return count < 0 || size === undefined ? undefined : { record, size: 8 + size };
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
