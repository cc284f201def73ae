/**
 * The files of one `gpu-doctor check`, which any number of threads read. Few of them must be parsed. The first thread
 * checks these; the others help if there are enough of them to make up for compiling the checker in each thread.
 */
import { dirname } from 'node:path';
import { createCheckpointCache } from '../checkpoint/checkpointCache.ts';
import { openCache } from '../files/cache.ts';
import { createProjects } from '../projectIndex/projects.ts';
import type { Knowledge } from '../rules/engine/contract.ts';
import { findLineLengths } from '../settings/lineLength.ts';
import { findRequirements } from '../settings/requirements.ts';
import { choiceOf, optionsFor } from '../settings/settings.ts';
import { accessTo } from './access.ts';
import {
  type Action,
  type CachedResult,
  type Checked,
  checkFile,
  type FileJob,
  isUnjudged,
  judgeFile,
  LEFT,
  lookAt,
} from './checkFile.ts';
import { type Overrides, projectSettings } from './projectSettings.ts';

/** The input of all threads. It can be sent to a thread. */
export interface CheckTask {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** The files that were named on the command line. */
  readonly named: ReadonlySet<string>;
  /** The named folders: each is a project, unless something marks another root. */
  readonly folders: readonly string[];
  readonly action: Action;
  readonly unsafe: boolean;
  readonly changesHints: boolean;
  /** True if hints are requested, otherwise only their number. */
  readonly hints: boolean;
  readonly overrides: Overrides;
  readonly known: Knowledge;
  /** The only folders from which checkpoints are read; all folders if absent. */
  readonly readable?: readonly string[] | undefined;
  /** Absent without caching between runs. */
  readonly cache?: { readonly folder: string; readonly writer: string };
  readonly state: SharedState;
}

/** The progress of the work, in memory shared by all threads. */
export interface SharedState {
  /** One of `STAGES` for each file. */
  readonly stages: Uint8Array;
  /** Indexed by `COUNTS`, followed by the current file's index for each thread. */
  readonly counts: Int32Array;
}

/** A file's stages, starting with the initial state of memory. */
export const STAGES = { unseen: 0, worthJudging: 1, taken: 2, settled: 3, left: 4 } as const;

/** Files that were read, files that wait to be checked, and kilobytes of all files that must be checked. */
const COUNTS = { seen: 0, waiting: 1, worthJudging: 2, perThread: 3 } as const;

/** Kilobytes that other threads check while one more warms up. */
const KILOBYTES_A_THREAD = 3000;

export function sharedState(files: number, threads: number): SharedState {
  return {
    stages: new Uint8Array(new SharedArrayBuffer(files)),
    counts: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (COUNTS.perThread + threads))),
  };
}

/** The index of the file that a thread is working on. */
export function whereabouts({ counts }: SharedState, thread: number): number {
  return Atomics.load(counts, COUNTS.perThread + thread);
}

/** The result of a file by its index. */
export type Settled = readonly [index: number, ...Checked];

/** Works until no file is left for this thread. `thread` counts from 0. */
export async function workThrough(
  { files, state }: CheckTask,
  thread: number,
  jobFor: JobFor,
  handIn: (settled: Settled) => void,
): Promise<void> {
  const { stages, counts } = state;
  // Only the first thread has the project's index: building it again takes longer than checking a file twice.
  const isFirst = thread === 0;
  const wait = (index: number, stage: Waiting) => {
    Atomics.store(stages, index, stage);
    Atomics.add(counts, COUNTS.waiting, 1);
  };
  const settle = (index: number, outcome: Awaited<ReturnType<typeof checkFile>>) => {
    if (outcome === LEFT) wait(index, STAGES.left);
    else handIn([index, ...outcome]);
  };
  const jobAt = async (index: number): Promise<FileJob> => {
    Atomics.store(counts, COUNTS.perThread + thread, index);
    return { ...(await jobFor(files[index] as string)), leavesProject: !isFirst };
  };
  const judgeWaiting = async () => {
    for (;;) {
      let index = isFirst ? takeWaiting(state, STAGES.left) : -1;
      if (index < 0) index = takeWaiting(state, STAGES.worthJudging);
      if (index < 0) break;
      settle(index, await checkFile({ ...(await jobAt(index)), isWorthParsing: true }));
    }
  };
  const isWarm = () => isFirst || Atomics.load(counts, COUNTS.worthJudging) >= thread * KILOBYTES_A_THREAD;
  for (;;) {
    if (isFirst) await judgeWaiting();
    const index = Atomics.add(counts, COUNTS.seen, 1);
    if (index >= files.length) break;
    const job = await jobAt(index);
    const looked = lookAt(job);
    if (!isUnjudged(looked)) {
      settle(index, looked);
      continue;
    }
    Atomics.add(counts, COUNTS.worthJudging, Math.ceil(looked.bytes.length / 1000));
    if (isWarm()) settle(index, await judgeFile(job, looked));
    else wait(index, STAGES.worthJudging);
  }
  if (isWarm()) await judgeWaiting();
}

/** The stages of waiting files: for any thread, or for the first. */
type Waiting = typeof STAGES.worthJudging | typeof STAGES.left;

/** The index of a waiting file that no other thread has taken; -1 if there is none. */
function takeWaiting({ stages, counts }: SharedState, stage: Waiting): number {
  if (Atomics.load(counts, COUNTS.waiting) === 0) return -1;
  for (let index = stages.indexOf(stage); index >= 0; index = stages.indexOf(stage, index)) {
    if (Atomics.compareExchange(stages, index, stage, STAGES.taken) !== stage) continue;
    Atomics.sub(counts, COUNTS.waiting, 1);
    return index;
  }
  return -1;
}

export type JobFor = (path: string) => Promise<FileJob>;

/** Returns everything needed to check each file. */
export async function jobsOf({
  named,
  action,
  unsafe,
  hints,
  changesHints,
  overrides,
  known,
  readable,
  cache,
  folders,
}: CheckTask): Promise<JobFor> {
  const settingsIn = await projectSettings(overrides);
  const checkpoints = createCheckpointCache(readable && accessTo(readable).mayRead);
  const requirements = findRequirements();
  const lineLengths = findLineLengths();
  const projects = createProjects(folders);
  const kept = cache && openCache<CachedResult>(cache.folder, cache.writer);
  return async (path) => {
    const folder = dirname(path);
    const [settings, required, lineLength] = await Promise.all([
      settingsIn(folder),
      requirements.requirementsIn(folder),
      lineLengths.lineLengthIn(folder),
    ]);
    const words = settings.loaders.map(({ name }) => name.slice(name.lastIndexOf('.') + 1));
    const options = { ...optionsFor(settings, path, folders), known: { ...known, ...required, lineLength } };
    const wantsHints = hints || settings.baseline !== undefined;
    return {
      path,
      isNamed: named.has(path) || choiceOf(settings, path) === 'included',
      action,
      unsafe,
      changesHints,
      hints: wantsHints,
      options,
      words,
      checkpoints,
      projects,
      cache: kept,
    };
  };
}
