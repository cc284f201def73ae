import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint } from '../../checkpoint.ts';
import type { Pickle } from '../../pickle/interpret.ts';
import { type LegacyCheckpoint, readLegacy } from '../../pickle/legacy.ts';
import { describeUnpickled } from '../../unpickledFile.ts';

/**
 * Reads files written by `torch.save` before PyTorch 1.6, or with `_use_new_zipfile_serialization=False`. A file may
 * contain several checkpoints in sequence.
 */
export async function readTorchLegacy(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  const [first, ...more] = (await readAll(bytes, budget)) as [LegacyCheckpoint, ...LegacyCheckpoint[]];
  const end = (more.at(-1) ?? first).end;
  const problems: string[] = [];
  const doubts: string[] = [];
  if (end !== undefined && end > bytes.size)
    problems.push(`The file is cut off: ${end - bytes.size} bytes of its tensors are missing.`);
  if (end !== undefined && end < bytes.size) doubts.push(`it has ${bytes.size - end} bytes after its last tensor`);
  if (end === undefined) doubts.push('its storages do not match its list of them');
  const all = [first, ...more];
  const others: Pickle[] = all.flatMap(({ pickles }) => pickles).filter((pickle) => pickle !== first.object);
  const storages = all.map((each) => each.storages);
  return describeUnpickled({
    format: 'torch-legacy',
    size: bytes.size,
    writtenBy: first.bigEndian ? 'PyTorch, on a big-endian machine' : 'PyTorch',
    main: first.object,
    others,
    storages: storages.every((each) => each !== undefined) ? storages.flat() : undefined,
    problems,
    doubts,
  });
}

async function readAll(bytes: Bytes, budget: Budget): Promise<LegacyCheckpoint[]> {
  const found: LegacyCheckpoint[] = [];
  for (let start: number | undefined = 0; start !== undefined && start < bytes.size; start = found.at(-1)?.end) {
    const next = await readLegacy(bytes, start, budget);
    if (!next) break;
    found.push(next);
  }
  return found;
}
