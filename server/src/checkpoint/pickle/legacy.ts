import type { Budget } from '../budget.ts';
import { type Bytes, inMemory, slice } from '../bytes.ts';
import { bytesOfStorage } from '../dtypes.ts';
import { isTar } from '../encodings/tar.ts';
import { interpretPickle, namesIn, type Pickle } from './interpret.ts';
import { OP } from './opcodes.ts';
import { type CallResult, importName, isKind, type Value } from './symbols.ts';
import { type Storage, storagesOf } from './tensors.ts';

/** The magic number of files written by PyTorch before 1.6, in any pickle protocol: `torch/serialization.py`. */
const MAGIC = 0x1950a86a20f9469cfc6cn;

/** A function that unpickles its bytes the way `torch.load` does. */
const LOAD_FROM_BYTES = 'torch.storage._load_from_bytes';

/** Maximum number of levels of nested checkpoints that are followed. */
const DEEPEST = 3;
/** Maximum number of characters in a text that is converted to bytes. */
const LONGEST_TEXT = 16 * 1024 * 1024;

/** Number of bytes that is enough for a pickle containing a single number. */
const STEPS_PER_NUMBER = 4000;

export async function isTorchLegacy(bytes: Bytes, budget: Budget): Promise<boolean> {
  const { value } = await interpretPickle(bytes, 0, budget.part(STEPS_PER_NUMBER));
  return value === MAGIC;
}

/** A checkpoint written by PyTorch before 1.6: five pickles, then the content of the storages. */
export interface LegacyCheckpoint {
  /** The pickle of the object that loading returns. */
  readonly object: Pickle;
  /** All pickles that loading reads, including `object`. */
  readonly pickles: readonly Pickle[];
  readonly bigEndian: boolean;
  /** The storages of the object; undefined unless all are known. */
  readonly storages?: readonly Storage[];
  /** Offset of its end according to its contents; undefined if it could not be read completely. */
  readonly end?: number;
}

/** Reads the checkpoint that starts at `start`; undefined if it does not begin like one. */
export async function readLegacy(
  bytes: Bytes,
  start: number,
  budget: Budget,
  depth = DEEPEST,
): Promise<LegacyCheckpoint | undefined> {
  const pickles: Pickle[] = [];
  const parts: Pickle[] = [];
  // Magic number, protocol version, machine, object, and the keys of the storages that follow.
  for (let index = 0; index < 5 && parts.at(-1)?.trouble === undefined; index++) {
    const [pickle, ...within] = await pickleAt(bytes, parts.at(-1)?.end ?? start, budget, depth);
    // An unfinished pickle may still be the magic number.
    if (index === 0 && pickle.value !== MAGIC && budget.left() > 0) return undefined;
    parts.push(pickle);
    pickles.push(pickle, ...within);
  }
  const [, , machine, object = parts.at(-1) as Pickle, last] = parts;
  const keys = isKind(last?.value, 'list') ? last.value.items : undefined;
  const storages = storagesOf(object);
  // The content of each storage is preceded by its number of elements.
  const content = storages?.reduce(
    (sum, { dtype, count }) => sum + 8 + (bytesOfStorage(dtype, count) ?? Number.NaN),
    0,
  );
  const wanted = new Set<Value>(storages?.map(({ key }) => key));
  const isWhole =
    keys?.length === wanted.size && new Set(keys).size === wanted.size && keys.every((key) => wanted.has(key));
  return {
    object,
    pickles,
    storages,
    bigEndian:
      isKind(machine?.value, 'dict') &&
      machine.value.entries.some(([key, value]) => key === 'little_endian' && value === false),
    end: last && isWhole && Number.isSafeInteger(content) ? last.end + (content as number) : undefined,
  };
}

/** Reads the pickle at `start` and the nested checkpoints that `LOAD_FROM_BYTES` would unpickle. */
export async function pickleAt(
  bytes: Bytes,
  start: number,
  budget: Budget,
  depth = DEEPEST,
): Promise<readonly [Pickle, ...Pickle[]]> {
  return withNested(await interpretPickle(bytes, start, budget), bytes, budget, depth);
}

