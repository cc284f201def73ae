/** Runs the parts of the test suite, and tells what comes of them. */
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec as Spec, type TestEvent } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { onExit } from 'signal-exit';
import { root } from './root.ts';
import { filesOf, PARTS, type Part, type PartName } from './testParts.ts';

/** What has the tests' many processes start quickly: bundled programs, and modules that are compiled once for all. */
const QUICK_STARTS = {
  GPU_DOCTOR_BUNDLES: path.join(root, 'dist'),
  NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'compiled'),
};

/** Where temporary folders are made: on macOS the usual place has too long a path to have sockets in a folder of it. */
const SHORT_TEMP = process.platform === 'darwin' ? '/tmp' : tmpdir();

/** Test files: where more of them fail, it is not chance. */
const MOST_UNSTEADY = 3;

/** What one process runs, and when it did, in milliseconds since this one has begun. */
interface Job {
  readonly part: PartName;
  readonly files: readonly string[];
  begun?: number;
  ended?: number;
}

/**
 * Runs parts, or of them only what is asked for: files by their path, tests by their name; the bundles have been built.
 * A part begins while the last tests of the one before still run; what they tell comes in order. Says which part it is in
 * and how long each took.
 * @throws an error that names the parts that failed, when all have run, or what is asked for and not there.
 */
export async function runTests(names: readonly PartName[], asked: readonly string[] = []): Promise<void> {
  const paths = asked.filter((one) => one.endsWith('.ts')).map((file) => path.normalize(file));
  const patterns = asked.filter((one) => !one.endsWith('.ts'));
  const folder = await mkdtemp(path.join(SHORT_TEMP, 'gpu-doctor-'));
  // As open as the usual place: some tests run programs as another user.
  await chmod(folder, 0o1777);
  // What a test has started may write on for a moment after it was told to end.
  const clear = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  const forget = onExit(clear);
  // Whoever ends this process ends what it has started; to a terminal's Ctrl-C each of them listens itself.
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => ending.abort());
  try {
    const jobs = await jobsOf(names, paths, folder);
    // Tests that are cut off leave their folders; all of them are in this one.
    Object.assign(process.env, QUICK_STARTS, { TMPDIR: folder, TMP: folder, TEMP: folder });
    const { tests, failures } = await runJobs(jobs, patterns, ending.signal);
    if (tests === 0) throw new Error(`No test is called ${patterns.join(' or ')}.`);
    const failed = new Set(failures.map(({ part }) => part));
    const unsteady = failures.filter(({ part, file }) => mayRunAgain(part) && file !== undefined);
    const files = [...new Set(unsteady.map(({ file }) => path.relative(root, file ?? '')))];
    const isWorthATry = files.length > 0 && files.length <= MOST_UNSTEADY && unsteady.length === failures.length;
    if (isWorthATry && !ending.signal.aborted) {
      console.log(`\nRunning again, in new windows: ${files.join(', ')}`);
      const again = await jobsOf([...failed], files, folder);
      if ((await runJobs(again, patterns, ending.signal)).failures.length === 0) {
        console.log(`\nUnsteady: ${files.join(', ')} failed once and passed when run again.`);
        failed.clear();
      }
    }
    console.log(`\nTook: ${timesOf(jobs)}.`);
    if (failed.size > 0) throw new Error(`Failed: ${[...failed].join(', ')}, see above.`);
  } finally {
    forget();
    clear();
  }
}

/** A test that failed: its part, and the file it stands in unless the process of that part ended by itself. */
interface Failure {
  readonly part: PartName;
  readonly file: string | undefined;
}

