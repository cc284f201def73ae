/** Runs parts of the test suite and reports the results. */
import { existsSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec as Spec, type TestEvent } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { onExit } from 'signal-exit';
import { LAST_TEST } from './lastTest.ts';
import { root } from './root.ts';
import { filesOf, needsBundles, PART_NAMES, PARTS, type Part, type PartName } from './testParts.ts';

/** The tests' many processes start quickly with a shared compile cache. */
const COMPILE_CACHE = path.join(root, 'node_modules', '.cache', 'compiled');

/** Parent of temporary folders. macOS's default path is too long for sockets. */
const SHORT_TEMP = process.platform === 'darwin' ? '/tmp' : tmpdir();

/** Maximum number of failed test files that are retried; if more fail, there is a real cause. */
const MAX_RETRIED_FILES = 3;

/** The files that one process runs. Times are in milliseconds since this process started. */
interface Job {
  readonly part: PartName;
  readonly files: readonly string[];
  startedAt?: number;
  endedAt?: number;
}

/**
 * Runs parts of the suite, or only the requested files (by the path of a file or folder) and tests (by name). Requires
 * the bundles if a part does. A part starts while the last tests of the previous one still run; the output is ordered by part. Prints the current part and
 * how long each part took.
 * @throws an error that names the failed parts once all have run, or the requested files or tests that do not exist.
 */
export async function runTests(names: readonly PartName[], filters: readonly string[] = []): Promise<void> {
  const isPath = (filter: string) => filter.endsWith('.ts') || existsSync(path.join(root, filter));
  const paths = filters.filter(isPath).map((one) => path.join(one, '.'));
  const patterns = filters.filter((one) => !isPath(one));
  const folder = await mkdtemp(path.join(SHORT_TEMP, 'gpu-doctor-'));
  // As accessible as the default temporary folder: some tests run programs as another user.
  await chmod(folder, 0o1777);
  // A test's child process may still write briefly after it was ended.
  const clear = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  const removeExitHandler = onExit(clear);
  // Ending this process ends its children; on a terminal's Ctrl-C, each child receives the signal itself.
  const abort = new AbortController();
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => abort.abort());
  try {
    const jobs = await jobsOf(names, paths, folder);
    // Interrupted tests leave their temporary folders behind; all of them are below this one.
    Object.assign(process.env, { NODE_COMPILE_CACHE: COMPILE_CACHE, TMPDIR: folder, TMP: folder, TEMP: folder });
    if (names.some(needsBundles)) process.env.GPU_DOCTOR_BUNDLES = path.join(root, 'dist');
    const { tests, failures } = await runJobs(jobs, patterns, abort.signal);
    if (tests === 0) throw new Error(`No test matches ${patterns.join(' or ')}.`);
    const failed = new Set(failures.map(({ part }) => part));
    const flaky = failures.filter(({ part, file }) => isRetried(part) && file !== undefined);
    const files = [...new Set(flaky.map(({ file }) => path.relative(root, file ?? '')))];
    const shouldRetry = files.length > 0 && files.length <= MAX_RETRIED_FILES && flaky.length === failures.length;
    if (shouldRetry && !abort.signal.aborted) {
      console.log(`\nRetrying in new windows: ${files.join(', ')}`);
      const again = await jobsOf([...failed], files, folder);
      if ((await runJobs(again, patterns, abort.signal)).failures.length === 0) {
        console.log(`\nFlaky: ${files.join(', ')} failed once and passed on retry.`);
        failed.clear();
      }
    }
    console.log(`\nDuration: ${durationsOf(jobs)}.`);
    if (failed.size > 0) throw new Error(`Failed: ${[...failed].join(', ')} (see above).`);
  } finally {
    removeExitHandler();
    clear();
  }
}

/** A failed test: its part and its file, which is undefined if the whole process failed. */
interface Failure {
  readonly part: PartName;
  readonly file: string | undefined;
}

