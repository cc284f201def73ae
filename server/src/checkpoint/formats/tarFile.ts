import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { withDoubts, withSafety } from '../doubts.ts';
import { readTarMembers } from '../encodings/tar.ts';
import { judgeInnerFiles, type ReadInner } from '../innerFiles.ts';
import { unfinishedCheckpoint, unreadCheckpoint } from '../unreadCheckpoint.ts';
import { isNemo, isReadByNemo, readNemo } from './nemo/nemo.ts';

/** Reads a tar archive as a NeMo model if it is one; otherwise reads it member by member. */
export async function readTar(bytes: Bytes, budget: Budget, readInner: ReadInner): Promise<Checkpoint> {
  const { members, doubts } = await readTarMembers(bytes);
  const isOfNemo = isNemo(members);
  const others = [...members].filter(([name]) => !isOfNemo || !isReadByNemo(name, members));
  const { safeties, imports, hasCheckpoint } = await judgeInnerFiles(
    others.map(([name, content]) => ({ name, open: async () => content })),
    readInner,
  );
  const isOfTorch = OF_TORCH.every((name) => members.has(name));
  const checkpoint = isOfNemo
    ? await readNemo(bytes.size, members, budget, readInner)
    : isOfTorch
      ? unfinishedCheckpoint('torch-legacy', bytes.size, OLD_TORCH)
      : unreadCheckpoint('tar', bytes.size, hasCheckpoint ? UNPACK : NO_CHECKPOINT);
  return withDoubts(withSafety(checkpoint, safeties, imports), doubts);
}

const OF_TORCH: readonly string[] = ['sys_info', 'pickle', 'tensors', 'storages'];
const OLD_TORCH = 'has the format of PyTorch 0.1, which GPU Doctor does not read';
const NO_CHECKPOINT = 'It is a tar archive without a checkpoint in it.';
const UNPACK = 'It is a tar archive with checkpoints in it: unpack it to load them.';
