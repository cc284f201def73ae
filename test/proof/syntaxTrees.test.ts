/**
 * Compares our syntax trees of real-world files with CPython's: kinds, fields, constants and positions of all nodes.
 * `npm run test:long` compares all files, thousands of any size; otherwise a sample that depends on GPU_DOCTOR_SEED.
 */
import assert from 'node:assert/strict';
import { globSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { execa } from 'execa';
import { ensurePython } from '../../scripts/python.ts';
import type { Verdicts } from '../python/syntax/compareFiles.ts';
import { randomFrom } from '../random.ts';

const LONG = process.env.GPU_DOCTOR_LONG !== undefined;

const SAMPLE = 500;
/** Maximum size of a sampled file in bytes. CPython in WebAssembly reads less than a megabyte per second. */
const SAMPLED_SIZE = 20_000;

const FOLDERS = 'import sys; print("\\n".join(p for p in sys.path if p and not p.endswith(".zip")))';

/** The standard library and the packages of the proof's Pythons. */
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
    const worker = new Worker(new URL('../python/syntax/compareFiles.ts', import.meta.url), { workerData: files });
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}

test('every file that CPython reads has the same tree', async (t) => {
  const all = await pythonFiles();
  const files = LONG ? all : sampled(all);
  // Each worker starts its own CPython, which takes as long as a hundred files.
  const workers = LONG ? 2 : 1;
  const parts = Array.from({ length: workers }, (_, worker) => files.filter((_file, at) => at % workers === worker));
  const verdicts = await Promise.all(parts.map(judged));
  const compared = verdicts.reduce((sum, verdict) => sum + verdict.compared, 0);
  t.diagnostic(`${compared} of ${all.length} files compared`);
  assert.deepEqual(
    verdicts.flatMap(({ differences }) => differences),
    [],
  );
  // CPython rejects a few files, such as tests of its own parser.
  assert.ok(compared >= (LONG ? 5_000 : SAMPLE - 50), `CPython read ${compared} files only`);
});
