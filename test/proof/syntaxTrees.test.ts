/**
 * Our syntax trees and CPython's of files that people wrote: kinds, fields, constants and places of all nodes.
 * `npm run test:long` takes all files, thousands of whatever size, in place of a sample that changes with GPU_DOCTOR_SEED.
 */
import assert from 'node:assert/strict';
import { globSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { execa } from 'execa';
import { ensurePython } from '../../scripts/python.ts';
import type { Verdicts } from '../python/syntax/judgeFiles.ts';
import { randomFrom } from '../random.ts';

const LONG = process.env.GPU_DOCTOR_LONG !== undefined;

const SAMPLE = 500;
/** Of a file, in bytes. CPython in WebAssembly reads less than a megabyte a second. */
const SAMPLED_SIZE = 20_000;

const FOLDERS = 'import sys; print("\\n".join(p for p in sys.path if p and not p.endswith(".zip")))';

/** The standard library and the packages of the Pythons that the proof by running has. */
async function pythonFiles(): Promise<string[]> {
  const { torch, keras } = await ensurePython();
  const folders = new Set<string>();
  for (const python of [torch, keras]) {
    const { stdout } = await execa(python, ['-I', '-c', FOLDERS]);
    for (const folder of stdout.split('\n')) folders.add(folder);
  }
  const found = [...folders].flatMap((folder) =>
    globSync('**/*.py', { cwd: folder }).map((file) => path.join(folder, file)),
  );
  return [...new Set(found)].sort();
}

function sampled(files: readonly string[]): string[] {
  const random = randomFrom(Number(process.env.GPU_DOCTOR_SEED ?? 1));
  const small = files.filter((file) => statSync(file).size <= SAMPLED_SIZE);
  const keys = new Map(small.map((file) => [file, random(2 ** 30)]));
  return small.sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0)).slice(0, SAMPLE);
}

function judged(files: readonly string[]): Promise<Verdicts> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('../python/syntax/judgeFiles.ts', import.meta.url), { workerData: files });
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}

test('every file that CPython reads has the same tree', async (t) => {
  const all = await pythonFiles();
  const files = LONG ? all : sampled(all);
  // Each starts a CPython of its own, which takes as long as a hundred files.
  const workers = LONG ? 2 : 1;
  const parts = Array.from({ length: workers }, (_, worker) => files.filter((_file, at) => at % workers === worker));
  const verdicts = await Promise.all(parts.map(judged));
  const compared = verdicts.reduce((sum, verdict) => sum + verdict.compared, 0);
  t.diagnostic(`${compared} of ${all.length} files compared`);
  assert.deepEqual(
    verdicts.flatMap(({ differences }) => differences),
    [],
  );
  // CPython refuses a few, such as tests of its own parser.
  assert.ok(compared >= (LONG ? 5_000 : SAMPLE - 50), `CPython read ${compared} files only`);
});
