import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { withDoubts, withSafety } from '../doubts.ts';
import { readTarMembers } from '../encodings/tar.ts';
import { judgeInnerFiles, type ReadInner } from '../innerFiles.ts';
import { unreadCheckpoint } from '../unreadCheckpoint.ts';
import { isNemo, isReadByNemo, readNemo } from './nemo/nemo.ts';
import { isTorchTar, readTorchTar } from './torch/tar.ts';

/** Reads a tar archive as a PyTorch 0.1 file or a NeMo model if it is one; otherwise reads it member by member. */
export async function readTar(bytes: Bytes, budget: Budget, readInner: ReadInner): Promise<Checkpoint> {
  const { members, doubts } = await readTarMembers(bytes);
  const isTorch = isTorchTar(members);
  const isOfNemo = !isTorch && isNemo(members);
  const others = [...members].filter(([name]) => {
    if (isTorch) return !TORCH_MEMBERS.includes(name);
    return !isOfNemo || !isReadByNemo(name, members);
  });
  const { safeties, imports, hasCheckpoint } = await judgeInnerFiles(
    others.map(([name, content]) => ({ name, open: async () => content })),
    readInner,
  );
  const checkpoint = isTorch
    ? await readTorchTar(bytes.size, members, budget)
    : isOfNemo
      ? await readNemo(bytes.size, members, budget, readInner)
      : unreadCheckpoint('tar', bytes.size, hasCheckpoint ? UNPACK : NO_CHECKPOINT);
  return withDoubts(withSafety(checkpoint, safeties, imports), doubts);
}

const TORCH_MEMBERS: readonly string[] = ['sys_info', 'pickle', 'tensors', 'storages'];
const NO_CHECKPOINT = 'It is a tar archive without a checkpoint in it.';
const UNPACK = 'It is a tar archive with checkpoints in it: unpack it to load them.';
