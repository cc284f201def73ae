/**
 * Measures `gpu-doctor check` on a million lines of third-party code, against ruff, which parses all of it for a few
 * rules, and ast-grep, which searches for four similar patterns. Runs alternate, and their medians are compared;
 * `ROUNDS=9` runs more. All code is one project, so a check includes its index, which is also measured alone.
 * `BASE=path/to/dist/cli.js` compares with another build of GPU Doctor. The bounds are the project's own; they are
 * printed, not enforced, because machines differ.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { availableParallelism, homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { root } from '../../scripts/root.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const CLI = path.join(root, 'dist', 'cli.js');
const { BASE } = process.env;
const cache = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'gpu-doctor');

/** The packages of a list in this folder, installed by pip into the cache; the first run takes minutes. */
async function installed(name: 'scale-code' | 'scale-tools'): Promise<string> {
  const list = path.join(import.meta.dirname, `${name}.txt`);
  const hash = createHash('sha256')
    .update(await readFile(list))
    .digest('hex');
  const folder = path.join(cache, `${name}-${hash.slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  console.log(`Installing what ${name}.txt lists into ${folder} ...`);
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}.`);
  const options = ['--quiet', '--no-deps', '--no-compile', '--disable-pip-version-check', '--root-user-action=ignore'];
  await execa('python3', ['-m', 'pip', 'install', ...options, '--target', unfinished, '--requirement', list]);
  await rename(unfinished, folder);
  return folder;
}

/** Four ast-grep patterns that search for the same code as the rules. */
const PATTERNS = ['torch.load($$$)', '$X.cuda($$$)', '$X.to("cuda")', 'torch.device($$$)']
  .map((pattern, index) => `id: p${index}\nlanguage: python\nrule:\n  pattern: '${pattern}'`)
  .join('\n---\n');

/** Reads everything that the index reads from all files in advance. */
const BUILD_INDEX = `
const { createProjectIndex } = await import(process.argv[1]);
const { diskFiles } = await import(process.argv[2]);
await createProjectIndex(diskFiles(process.argv[3])).prepare();
`;
const source = (name: string) => new URL(`../../server/src/projectIndex/${name}.ts`, import.meta.url).href;

interface Contender {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

/** A command's time in seconds and its peak memory in MB. Its findings are ignored. */
async function timed([file, ...args]: Contender['command'], cwd: string): Promise<{ seconds: number; memory: number }> {
  const start = performance.now();
  const { exitCode, stderr } = await execa('/usr/bin/time', ['-f', 'peak %M', file, ...args], {
    cwd,
    stdout: 'ignore',
    reject: false,
  });
  const seconds = (performance.now() - start) / 1000;
  if (exitCode === undefined || exitCode > 1) throw new Error(`${file} failed: ${stderr}`);
  return { seconds, memory: Number(/peak (\d+)/.exec(stderr)?.[1] ?? 0) / 1024 };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const code = await installed('scale-code');
const tools = path.join(await installed('scale-tools'), 'bin');
const here = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-scale-'));
const texts = await Promise.all(globSync('**/*.py', { cwd: code }).map((file) => readFile(path.join(code, file))));
const lines = texts.reduce((sum, text) => sum + text.toString('latin1').split('\n').length - 1, 0);
console.log(
  `${texts.length} files, ${lines} lines, ${availableParallelism()} cores, ${ROUNDS} rounds in alternation, medians\n`,
);

const check = [process.execPath, CLI, 'check', code, '--format', 'json'] as const;
const cold: Contender = { name: 'gpu-doctor check --no-cache', command: [...check, '--no-cache'] };
const alone: Contender = {
  name: 'gpu-doctor check --no-cache --jobs 1',
  command: [...check, '--no-cache', '--jobs', '1'],
};
const warm: Contender = { name: 'gpu-doctor check', command: check };
const ruff: Contender = {
  name: 'ruff check --no-cache --select F',
  command: [path.join(tools, 'ruff'), 'check', '--isolated', '--no-cache', '--select', 'F', '--exit-zero', '-q', code],
};
const astGrep: Contender = {
  name: 'ast-grep scan, four patterns',
  command: [path.join(tools, 'ast-grep'), 'scan', '--inline-rules', PATTERNS, '--json=stream', code],
};

const index: Contender = {
  name: 'the index alone',
  command: [
    process.execPath,
    '--input-type=module',
    '-e',
    BUILD_INDEX,
    source('projectIndex'),
    source('diskFiles'),
    code,
  ],
};
const base: Contender | undefined = BASE
  ? { name: `${BASE} check --no-cache`, command: [process.execPath, BASE, ...check.slice(2), '--no-cache'] }
  : undefined;

const times = new Map<Contender, number[]>();
const memory = new Map<Contender, number>();
for (let round = -1; round < ROUNDS; round++) {
  for (const contender of [cold, ruff, astGrep, warm, alone, index, ...(base ? [base] : [])]) {
    const run = await timed(contender.command, here);
    // The first round loads all files into memory and fills the cache.
    if (round < 0) continue;
    times.set(contender, [...(times.get(contender) ?? []), run.seconds]);
    memory.set(contender, Math.max(memory.get(contender) ?? 0, run.memory));
  }
}
await rm(here, { recursive: true });

const of = (contender: Contender) => median(times.get(contender) ?? []);
for (const contender of times.keys()) console.log(`${of(contender).toFixed(2).padStart(7)} s  ${contender.name}`);
const rows: [what: string, ratio: number, bound: number][] = [
  ['cold, to ruff', of(cold) / of(ruff), 2],
  ['cold, to ast-grep', of(cold) / of(astGrep), 1 / 3],
  ['warm, to cold', of(warm) / of(cold), 1 / 4],
  ['memory, to 800 MB', (memory.get(cold) ?? 0) / 800, 1],
  ['index of 3,000 files, to 10 s', (of(index) * 3000) / texts.length / 10, 1],
  ['memory of the index, to 500 MB', (memory.get(index) ?? 0) / 500, 1],
  ...(base ? [['cold, to the other build', of(cold) / of(base), 1.3] as [string, number, number]] : []),
];
console.log('');
for (const [what, ratio, bound] of rows)
  console.log(`${ratio <= bound ? 'within' : 'OVER  '}  ${what}: ${ratio.toFixed(2)} (bound ${bound.toFixed(2)})`);