/** Runs jobs, prints what their tests report, and returns how many tests there were and which failed. */
async function runJobs(
  jobs: ReadonlyMap<string, Job>,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<{ tests: number; failures: readonly Failure[] }> {
  const events: AsyncIterable<TestEvent> = run({
    cwd: root,
    files: [...jobs.keys()],
    // Some wait for the network, or for a browser to draw, and others can compute meanwhile.
    concurrency: availableParallelism() + 1,
    // A file whose tests have all ended has ended, even if a child's exit was missed and the process would wait for it.
    execArgv: ['--test-force-exit'],
    signal,
    testNamePatterns: patterns.map((pattern) => new RegExp(literally(pattern))),
  });
  let tests = 0;
  const failures: Failure[] = [];
  const watched = watch(events, jobs, (part, { type, data }) => {
    if (type === 'test:pass' || type === 'test:fail') tests++;
    if (type !== 'test:fail' || !part) return;
    failures.push({ part, file: jobs.has(data.name) ? undefined : data.file });
  });
  await pipeline(Readable.from(watched), new Spec(), process.stdout, { end: false });
  return { tests, failures };
}

function mayRunAgain(part: PartName): boolean {
  const { runsAgain = false }: Part = PARTS[part];
  return runsAgain;
}

/** The jobs of these parts by the file that a process is started with, in order; all files unless some are named. */
async function jobsOf(names: readonly PartName[], paths: readonly string[], folder: string): Promise<Map<string, Job>> {
  const jobs = new Map<string, Job>();
  for (const part of names) {
    const { processes }: Part = PARTS[part];
    const all = filesOf(part).map((file) => path.normalize(file));
    const files = paths.length === 0 ? all : all.filter((file) => paths.includes(file));
    if (processes === undefined) for (const file of files) jobs.set(path.join(root, file), { part, files: [file] });
    else
      for (const [index, share] of (await shareOut(files, processes)).entries()) {
        const entry = path.join(folder, `${part}${index}.mjs`);
        const imports = share.map((file) => `import ${JSON.stringify(pathToFileURL(path.join(root, file)))};\n`);
        await writeFile(entry, imports.join(''));
        jobs.set(entry, { part, files: share });
      }
  }
  const found = [...jobs.values()].flatMap(({ files }) => files);
  const missing = paths.filter((file) => !found.includes(file));
  if (missing.length > 0) throw new Error(`No test file of ${names.join(', ')} is called ${missing.join(' or ')}.`);
  return jobs;
}

/**
 * Up to so many shares of files, none of them empty, that take about as long: a long file has many tests. Neighbours stay
 * together, since they start and read much the same.
 */
async function shareOut(files: readonly string[], count: number): Promise<string[][]> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(root, file))).size));
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const shares = Array.from({ length: count }, (): string[] => []);
  let before = 0;
  for (const [index, file] of files.entries()) {
    const size = sizes[index] ?? 0;
    shares[Math.floor(((before + size / 2) / whole) * count)]?.push(file);
    before += size;
  }
  return shares.filter((share) => share.length > 0);
}

/**
 * Passes on what is told of the jobs, under a heading for each part, and notes when each has begun and ended. Of what is
 * told in order, `see` learns which part tells it.
 */
async function* watch(
  events: AsyncIterable<TestEvent>,
  jobs: ReadonlyMap<string, Job>,
  see: (part: PartName | undefined, event: TestEvent) => void,
): AsyncGenerator<TestEvent> {
  const partOf = new Map<string, PartName>();
  for (const [entry, { part, files }] of jobs)
    for (const file of [entry, ...files]) partOf.set(path.resolve(root, file), part);
  let current: PartName | undefined;
  for await (const event of events) {
    const { type, data } = event;
    // A process without a test of the name that is asked for is told as a test itself.
    if ((type === 'test:start' || type === 'test:pass') && jobs.has(data.name)) continue;
    if (type === 'test:dequeue' || type === 'test:complete') {
      const job = jobs.get(data.name);
      if (job && type === 'test:dequeue') job.begun ??= performance.now();
      else if (job) job.ended = performance.now();
    } else if (type !== 'test:enqueue' && data && 'file' in data && data.file !== undefined) {
      const part = partOf.get(data.file);
      if (part !== undefined && part !== current) {
        current = part;
        const files = [...jobs.values()].filter((job) => job.part === part).flatMap((job) => job.files);
        const message = `\n── ${part}: ${PARTS[part].what} (${files.length} ${files.length === 1 ? 'file' : 'files'})\n`;
        yield { type: 'test:stdout', data: { file: data.file, message } };
      }
      see(part ?? current, event);
    }
    yield event;
  }
}

/** How long each part took, from its first test to its last, and all of them. */
function timesOf(jobs: ReadonlyMap<string, Job>): string {
  const seconds = (some: readonly Job[]) => {
    const begun = Math.min(...some.map((job) => job.begun ?? Number.POSITIVE_INFINITY));
    const ended = Math.max(...some.map((job) => job.ended ?? 0));
    return `${((ended - begun) / 1000).toFixed(0)} s`;
  };
  const all = [...jobs.values()];
  const parts = [...new Set(all.map(({ part }) => part))];
  const each = parts.map((part) => `${part} ${seconds(all.filter((job) => job.part === part))}`);
  return [...each, ...(parts.length > 1 ? [`all of it ${seconds(all)}`] : [])].join(', ');
}

/** Names of tests have characters in them that mean something in a pattern. */
function literally(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
