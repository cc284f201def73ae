/**
 * Measures the parser on the standard library of the machine's `python3`, against `ast.parse` of that Python on the
 * same files. Each round runs in fresh processes, one after the other, so that the load of the machine affects both.
 * Then measures texts that make a careless parser slow, per byte, against these files. The bounds are the project's
 * own; they are printed, not enforced.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { EXTREMES } from '../python/syntax/extremes.ts';
import { parsedByPython, TIME_PYTHON } from './astParse.ts';
import { sized } from './size.ts';

const ROUNDS = sized(7, 1);
/** Minimum speed relative to `ast.parse`. */
const BOUND = 4;
/** Maximum time per byte of any text, relative to ordinary code. */
const EXTREME_BOUND = 10;

const TIME_OURS = `
const { readFileSync } = require('node:fs');
const { parseModule } = require(process.argv[1]);
const texts = JSON.parse(readFileSync(process.argv[2], 'utf8')).map((file) => readFileSync(file, 'utf8'));
const start = performance.now();
for (const text of texts) parseModule(text);
console.log((performance.now() - start) / 1000);
`;

/** The shortest of several runs, in seconds: a slow text is slow in every run. */
function seconds(work: () => void): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < sized(5, 1); tries++) {
    const start = performance.now();
    work();
    shortest = Math.min(shortest, (performance.now() - start) / 1000);
  }
  return shortest;
}

const folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-bench-'));
try {
  const list = path.join(folder, 'files.json');
  const bundle = path.join(folder, 'parse.cjs');
  const files = parsedByPython(sized(1_000_000, 20));
  await writeFile(list, JSON.stringify(files));
  await build({
    entryPoints: [fileURLToPath(new URL('../../server/src/python/syntax/parse.ts', import.meta.url))],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minifySyntax: true,
  });
  const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const python = Number(execFileSync('python3', ['-I', '-c', TIME_PYTHON, list]));
    const ours = Number(execFileSync(process.execPath, ['-e', TIME_OURS, bundle, list]));
    return { python, ours, ratio: python / ours };
  });
  const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
  const ratio = median(rounds.map((round) => round.ratio));
  const rate = (seconds: number) => `${(bytes / 1e6 / seconds).toFixed(1)} MB/s`;
  console.log(
    `parser, ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB  ${rate(median(rounds.map(({ ours }) => ours)))}, ` +
      `ast.parse ${rate(median(rounds.map(({ python }) => python)))}: median ${ratio.toFixed(1)} times as fast   ` +
      `bound ${BOUND}: ${ratio >= BOUND ? 'met' : 'MISSED'}`,
  );
  const texts = files.slice(0, 500).map((file) => readFileSync(file, 'utf8'));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const { parseModule }: typeof import('../../server/src/python/syntax/parse.ts') = createRequire(bundle)(bundle);
  const ordinary = seconds(() => texts.forEach((text) => void parseModule(text))) / length;
  const extremes = Object.entries(EXTREMES).map(([name, make]) => {
    const text = make();
    return { name, ratio: seconds(() => parseModule(text, { notebook: true })) / text.length / ordinary };
  });
  const worst = extremes.sort((a, b) => b.ratio - a.ratio)[0];
  console.log(
    `parser, ${extremes.length} extreme texts  slowest ${worst?.name}: ${worst?.ratio.toFixed(1)} times ordinary code   ` +
      `bound ${EXTREME_BOUND}: ${(worst?.ratio ?? 0) <= EXTREME_BOUND ? 'met' : 'MISSED'}`,
  );
} finally {
  await rm(folder, { recursive: true });
}
