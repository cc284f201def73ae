import { createBudget } from '../checkpoint/budget.ts';
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import { compareCheckpoints, isSameModel } from '../checkpoint/compare.ts';
import { isCheckpointFormat } from '../checkpoint/formats/index.ts';
import { isRemote, readAnywhere } from '../checkpoint/remote.ts';
import { shownPath } from '../files/paths.ts';
import { describeSystemError } from '../files/trouble.ts';
import { printableJson } from '../printable.ts';
import { type CheckpointComparisonReport, comparisonText } from '../report/checkpointComparison.ts';
import { cutTo, MOST_CHARACTERS } from '../report/cut.ts';
import type { Paint } from '../report/paint.ts';
import { FAILED, FOUND } from './exitStatus.ts';
import { writeError } from './standardError.ts';

interface Options {
  readonly json: boolean;
  readonly all: boolean;
  /** Factor by which the usual limits of an inspection are multiplied. */
  readonly factor: number;
  readonly paint: Paint;
}

/**
 * `inspect A --compare B`: prints the differences between the models of two checkpoints, and returns the exit status.
 */
export async function compareFiles(
  paths: readonly [string, string],
  { json, all, factor, paint }: Options,
): Promise<number> {
  const shown = paths.map((path) => (isRemote(path) ? path : shownPath(path))) as [string, string];
  const checkpoints: Checkpoint[] = [];
  for (const [index, path] of paths.entries()) {
    const checkpoint = await read(path, shown[index] ?? path, factor);
    if (checkpoint) checkpoints.push(checkpoint);
  }
  const [first, second] = checkpoints;
  if (!first || !second) return FAILED;
  const comparison = compareCheckpoints(first, second);
  const isSame = isSameModel(comparison);
  if (json) {
    const { value, omitted } = cutTo({ paths, isSame, ...comparison }, 'missing', MOST_CHARACTERS * factor);
    const report: CheckpointComparisonReport = { ...value, omitted };
    process.stdout.write(`${printableJson(report, 2)}\n`);
  } else process.stdout.write(comparisonText(shown, comparison, paint, all));
  return isSame ? 0 : FOUND;
}

/** Reads one of the two; undefined, after an error message, if it is not a complete checkpoint. */
async function read(path: string, shown: string, factor: number): Promise<Checkpoint | undefined> {
  try {
    const checkpoint = await readAnywhere(path, createBudget(factor));
    if (isCheckpointFormat(checkpoint.format) && checkpoint.tensors.length > 0) return checkpoint;
    writeError(`error: ${shown} has no tensors to compare: ${checkpoint.problems[0] ?? 'none are in it.'}\n`);
  } catch (error) {
    writeError(`error: ${shown} ${describeSystemError(error)}\n`);
  }
  return undefined;
}
