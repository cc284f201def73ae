import { type Bytes, slice } from './bytes.ts';
import type { Checkpoint, Safety } from './checkpoint.ts';
import { interpretPickle, type Pickle } from './pickle/interpret.ts';
import { embeddedIn, storagesOf, tensorsOf } from './pickle/tensors.ts';
import { isTorchLegacy, legacyPickles } from './torchLegacy.ts';
import { describeUnpickled } from './unpickled.ts';

/** Checkpoints within checkpoints are followed so far. */
const DEEPEST = 3;

/** A pickle of any program. Tensors in it are checkpoints of their own, which PyTorch loads from within. */
export async function readPlainPickle(bytes: Bytes): Promise<Checkpoint> {
  const main = await interpretPickle(bytes);
  const embedded = await embeddedPickles(bytes, main, DEEPEST);
  const all = [main, ...embedded.pickles];
  const storages = all.map(storagesOf);
  const known = storages.every((each) => each !== undefined) ? storages.flat() : undefined;
  const checkpoint = describeUnpickled({
    format: 'pickle',
    size: bytes.size,
    main: embedded.isWhole ? main : { ...main, trouble: main.trouble ?? 'holds a checkpoint that could not be read' },
    others: embedded.pickles,
    storages: known && known.length > 0 ? known : undefined,
  });
  return {
    ...checkpoint,
    opcodes: undefined,
    safety: withoutTorch(checkpoint.safety),
    tensors: [...checkpoint.tensors, ...embedded.pickles.flatMap(({ value }) => tensorsOf(value))],
  };
}

/** `torch.load` does not read such a file, so what its `weights_only` would say does not matter. */
function withoutTorch(safety: Safety): Safety {
  if (safety.verdict !== 'weights-only' && safety.verdict !== 'refused') return safety;
  return {
    verdict: 'refused',
    reason: 'All that unpickling it imports is harmless. `torch.load` does not read such a pickle.',
  };
}

interface Embedded {
  readonly pickles: readonly Pickle[];
  /** False when there is one that could not be read. */
  readonly isWhole: boolean;
}

async function embeddedPickles(bytes: Bytes, pickle: Pickle, depth: number): Promise<Embedded> {
  const pickles: Pickle[] = [];
  let isWhole = true;
  for (const { offset, length } of embeddedIn(pickle)) {
    const part = slice(bytes, offset, length);
    if (depth === 0 || !(await isTorchLegacy(part))) {
      isWhole = false;
      continue;
    }
    const { object } = await legacyPickles(part);
    const deeper = await embeddedPickles(part, object, depth - 1);
    pickles.push(object, ...deeper.pickles);
    isWhole &&= deeper.isWhole;
  }
  return { pickles, isWhole };
}
