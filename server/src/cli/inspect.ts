import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import { elementsOf } from '../checkpoint/dtypes.ts';
import { CHECKPOINT_SUFFIXES } from '../checkpoint/names.ts';
import { NEWEST_TORCH } from '../checkpoint/pickle/allowList.ts';
import { readCheckpoint } from '../checkpoint/read.ts';
import { blockersUnder, loads } from '../checkpoint/weightsOnly.ts';
import { shownPath } from '../project/paths.ts';
import { describeSystemError } from '../project/trouble.ts';
import { checkpointText } from '../report/checkpoint.ts';
import { paintFor } from '../report/paint.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { readArguments, UsageError } from './usage.ts';

const HELP = `Show what is inside checkpoints: tensors, devices, and whether loading them runs code. Nothing in them is run.

Usage: gpu-doctor inspect PATH... [options]

PATH is a file of PyTorch, safetensors, Keras or GGUF, an index of several files, a pickle, a SavedModel folder, or a
folder, which is walked for files named like these.

Options:
  --json       Print all as JSON
  -h, --help   Show this help

Exit status: 0 when no file has a problem, 1 when one has, 2 when one could not be read.
`;

/** `gpu-doctor inspect`: prints what is inside checkpoints, and returns the exit status. */
export async function inspect(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.length === 0) throw new UsageError('`inspect` needs a path: see `gpu-doctor inspect --help`');
  const paint = paintFor(process.stdout);
  const all: object[] = [];
  let status = 0;
  for (const path of positionals)
    for await (const file of filesAt(path)) {
      try {
        const checkpoint = await readCheckpoint(file);
        if (checkpoint.problems.length > 0) status = Math.max(status, FOUND);
        // Each is shown as soon as it is read: of a folder of many that is the progress.
        if (values.json) all.push(jsonOf(file, checkpoint));
        else process.stdout.write(`${checkpointText(shownPath(file), checkpoint, paint)}\n`);
      } catch (error) {
        process.stderr.write(`error: ${shownPath(file)} ${describeSystemError(error)}\n`);
        status = FAILED;
      }
    }
  if (values.json) process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  return status;
}

function jsonOf(path: string, checkpoint: Checkpoint): object {
  const { format, size, writtenBy, devices, opcodes: _, ...rest } = checkpoint;
  const parameters = rest.tensors.reduce((sum, { shape }) => sum + elementsOf(shape), 0);
  const weightsOnly = weightsOnlyOf(checkpoint);
  return {
    path,
    format,
    size,
    writtenBy: writtenBy ?? null,
    devices: devices ?? null,
    parameters,
    weightsOnly,
    ...rest,
  };
}

/** Whether the file loads with `weights_only=True` under the newest torch that is known, and what keeps it from it. */
function weightsOnlyOf(checkpoint: Checkpoint): object | null {
  const blockers = blockersUnder(checkpoint, NEWEST_TORCH);
  if (!blockers) return null;
  const { globals, opcodes, canBeAllowed } = blockers;
  return { torch: NEWEST_TORCH, loads: loads(blockers), globals, opcodes, canBeAllowed };
}

/** A path that is a checkpoint itself, or the files in a folder that are named like one. */
async function* filesAt(path: string): AsyncGenerator<string> {
  const names = await namesIn(path);
  if (!names || names.includes('saved_model.pb')) {
    yield path;
    return;
  }
  const isNamedSo = new RegExp(`\\.(${CHECKPOINT_SUFFIXES.join('|')}|index\\.json)$`, 'i');
  let found = false;
  for (const name of names.filter((each) => isNamedSo.test(each))) {
    found = true;
    yield join(path, name);
  }
  if (!found) process.stderr.write(`No checkpoints found in ${shownPath(path)}.\n`);
}

/** The files below a folder, sorted; undefined for what is none. */
async function namesIn(path: string): Promise<string[] | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return undefined;
    return (await readdir(path, { recursive: true }))
      .filter((name) => !/(^|[\\/])(\.git|node_modules)[\\/]/.test(name))
      .sort();
  } catch {
    return undefined;
  }
}
