/**
 * Reads damaged files of one family: `damagedFiles.ts FAMILY SEED FIRST CASES`. It runs in a process that may not write
 * files or start processes and has a heap limit. It reports the number of each case before reading it.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBudget } from '../../../server/src/checkpoint/budget.ts';
import { type Bytes, inMemory } from '../../../server/src/checkpoint/bytes.ts';
import type { Checkpoint } from '../../../server/src/checkpoint/checkpoint.ts';
import { describeOutline } from '../../../server/src/checkpoint/formats/hdf5/hdf5.ts';
import { outlineOf } from '../../../server/src/checkpoint/formats/hdf5/library.ts';
import { graphProgramIn } from '../../../server/src/checkpoint/formats/tensorflow/operations.ts';
import { readBytes } from '../../../server/src/checkpoint/read.ts';
import { damaged, randomNumbers } from './mutations.ts';

/** Bytes that reading a file of a few kilobytes may request, since some parts are read more than once. */
const MOST_READ = 256 * 1024 * 1024;

interface Family {
  readonly files: string;
  read(content: Buffer): Promise<Checkpoint | undefined>;
}

const FAMILIES: Readonly<Record<string, Family>> = {
  files: {
    files: '{torch,recent,others,arrays,pickles,joblib,programs}/*.*',
    read: (content) => readBytes(counted(content)),
  },
  tensorflow: {
    files: 'tensorflow/**/{*.index,saved_model.pb}',
    async read(content) {
      assert.ok(graphProgramIn(content, createBudget()).operations.size <= content.length);
      return readBytes(counted(content));
    },
  },
  hdf5: {
    files: 'keras/*.h5',
    async read(content) {
      const read = (offset: number, length: number) => content.subarray(offset, offset + length);
      return describeOutline(content.length, await outlineOf(content.length, read), createBudget());
    },
  },
};

/** Wraps bytes so that no more than the limit can be read. */
function counted(content: Buffer): Bytes {
  const bytes = inMemory(content);
  let count = 0;
  return {
    size: bytes.size,
    async read(offset, length) {
      assert.ok(offset >= 0 && length >= 0, `read(${offset}, ${length})`);
      const part = await bytes.read(offset, length);
      count += part.length;
      assert.ok(count < MOST_READ, `${count} bytes were read of a file of ${content.length}`);
      return part;
    },
  };
}

/** Checks that every answer is a result or a sentence that says why there is none. */
function check({ safety, problems, tensors, devices }: Checkpoint): void {
  assert.ok([safety.reason, ...problems].every((sentence) => /^[A-Z`].*\.$/s.test(sentence)));
  assert.ok(tensors.every(({ shape, bytes }) => shape.length < 1000 && !Number.isNaN(bytes)));
  assert.ok(devices === undefined || devices.every((device) => typeof device === 'string'));
}

const [name = '', seed = '1', first = '0', cases = '1'] = process.argv.slice(2);
const family = FAMILIES[name];
assert.ok(family, `there is no family ${name}`);
const fixtures = join(import.meta.dirname, '../fixtures');
const paths = globSync(family.files, { cwd: fixtures }).sort();
const originals = paths.map((path) => readFileSync(join(fixtures, path)));

for (let number = Number(first); number < Number(cases); number++) {
  process.send?.({ number });
  const random = randomNumbers(Number(seed) * 1_000_003 + number);
  const chosen = random(originals.length);
  const content = damaged(originals[chosen] as Buffer, random, originals);
  try {
    const checkpoint = await family.read(content);
    if (checkpoint) check(checkpoint);
  } catch (error) {
    // The library may have corrupted its memory, so the next case runs in a new process.
    if (error instanceof Error && error.constructor.name === 'RuntimeError') process.exit(3);
    throw new Error(`case ${number} of seed ${seed}, made of ${paths[chosen]}`, { cause: error });
  }
}
process.send?.({ kilobytes: process.resourceUsage().maxRSS });
process.disconnect?.();
