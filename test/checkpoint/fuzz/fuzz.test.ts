/** Damaged files of every format, from a seed. Each is read to a result; none makes the reader fail or hang. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inMemory } from '../../../server/src/checkpoint/bytes.ts';
import { readBytes } from '../../../server/src/checkpoint/read.ts';
import { SEED, share } from '../../fuzz/amount.ts';
import { EXTREMES } from './extremes.ts';
import { damaged, randomNumbers } from './mutations.ts';

/** Megabytes for a process that reads all of them, including Node and the HDF5 library. */
const MOST_MEMORY = 300;
/** Forbids writing files and starting processes or threads. */
const FLAGS = [
  '--permission',
  '--allow-fs-read=*',
  `--max-old-space-size=${MOST_MEMORY}`,
  '--disable-warning=SecurityWarning',
];

const CASES: Readonly<Record<string, number>> = { files: 20_000, tensorflow: 4_000, hdf5: 200 };

/** Milliseconds without progress after which a process counts as hanging; a case takes some thousandths of that. */
const LONGEST_SILENCE = 30_000;

interface Ran {
  readonly status: number | null;
  readonly hangs: boolean;
  /** Returns the number of the case that was read last. */
  readonly last: number;
  readonly megabytes: number;
  readonly stderr: string;
}

function run(program: string, args: readonly string[]): Promise<Ran> {
  const child = fork(join(import.meta.dirname, program), args, {
    execArgv: FLAGS,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let last = 0;
  let megabytes = 0;
  let stderr = '';
  let hangs = false;
  const watchdog = setTimeout(() => {
    hangs = true;
    child.kill('SIGKILL');
  }, LONGEST_SILENCE);
  child.stderr?.on('data', (chunk) => {
    stderr = `${stderr}${chunk}`.slice(-10_000);
  });
  child.on('message', (message: { number?: number; kilobytes?: number }) => {
    watchdog.refresh();
    last = message.number ?? last;
    megabytes = (message.kilobytes ?? 0) / 1024;
  });
  return new Promise((resolve) => {
    child.on('close', (status) => {
      clearTimeout(watchdog);
      resolve({ status, hangs, last, megabytes, stderr });
    });
  });
}

for (const [family, count] of Object.entries(CASES)) {
  const cases = share(count);
  test(`${cases} damaged files of the family ${family}`, async () => {
    let broken = 0;
    for (let first = 0; first < cases; ) {
      const { status, hangs, last, megabytes, stderr } = await run('damagedFiles.ts', [
        family,
        `${SEED}`,
        `${first}`,
        `${cases}`,
      ]);
      const isBroken = family === 'hdf5' && (hangs || status === 3);
      assert.ok(status === 0 || isBroken, `case ${last} of seed ${SEED} ${hangs ? 'hangs' : `fails: ${stderr}`}`);
      assert.ok(megabytes < MOST_MEMORY, `${megabytes} MB were taken`);
      if (status === 0) break;
      broken++;
      first = last + 1;
    }
    // The HDF5 library may crash or hang on a damaged file, though rarely, which is why it runs in a separate thread.
    assert.ok(broken <= cases / 20, `the library broke on ${broken} files`);
  });
}

const IN_THREADS = share(60);

test(`${IN_THREADS} damaged HDF5 files, each in a thread of the library`, async () => {
  const fixtures = join(import.meta.dirname, '../fixtures/keras');
  const originals = ['model.h5', 'plain.keras'].map((name) => readFileSync(join(fixtures, name)));
  for (let number = 0; number < IN_THREADS; number++) {
    const content = damaged(originals[number % 2] as Buffer, randomNumbers(SEED + number), originals);
    const { safety, problems } = await readBytes(inMemory(content));
    assert.ok([safety.reason, ...problems].every((sentence) => sentence.endsWith('.')));
  }
});

for (const name of Object.keys(EXTREMES))
  test(name, async () => {
    const { status, hangs, megabytes, stderr } = await run('extremes.ts', [name]);
    assert.ok(status === 0, hangs ? 'hangs' : stderr);
    assert.ok(megabytes < MOST_MEMORY, `${megabytes} MB were taken`);
  });