/** Returns a pickle, together with the pickles of the checkpoints nested in it. */
export async function withNested(
  pickle: Pickle,
  bytes: Bytes,
  budget: Budget,
  depth = DEEPEST,
): Promise<readonly [Pickle, ...Pickle[]]> {
  if (!namesIn(pickle).includes(LOAD_FROM_BYTES)) return [pickle];
  const within: Pickle[] = [];
  const addDangerous = (what: string) => pickle.effects.push({ standing: 'dangerous', what });
  if (isUsedAsValue(pickle)) addDangerous(`passes on \`${LOAD_FROM_BYTES}\`, which unpickles its argument`);
  /** Identical bytes are the same checkpoint, no matter how often they are loaded. */
  const loaded = new Set<Value | undefined>();
  for (const call of pickle.calls.filter(isLoading)) {
    // No verdict is worse, so the other calls no longer matter.
    if (pickle.effects.some(({ standing }) => standing === 'dangerous')) break;
    if (call.args.length === 1 && loaded.has(call.args[0])) continue;
    loaded.add(call.args[0]);
    const content = call.args.length === 1 ? await contentOf(call.args[0], bytes, budget) : undefined;
    const inner = content && depth > 0 ? await readLegacy(content, 0, budget, depth - 1) : undefined;
    if (!inner) addDangerous(`unpickles bytes that are not a PyTorch storage with \`${LOAD_FROM_BYTES}\``);
    else within.push(...inner.pickles);
    if (inner && !isKind(inner.object.value, 'persistent'))
      pickle.departure ??= {
        what: `gets something other than a storage from \`${LOAD_FROM_BYTES}\``,
        isMisuse: true,
        code: OP.REDUCE,
        offset: call.offset,
      };
    // Some PyTorch releases try the tar format first, others last.
    if (content && isTar(await content.read(0, 512)))
      pickle.doubts.add('contains a checkpoint that is also a tar archive');
    if (content && inner && inner.end !== content.size)
      pickle.doubts.add('contains a checkpoint whose length is not the declared one');
  }
  return [pickle, ...within];
}

function isLoading({ callee }: CallResult): boolean {
  return importName(callee) === LOAD_FROM_BYTES;
}

/** Returns the bytes that a value represents, if it is known how they are created. */
async function contentOf(value: Value | undefined, bytes: Bytes, budget: Budget): Promise<Bytes | undefined> {
  if (isKind(value, 'raw') && !value.isText) return slice(bytes, value.offset, value.length);
  if (!isKind(value, 'result')) return undefined;
  const [first, second] = value.args;
  switch (importName(value.callee)) {
    case 'builtins.bytearray':
    case 'builtins.bytes':
      return value.args.length === 1 ? contentOf(first, bytes, budget) : undefined;
    // Protocol 2 writes bytes this way.
    case '_codecs.encode': {
      const isLatin = second === 'latin1' || second === 'latin-1';
      const text = isLatin && value.args.length === 2 ? await textOf(first, bytes, budget) : undefined;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are all that Latin 1 has.
      return text !== undefined && /^[\x00-\xff]*$/.test(text) ? inMemory(Buffer.from(text, 'latin1')) : undefined;
    }
    default:
      return undefined;
  }
}

async function textOf(value: Value | undefined, bytes: Bytes, budget: Budget): Promise<string | undefined> {
  if (typeof value === 'string') {
    budget.hold(value.length);
    return value;
  }
  if (!isKind(value, 'raw') || !value.isText || value.isEncoded || value.length > LONGEST_TEXT) return undefined;
  budget.hold(2 * value.length);
  return (await bytes.read(value.offset, value.length)).toString('utf8');
}

/** True if the function is used as anything but a callee, since whatever holds it may call it later. */
function isUsedAsValue({ value, calls, states, persistent }: Pickle): boolean {
  const entered = new Set<Value>();
  const waiting: (Value | undefined)[] = [
    value,
    ...states,
    ...persistent.map(({ id }) => id),
    ...calls.flatMap(({ args, items = [], entries = [], state }) => [...args, ...items, ...entries.flat(), state]),
  ];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (importName(next) === LOAD_FROM_BYTES) return true;
    if (typeof next !== 'object' || next === null || entered.has(next)) continue;
    entered.add(next);
    if (isKind(next, 'list') || isKind(next, 'tuple')) for (const item of next.items) waiting.push(item);
    if (isKind(next, 'dict')) for (const entry of next.entries) waiting.push(...entry);
  }
  return false;
}
