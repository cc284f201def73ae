/** Checks the files below paths, in several threads. */
import { globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, extname, join, parse, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { openCache, writerOf } from '../files/cache.ts';
import { type ChoicesIn, findFiles } from '../files/findFiles.ts';
import { shownPath } from '../files/paths.ts';
import { Trouble } from '../files/trouble.ts';
import type { TextFacts } from '../projectIndex/textFacts.ts';
import type { UncheckedFile } from '../report/uncheckedFile.ts';
import { ConfigurationError } from '../settings/configuration.ts';
import { choiceOf } from '../settings/settings.ts';
import { accessTo } from './access.ts';
import type { ChangedLines } from './changes.ts';
import { type CachedResult, type Checked, checkFile, type FileResult, NO_RESULT } from './checkFile.ts';
import {
  type CheckTask,
  type JobFor,
  jobsOf,
  type Settled,
  STAGES,
  sharedState,
  whereabouts,
  workThrough,
} from './checkTask.ts';
import type { FromCheckThread, WorkerStart } from './checkWorker.ts';
import { progressOn } from './progress.ts';
import { projectSettings, type SettingsIn } from './projectSettings.ts';
import { writeError } from './standardError.ts';
import { UsageError } from './usage.ts';
import { version } from './version.ts';

export interface PathsOptions
  extends Pick<CheckTask, 'action' | 'unsafe' | 'changesHints' | 'hints' | 'overrides' | 'known' | 'readable'> {
  /** Number of threads, including this one. */
  readonly jobs: number;
  /** True if results are cached between runs. */
  readonly isCached: boolean;
  /** True to skip files that the project excludes even if they were named on the command line. */
  readonly forceExclude: boolean;
  /** True to print only findings and errors. */
  readonly isQuiet: boolean;
  /** Report only findings on lines that changed since this Git revision, and only in changed files. */
  readonly since?: string | undefined;
}

export interface FileOutcome extends FileResult {
  /** Absolute paths of the files that could be checked, of the named folders, and of all visited ones. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly watchable: readonly string[];
  readonly unchecked: readonly UncheckedFile[];
  /** Sentences about files with syntax errors, whose other parts were checked. */
  readonly warnings: readonly string[];
}

/**
 * The number of threads by default. Beside each one, others compile its code and collect its garbage: on two cores, a
 * second one costs a third more CPU time and more memory, and wins nothing.
 */
export const defaultJobs = (): number => Math.max(1, Math.floor(availableParallelism() / 2));

/** Starting another thread takes about as long as reading this many files. */
const FILES_A_THREAD = 128;

/** Megabytes of each half of a thread's young generation, which has three such parts. */
const YOUNG_MB = 16;

/** Milliseconds before progress is shown, and between updates. */
const PATIENCE = 400;
const BEAT = 80;

/** Checks the files; the result does not depend on the number of threads. Throws a `ConfigurationError`. */
export async function checkPaths(paths: readonly string[], options: PathsOptions): Promise<FileOutcome> {
  const settingsIn = await projectSettings(options.overrides);
  const unusable = new Map<string, ConfigurationError>();
  /** The settings of a folder; undefined, after noting why, if their file cannot be used. */
  const usableIn = (folder: string) =>
    settingsIn(folder).catch((error) => {
      if (!(error instanceof ConfigurationError)) throw error;
      unusable.set(error.path, error);
      return undefined;
    });
  const choicesIn: ChoicesIn = async (folder) => {
    const settings = await usableIn(folder);
    return (path) => (settings === undefined ? 'byName' : choiceOf(settings, path));
  };
  const { files: found, folders: walked, troubles } = await findFiles(paths, choicesIn);
  const excluded = await Promise.all(
    found.map(async (path) => options.forceExclude && (await choicesIn(dirname(path)))(path) === 'excluded'),
  );
  const mayRead = options.readable ? accessTo(options.readable).mayRead : () => true;
  const wanted = found.filter((path, index) => !excluded[index] && mayRead(path));
  const changes = options.since === undefined ? undefined : await changesSince(options.since, wanted);
  const configured: string[] = [];
  for (const path of wanted) if (await usableIn(dirname(path))) configured.push(path);
  const files = changes ? configured.filter(changes.has) : configured;
  const unchecked: UncheckedFile[] = [
    ...[...unusable.values()].flatMap(({ path: filename, problems }) =>
      problems.map(({ message, line: row, column }) => ({ filename, message, location: { row, column } })),
    ),
    ...troubles.map(({ path, message }) => ({ filename: resolve(path), message: `${shownPath(path)} ${message}` })),
  ];
  if (wanted.length === 0 && unchecked.length === 0 && !options.isQuiet)
    writeError('No Python files, notebooks or environment files found.\n');
  const folders = paths.map((path) => resolve(path)).filter(isFolder);
  const named = new Set(paths.map((path) => resolve(path)));
  const results = await judgeAll(files, { folders, named }, options, settingsIn);
  files.forEach((path, index) => {
    for (const clause of results[index]?.troubles ?? [])
      unchecked.push({ filename: path, message: `${shownPath(path)} ${clause}` });
  });
  const all = results.filter((result) => result !== undefined);
  const problems = all.flatMap(({ problems }) => problems);
  return {
    files: files.filter((_, index) => (results[index]?.troubles.length ?? 0) === 0),
    folders,
    watchable: [...new Set([...walked, ...wanted.map(dirname)])],
    problems: changes ? problems.filter(({ filename, fileRows }) => changes.touches(filename, fileRows)) : problems,
    hidden: all.reduce((sum, { hidden }) => sum + hidden, 0),
    troubles: [],
    warnings: files.flatMap((path, index) => {
      const clause = results[index]?.misparsed;
      return clause === undefined ? [] : [`${shownPath(path)}:${clause}`];
    }),
    fixed: all.reduce((sum, { fixed }) => sum + fixed, 0),
    diff: all.map(({ diff }) => diff).join(''),
    unchecked,
  };
}

/** The changes since a revision. Throws a `UsageError` if they cannot be determined. */
async function changesSince(revision: string, files: readonly string[]): Promise<ChangedLines> {
  const [{ findChanges }, { thisMachine }] = await Promise.all([
    import('./changes.ts'),
    import('../stack/machine/machine.ts'),
  ]);
  try {
    return await findChanges(revision, files, thisMachine());
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    throw new UsageError(`\`--since ${revision}\` ${error.message}`);
  }
}

/** A result for each file with something to report, at the file's index. */
async function judgeAll(
  files: readonly string[],
  { folders, named }: Pick<CheckTask, 'folders' | 'named'>,
  { action, unsafe, hints, changesHints, jobs, isCached, overrides, known, readable }: PathsOptions,
  settingsIn: SettingsIn,
): Promise<(FileResult | undefined)[]> {
  const threads = Math.max(1, Math.min(jobs, Math.ceil(files.length / FILES_A_THREAD)));
  const task: CheckTask = {
    files,
    named,
    folders,
    action,
    unsafe,
    hints,
    changesHints,
    overrides,
    known,
    readable,
    cache: isCached ? { folder: await projectFolder(settingsIn), writer: thisBuild() } : undefined,
    state: sharedState(files.length, threads),
  };
  const cache = task.cache && openCache<CachedResult>(task.cache.folder, task.cache.writer);
  const results: (FileResult | undefined)[] = [];
  const keep = ([index, result, key]: Settled) => {
    results[index] = result;
    if (key === undefined) return;
    const { problems, hidden, misparsed, project, absent } = result;
    cache?.put(files[index] ?? '', key, { problems, hidden, misparsed, project, absent });
  };
  // Most of the memory used for a file becomes garbage as soon as the file is checked: with a large young generation,
  // hardly any of it is ever copied. The young generation of this thread has four megabytes by now and grows at once, but
  // no further; those of the other threads start large. The rest is collected before it takes twice its size.
  setFlagsFromString(`--semi-space-growth-factor=${YOUNG_MB / 4}`);
  setFlagsFromString(`--min-semi-space-size=${YOUNG_MB}`);
  setFlagsFromString('--heap-growing-percent=100');
  const facts = new Map<string, TextFacts>();
  const others = Array.from({ length: threads - 1 }, (_, index) => startThread({ task, thread: index + 1 }, keep));
  const showProgress = progressOf(task);
  const jobFor = await jobsOf(task, facts);
  const handIn = (settled: Settled) => {
    keep(settled);
    task.state.stages[settled[0]] = STAGES.settled;
    showProgress(settled[0]);
  };
  await workThrough(task, 0, jobFor, handIn, async () => {
    setFlagsFromString('--semi-space-growth-factor=1');
    // A thread that is still starting has read nothing.
    const reading = others.filter((_, index) => whereabouts(task.state, index + 1) >= 0);
    for (const found of await Promise.all(reading.map(({ facts }) => facts)))
      for (const [path, known] of found) facts.set(path, known);
    for (const { worker } of others) worker.postMessage(facts);
  });
  const fallen = (await Promise.all(others.map(({ end }) => end))).filter((thread) => thread !== undefined);
  await judgeLeft(task, jobFor, fallen, keep);
  progressOn(process.stderr).clear();
  cache?.save();
  return results;
}

interface Thread {
  readonly worker: Worker;
  /** The facts in the texts that it read; none if it crashed. */
  readonly facts: Promise<ReadonlyMap<string, TextFacts>>;
  /** Its number after it ended, if it crashed. */
  readonly end: Promise<number | undefined>;
}

function startThread(start: WorkerStart, keep: (settled: Settled) => void): Thread {
  const worker = new Worker(ENTRY, { workerData: start, resourceLimits: { maxYoungGenerationSizeMb: 3 * YOUNG_MB } });
  const facts = new Promise<ReadonlyMap<string, TextFacts>>((resolve) => {
    worker.on('message', (message: FromCheckThread) => {
      if ('get' in message) resolve(message);
      else message.forEach(keep);
    });
    worker.on('exit', () => resolve(new Map()));
  });
  // Running out of memory is the only failure that escapes checking a file.
  worker.on('error', () => {});
  const end = new Promise<number | undefined>((resolve) => {
    worker.on('exit', (code) => resolve(code === 0 ? undefined : start.thread));
  });
  return { worker, facts, end };
}

/** Checks files that threads left behind, except those that crashed a thread. */
async function judgeLeft(
  { files, state }: CheckTask,
  jobFor: JobFor,
  fallen: readonly number[],
  keep: (settled: Settled) => void,
): Promise<void> {
  if (state.stages.every((stage) => stage === STAGES.settled)) return;
  const culprits = new Set(fallen.map((thread) => whereabouts(state, thread)));
  for (const [index, path] of files.entries()) {
    if (state.stages[index] === STAGES.settled) continue;
    const clause = 'made GPU Doctor run out of memory; please report this';
    const job = await jobFor(path);
    const checked: Checked = culprits.has(index) ? [{ ...NO_RESULT, troubles: [clause] }] : await checkFile(job);
    keep([index, ...checked]);
  }
}

function progressOf({ files, state: { stages } }: CheckTask): (index: number) => void {
  const progress = progressOn(process.stderr);
  let next = performance.now() + PATIENCE;
  return (index) => {
    const now = performance.now();
    if (now < next) return;
    next = now + BEAT;
    const settled = stages.reduce((sum, stage) => sum + Number(stage === STAGES.settled), 0);
    progress.show(settled, files.length, shownPath(files[index] ?? ''));
  };
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The folder of the configuration here, otherwise the current one. */
async function projectFolder(settingsIn: SettingsIn): Promise<string> {
  const here = process.cwd();
  const { folder } = await settingsIn(here).catch(() => ({ folder: here }));
  return folder === parse(folder).root ? here : folder;
}

const isBundled = extname(import.meta.filename) !== '.ts';

/** The program's own entry file, which the other threads also run. */
const ENTRY = isBundled ? join(import.meta.dirname, 'cli.js') : join(import.meta.dirname, '..', 'cli.ts');

function thisBuild(): string {
  if (isBundled) return writerOf(version, [import.meta.filename]);
  const sources = join(import.meta.dirname, '..');
  return writerOf(
    version,
    globSync('**/*.{ts,yaml}', { cwd: sources }).map((name) => join(sources, name)),
  );
}
