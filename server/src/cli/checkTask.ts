/** The files of one `gpu-doctor check`, which any number of threads take one by one. */
import { dirname } from 'node:path';
import { createKnownCheckpoints } from '../checkpoint/knownCheckpoints.ts';
import { openCache } from '../project/cache.ts';
import { findRequirements } from '../project/requirements.ts';
import { optionsFor } from '../project/settings.ts';
import type { Knowledge } from '../rules/engine/contract.ts';
import { type Action, type CachedResult, checkFile, type FileResult } from './checkFile.ts';
import { type Overrides, projectSettings } from './projectSettings.ts';

/** What all threads are told. It can be sent to a thread. */
export interface CheckTask {
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly action: Action;
  /** Whether hints are wanted, or only their number. */
  readonly hints: boolean;
  readonly overrides: Overrides;
  readonly known: Knowledge;
  /** Absent where nothing is to be kept between runs. */
  readonly cache?: { readonly folder: string; readonly writer: string };
  /** Shared: how many files were taken so far, and then for each thread which one it is at. */
  readonly taken: Int32Array;
  /** Shared: for each file whether its result has been handed in. */
  readonly settled: Uint8Array;
}

/** The result of a file by its index, and the key under which it may be kept. */
export type Settled = readonly [index: number, result: FileResult, key?: string];

/** Takes files until there are none left. `thread` counts from 0. */
export async function workThrough(task: CheckTask, thread: number, handIn: (settled: Settled) => void): Promise<void> {
  const { files, taken } = task;
  const judge = await createJudge(task);
  for (;;) {
    const index = Atomics.add(taken, 0, 1);
    const path = files[index];
    if (path === undefined) return;
    Atomics.store(taken, 1 + thread, index);
    handIn([index, ...(await judge(path))]);
  }
}

type Judge = (path: string) => Promise<[result: FileResult, key?: string]>;

/** Judges files one after another. */
export async function createJudge({ action, hints, overrides, known, cache }: CheckTask): Promise<Judge> {
  const settingsIn = await projectSettings(overrides);
  const checkpoints = createKnownCheckpoints();
  const requirements = findRequirements();
  const kept = cache && openCache<CachedResult>(cache.folder, cache.writer);
  return async (path) => {
    const folder = dirname(path);
    const [settings, required] = await Promise.all([settingsIn(folder), requirements.requirementsIn(folder)]);
    const words = settings.loaders.map(({ name }) => name.slice(name.lastIndexOf('.') + 1));
    const options = { ...optionsFor(settings, path), known: { ...known, ...required } };
    return checkFile({ path, action, hints, options, words, checkpoints, cache: kept });
  };
}
