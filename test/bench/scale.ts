/**
 * Measures `gpu-doctor check` on a million lines of third-party code against ruff, which parses all of it for a few
 * rules. Runs alternate, and their medians are compared; `ROUNDS=9` runs more. All code is one project, so a check
 * includes its index, which is also measured alone. `BASE=path/to/dist/cli.js` compares with another build of GPU
 * Doctor. The bounds are the project's own; they are printed, not enforced, because machines differ.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { availableParallelism, homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { root } from '../../scripts/root.ts';
import { type Command, type Measured, measured, median } from './measure.ts';
import { sized } from './size.ts';

const ROUNDS = Number(process.env.ROUNDS ?? sized(5, 1));
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

interface Contender {
  readonly name: string;
  readonly command: Command;
  readonly runs: Measured[];
}

// A tiny run installs nothing: it checks the examples, and compares with no other program.
const code = sized(true, false) ? await installed('scale-code') : path.join(root, 'examples');
const tools = sized(true, false) ? path.join(await installed('scale-tools'), 'bin') : undefined;
const here = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-scale-'));
const texts = await Promise.all(globSync('**/*.py', { cwd: code }).map((file) => readFile(path.join(code, file))));
const lines = texts.reduce((sum, text) => sum + text.toString('latin1').split('\n').length - 1, 0);
console.log(
  `${texts.length} files, ${lines} lines, ${availableParallelism()} cores, ${ROUNDS} rounds in alternation, medians\n`,
);

const check: Command = [process.execPath, CLI, 'check', code, '--output-format', 'json'];
const contender = (name: string, ...command: Command): Contender => ({ name, command, runs: [] });
const cold = contender('gpu-doctor check --no-cache', ...check, '--no-cache');
const alone = contender('gpu-doctor check --no-cache --jobs 1', ...check, '--no-cache', '--jobs', '1');
const pair = contender('gpu-doctor check --no-cache --jobs 2', ...check, '--no-cache', '--jobs', '2');
const warm = contender('gpu-doctor check', ...check);
const index = contender('the index alone', process.execPath, path.join(import.meta.dirname, 'buildIndex.ts'), code);
const ruff =
  tools === undefined
    ? undefined
    : contender(
        'ruff check --no-cache --select F',
        ...([
          path.join(tools, 'ruff'),
          'check',
          '--isolated',
          '--no-cache',
          '--select',
          'F',
          '--exit-zero',
          '-q',
          code,
        ] as const),
      );
const base = BASE === undefined ? undefined : contender(BASE, process.execPath, BASE, ...check.slice(2), '--no-cache');
const contenders = [cold, ruff, warm, alone, pair, index, base].filter((each) => each !== undefined);

for (let round = -1; round < ROUNDS; round++)
  for (const { command, runs } of contenders) {
    const run = await measured(command, here);
    // The first round loads all files into memory and fills the cache.
    if (round >= 0) runs.push(run);
  }
await rm(here, { recursive: true });

const of = ({ runs }: Contender, what: keyof Measured) => median(runs.map((run) => run[what]));
for (const each of contenders)
  console.log(
    `${of(each, 'cpu').toFixed(2).padStart(7)} s CPU ${of(each, 'wall').toFixed(2).padStart(7)} s ` +
      `${of(each, 'memory').toFixed(0).padStart(6)} MB  ${each.name}`,
  );
const ratio = (a: Contender, b: Contender, what: keyof Measured) => of(a, what) / of(b, what);
const rows: [what: string, ratio: number, bound: number][] = [
  ['warm, to cold', ratio(warm, cold, 'wall'), 1 / 4],
  ['two threads, to one', ratio(pair, alone, 'wall'), 1 / 1.6],
  ['memory, to 350 MB', of(cold, 'memory') / 350, 1],
  ['index of 3,000 files, to 10 s', (of(index, 'wall') * 3000) / texts.length / 10, 1],
  ['memory of the index, to 500 MB', of(index, 'memory') / 500, 1],
];
if (ruff)
  rows.push(['cold CPU, to ruff', ratio(cold, ruff, 'cpu'), 4], ['cold, to ruff', ratio(cold, ruff, 'wall'), 4]);
if (base) rows.push(['cold CPU, to the other build', ratio(cold, base, 'cpu'), 1.15]);
console.log('');
for (const [what, found, bound] of rows)
  console.log(`${found <= bound ? 'within' : 'OVER  '}  ${what}: ${found.toFixed(2)} (bound ${bound.toFixed(2)})`);
