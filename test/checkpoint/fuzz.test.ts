/** Damaged files of every format, by a seed: each is read to a result, none makes the reader fail or hang. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import { readBytes } from '../../server/src/checkpoint/read.ts';

const CASES = Number(process.env.FUZZ_CASES ?? 20_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

const FIXTURES = join(import.meta.dirname, 'fixtures');
const originals = globSync('{torch,others}/*', { cwd: FIXTURES })
  .sort()
  .map((name) => ({ name, content: readFileSync(join(FIXTURES, name)) }));

/** Mulberry32: the same numbers for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, below);
  };
}

type Mutation = (content: Buffer, random: (below: number) => number) => Buffer;

/** Bytes that mean much in one of the formats: signatures, opcodes that repeat or nest, lengths. */
const TOKENS = [
  'PK\x01\x02',
  'PK\x05\x06',
  '(',
  '(((((((((',
  'h\0',
  'q\0',
  '2',
  'a',
  'u',
  'R',
  'b',
  'Q',
  '.',
  '\x80\x02',
  '{"a":',
  '../../x',
];

const mutations: readonly Mutation[] = [
  (content, random) => content.subarray(0, random(content.length)),
  (content, random) => content.subarray(random(content.length)),
  (content, random) => {
    const changed = Buffer.from(content);
    for (let count = random(8) + 1; count > 0; count--) changed[random(content.length)] = random(256);
    return changed;
  },
  (content, random) => {
    const changed = Buffer.from(content);
    const at = random(content.length);
    changed.fill([0x00, 0xff, 0x7f][random(3)] as number, at, Math.min(content.length, at + (1 << random(4))));
    return changed;
  },
  (content, random) => {
    const other = originals[random(originals.length)]?.content ?? content;
    const from = random(other.length);
    const part = other.subarray(from, from + random(200));
    const at = random(content.length);
    return Buffer.concat([content.subarray(0, at), part, content.subarray(at + random(200))]);
  },
  (content, random) => {
    const at = random(content.length);
    const token = Buffer.from(TOKENS[random(TOKENS.length)] ?? '', 'latin1');
    return Buffer.concat([content.subarray(0, at), token, content.subarray(at + random(2) * token.length)]);
  },
  (content, random) => {
    const at = random(content.length);
    const part = content.subarray(at, at + random(64));
    return Buffer.concat([
      content.subarray(0, at),
      ...Array.from({ length: random(200) }, () => part),
      content.subarray(at),
    ]);
  },
];

test(`${CASES} damaged files`, { timeout: 120_000 }, async () => {
  const random = randomNumbers(SEED);
  for (let number = 0; number < CASES; number++) {
    const { name, content } = originals[random(originals.length)] as (typeof originals)[number];
    let damaged: Buffer = content;
    for (let rounds = random(3) + 1; rounds > 0; rounds--)
      damaged = (mutations[random(mutations.length)] as Mutation)(damaged, random);
    try {
      const { safety, problems, tensors } = await readBytes(inMemory(damaged));
      assert.ok(safety.reason.endsWith('.') && problems.every((problem) => problem.endsWith('.')));
      assert.ok(tensors.every(({ shape, bytes }) => shape.length < 1000 && !Number.isNaN(bytes)));
    } catch (error) {
      throw new Error(`case ${number} of seed ${SEED}, made of ${name}`, { cause: error });
    }
  }
});
