/**
 * The files of one `gpu-doctor check`, shared by any number of threads. Usually only a few files need parsing, and the
 * first thread checks those. The other threads join if there are enough files to offset compiling the checker in each.
 */
import { dirname } from 'node:path';
import { createCheckpointCache } from '../checkpoint/checkpointCache.ts';
import { openCache } from '../files/cache.ts';
import { createProjects } from '../projectIndex/projects.ts';
import type { TextFacts } from '../projectIndex/textFacts.ts';
import type { Knowledge } from '../rules/engine/contract.ts';
import { findLineLengths } from '../settings/lineLength.ts';
import { findRequirements } from '../settings/requirements.ts';
import { choiceOf, optionsFor } from '../settings/settings.ts';
import { accessTo } from './access.ts';
import {
  type CachedResult,
  type Checked,
  checkFile,
  type FileAction,
  type FileJob,
  isUnjudged,
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
  readonly action: FileAction;
  /** True to also apply fixes that may change what a program does. */
  readonly unsafe: boolean;
  /** True to also suppress hints and fix them unsafely. */
  readonly changesHints: boolean;
  /** True if hints are requested, otherwise only their number. */
  readonly hints: boolean;
  readonly overrides: Overrides;
  readonly known: Knowledge;
  /** The only folders from which files and checkpoints are read, after links are followed; all folders if absent. */
  readonly readable?: readonly string[] | undefined;
  /** Absent without caching between runs. */
  readonly cache?: { readonly folder: string; readonly writer: string };
  readonly state: SharedState;
}

/** The progress of the work, in memory shared by all threads. */
interface SharedState {
  /** One of `STAGES` for each file. */
  readonly stages: Uint8Array;
  /** Indexed by `COUNTS`, followed by the current file's number for each thread, counted from 1. */
  readonly counts: Int32Array;
}

/** A file's stages, starting with the initial state of memory. */
export const STAGES = { unseen: 0, worthJudging: 1, taken: 2, settled: 3 } as const;

/** Files that were read, and kilobytes of all files that must be checked. */
const COUNTS = { seen: 0, worthJudging: 1, perThread: 2 } as const;

/** Kilobytes that other threads check while one more warms up. */
const KILOBYTES_A_THREAD = 3000;

export function sharedState(files: number, threads: number): SharedState {
  return {
    stages: new Uint8Array(new SharedArrayBuffer(files)),
    counts: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (COUNTS.perThread + threads))),
  };
}

/** The index of the file that a thread is working on; -1 if it has taken none. */
export function whereabouts({ counts }: SharedState, thread: number): number {
  return Atomics.load(counts, COUNTS.perThread + thread) - 1;
}

/** The result of a file by its index. */
export type Settled = readonly [index: number, ...Checked];

/**
 * Works until no file is left for this thread. `thread` counts from 0. Each file is read first, for what its text shows
 * to other files; `share` exchanges that with the other threads, and then each file can be checked by any thread.
 */
export async function workThrough(
  { files, state }: CheckTask,
  thread: number,
  jobFor: JobFor,
  handIn: (settled: Settled) => void,
  share: () => Promise<void>,
): Promise<void> {
  const { stages, counts } = state;
  const jobAt = (index: number): Promise<FileJob> => {
    Atomics.store(counts, COUNTS.perThread + thread, index + 1);
    return jobFor(files[index] as string);
  };
  for (;;) {
    const index = Atomics.add(counts, COUNTS.seen, 1);
    if (index >= files.length) break;
    const looked = lookAt(await jobAt(index));
    if (!isUnjudged(looked)) {
      handIn([index, ...looked]);
      continue;
    }
    Atomics.add(counts, COUNTS.worthJudging, Math.ceil(looked.bytes.length / 1000));
    Atomics.store(stages, index, STAGES.worthJudging);
  }
  await share();
  if (Atomics.load(counts, COUNTS.worthJudging) < thread * KILOBYTES_A_THREAD) return;
  for (let index = takeWaiting(state, thread); index >= 0; index = takeWaiting(state, thread))
    handIn([index, ...(await checkFile({ ...(await jobAt(index)), isWorthParsing: true }))]);
}

/**
 * The index of a file to be checked that no other thread has taken; -1 if there is none. Each thread begins in another
 * part of the list, because neighbors import the same files, which every thread parses for itself.
 */
function takeWaiting({ stages, counts }: SharedState, thread: number): number {
  const { worthJudging, taken } = STAGES;
  const threads = counts.length - COUNTS.perThread;
  const start = Math.floor((stages.length * thread) / threads);
  const next = (from: number) => {
    const index = stages.indexOf(worthJudging, from);
    return index < 0 ? stages.indexOf(worthJudging) : index;
  };
  for (let index = next(start); index >= 0; index = next(index))
    if (Atomics.compareExchange(stages, index, worthJudging, taken) === worthJudging) return index;
  return -1;
}

export type JobFor = (path: string) => Promise<FileJob>;

/** Returns everything needed to check each file. Collects what the texts show to other files in `facts`. */
export async function jobsOf(task: CheckTask, facts: Map<string, TextFacts>): Promise<JobFor> {
  const { named, overrides, known, readable, cache, folders } = task;
  const settingsIn = await projectSettings(overrides);
  const checkpoints = createCheckpointCache(readable && accessTo(readable).mayRead);
  const requirements = findRequirements();
  const lineLengths = findLineLengths();
  const projects = createProjects(folders, facts);
  const kept = cache && openCache<CachedResult>(cache.folder, cache.writer);
  return async (path) => {
    const folder = dirname(path);
    const [settings, required, lineLength] = await Promise.all([
      settingsIn(folder),
      requirements.of(folder),
      lineLengths.of(folder),
    ]);
    const words = settings.loaders.map(({ name }) => name.slice(name.lastIndexOf('.') + 1));
    const options = { ...optionsFor(settings, path, folders), known: { ...known, ...required, lineLength } };
    return {
      ...task,
      path,
      isNamed: named.has(path) || choiceOf(settings, path) === 'included',
      hints: task.hints || settings.baseline !== undefined,
      options,
      words,
      checkpoints,
      projects,
      facts,
      cache: kept,
    };
  };
}