/** Runs jobs, prints the test results, and returns the number of tests and the failures. */
async function runJobs(
  jobs: ReadonlyMap<string, Job>,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<{ tests: number; failures: readonly Failure[] }> {
  const events: AsyncIterable<TestEvent> = run({
    cwd: root,
    files: [...jobs.keys()],
    // Some tests wait for the network or a browser, so others can use the CPU meanwhile.
    concurrency: availableParallelism() + 1,
    signal,
    testNamePatterns: patterns.length > 0 ? [...patterns, LAST_TEST].map((name) => new RegExp(escapeRegExp(name))) : [],
  });
  let tests = 0;
  const failures: Failure[] = [];
  const labeled = labelEvents(events, jobs, (part, { type, data }) => {
    if (type === 'test:pass' || type === 'test:fail') tests++;
    if (type !== 'test:fail' || !part) return;
    failures.push({ part, file: jobs.has(data.name) ? undefined : data.file });
  });
  await pipeline(Readable.from(labeled), new Spec(), process.stdout, { end: false });
  return { tests, failures };
}

function isRetried(part: PartName): boolean {
  const { retries = false }: Part = PARTS[part];
  return retries;
}

/** Returns the jobs of these parts by entry file, in order; all files unless some are named. */
async function jobsOf(names: readonly PartName[], paths: readonly string[], folder: string): Promise<Map<string, Job>> {
  const jobs = new Map<string, Job>();
  for (const part of names) {
    const { processes }: Part = PARTS[part];
    const all = filesOf(part).map((file) => path.normalize(file));
    const files = paths.length === 0 ? all : all.filter((file) => paths.some((one) => isAtOrBelow(file, one)));
    const shares = processes === undefined ? files.map((file) => [file]) : await splitEvenly(files, processes);
    for (const [index, share] of shares.entries()) {
      const entry = path.join(folder, `${part}${index}.mjs`);
      const urlOf = (file: string) => JSON.stringify(pathToFileURL(path.join(root, file)));
      const imports = share.map((file) => `import ${urlOf(file)};`);
      const last = [`import { addLastTest } from ${urlOf('scripts/lastTest.ts')};`, 'addLastTest();', ''];
      await writeFile(entry, [...imports, ...last].join('\n'));
      jobs.set(entry, { part, files: share });
    }
  }
  const found = [...jobs.values()].flatMap(({ files }) => files);
  const missing = paths.filter((one) => !found.some((file) => isAtOrBelow(file, one)));
  if (missing.length > 0) {
    const others = PART_NAMES.filter((part) =>
      filesOf(part).some((file) => missing.some((one) => isAtOrBelow(path.normalize(file), one))),
    );
    const advice = others.map((part) => ` Run npm run test:${part} -- ${missing.join(' ')}.`).join('');
    throw new Error(`${names.join(', ')} has no test file ${missing.join(' or ')}.${advice}`);
  }
  return jobs;
}

function isAtOrBelow(file: string, place: string): boolean {
  const relative = path.relative(place, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`);
}

/**
 * Splits files into at most `count` non-empty shares of similar duration, estimated by file size. Neighbors stay
 * together, because they start and read much the same things.
 */
async function splitEvenly(files: readonly string[], count: number): Promise<string[][]> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(root, file))).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const shares = Array.from({ length: count }, (): string[] => []);
  let before = 0;
  for (const [index, file] of files.entries()) {
    const size = sizes[index] ?? 0;
    shares[Math.floor(((before + size / 2) / total) * count)]?.push(file);
    before += size;
  }
  return shares.filter((share) => share.length > 0);
}

/**
 * Passes on the events of the jobs with a heading per part, and records when each job starts and ends. Calls `see` with
 * the part of each ordered event.
 */
async function* labelEvents(
  events: AsyncIterable<TestEvent>,
  jobs: ReadonlyMap<string, Job>,
  onEvent: (part: PartName | undefined, event: TestEvent) => void,
): AsyncGenerator<TestEvent> {
  const partOf = new Map<string, PartName>();
  for (const [entry, { part, files }] of jobs)
    for (const file of [entry, ...files]) partOf.set(path.resolve(root, file), part);
  let current: PartName | undefined;
  for await (const event of events) {
    const { type, data } = event;
    // A process without a matching test is reported as a test itself.
    const isTest = type === 'test:start' || type === 'test:pass';
    if (isTest && (jobs.has(data.name) || data.name === LAST_TEST)) continue;
    if (type === 'test:dequeue' || type === 'test:complete') {
      const job = jobs.get(data.name);
      if (job && type === 'test:dequeue') job.startedAt ??= performance.now();
      else if (job) job.endedAt = performance.now();
    } else if (type !== 'test:enqueue' && data && 'file' in data && data.file !== undefined) {
      const part = partOf.get(data.file);
      if (part !== undefined && part !== current) {
        current = part;
        const files = [...jobs.values()].filter((job) => job.part === part).flatMap((job) => job.files);
        const message = `\n── ${part}: ${PARTS[part].title} (${files.length} ${files.length === 1 ? 'file' : 'files'})\n`;
        yield { type: 'test:stdout', data: { file: data.file, message } };
      }
      onEvent(part ?? current, event);
    }
    yield event;
  }
}

/** Returns the duration of each part, from its first test to its last, and of all parts. */
function durationsOf(jobs: ReadonlyMap<string, Job>): string {
  const seconds = (some: readonly Job[]) => {
    const begun = Math.min(...some.map((job) => job.startedAt ?? Number.POSITIVE_INFINITY));
    const ended = Math.max(...some.map((job) => job.endedAt ?? 0));
    return `${((ended - begun) / 1000).toFixed(0)} s`;
  };
  const all = [...jobs.values()];
  const parts = [...new Set(all.map(({ part }) => part))];
  const each = parts.map((part) => `${part} ${seconds(all.filter((job) => job.part === part))}`);
  return [...each, ...(parts.length > 1 ? [`total ${seconds(all)}`] : [])].join(', ');
}

/** Escapes a test's name for use in a regular expression. */
function escapeRegExp(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
