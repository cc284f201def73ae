/** Ways to damage a file, reproducible from random numbers. */

export type Random = (below: number) => number;

/** Mulberry32, a seeded random number generator. */
export function randomNumbers(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, below);
  };
}

/** Significant bytes in the formats: signatures, opcodes that repeat or nest, paths out of a folder. */
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
  '/etc/x\0',
  'TREE',
  'SNOD',
  'GCOL',
  'OHDR',
];

/** Impossible lengths and counts, of four and of eight bytes. */
const HUGE = ['ffffffff', 'ffffff7f', 'ffffffffffffffff', 'ffffffffffffff7f', '0000000000000080', '0000004000000000'];

type Mutation = (content: Buffer, random: Random, others: readonly Buffer[]) => Buffer;

const cutOff: Mutation = (content, random) => content.subarray(0, random(content.length));
const cutStart: Mutation = (content, random) => content.subarray(random(content.length));
const flipped: Mutation = (content, random) => {
  const changed = Buffer.from(content);
  for (let count = random(8) + 1; count > 0; count--) changed[random(content.length)] = random(256);
  return changed;
};
const erased: Mutation = (content, random) => {
  const changed = Buffer.from(content);
  const at = random(content.length);
  changed.fill([0x00, 0xff, 0x7f][random(3)] as number, at, Math.min(content.length, at + (1 << random(4))));
  return changed;
};
const hugeNumber: Mutation = (content, random) => {
  const changed = Buffer.from(content);
  Buffer.from(HUGE[random(HUGE.length)] as string, 'hex').copy(changed, random(content.length));
  return changed;
};
const spliced: Mutation = (content, random, others) => {
  const other = others[random(others.length)] ?? content;
  const from = random(other.length);
  const part = other.subarray(from, from + random(200));
  const at = random(content.length);
  return Buffer.concat([content.subarray(0, at), part, content.subarray(at + random(200))]);
};
const withToken: Mutation = (content, random) => {
  const at = random(content.length);
  const token = Buffer.from(TOKENS[random(TOKENS.length)] ?? '', 'latin1');
  return Buffer.concat([content.subarray(0, at), token, content.subarray(at + random(2) * token.length)]);
};
const repeated: Mutation = (content, random) => {
  const at = random(content.length);
  const part = content.subarray(at, at + random(64));
  const parts = Array.from({ length: random(200) }, () => part);
  return Buffer.concat([content.subarray(0, at), ...parts, content.subarray(at)]);
};

const MUTATIONS = [cutOff, cutStart, flipped, erased, hugeNumber, spliced, withToken, repeated];

/** Applies one to three kinds of damage; parts are copied from `others`. */
export function damaged(content: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  let changed = content;
  for (let rounds = random(3) + 1; rounds > 0; rounds--)
    changed = (MUTATIONS[random(MUTATIONS.length)] as Mutation)(changed, random, others);
  return changed;
}
