/** Pickles that no pickler writes: random instructions that get an unpickler far. */
import { pickle, text } from '../pickleWriter.ts';
import type { Random } from './mutations.ts';

/** Spellings of a number, most of which no pickler uses. */
const NUMBERS = [
  ...['0', '1', '7', '00', '01', '-1', '+1', ' 1', '1 ', '\t1', '\x0b1', '\x0c2', '1\r', '0x1f', '0b1', '0o17', '017'],
  ...['1_000', '1__0', '_1', '1L', '7\0', '1\0junk', '\0', ' \0', '\x0b1\0', '1.5', '1e3', '1.5\0x', 'inf', '-nan', ''],
  ...[
    '9'.repeat(30),
    '7'.repeat(4301),
    `${'7'.repeat(4301)}\0`,
    'junk',
    '0x',
    '1 1',
    '٣',
    '1e999',
    '.5',
    '5.',
    '1_0.5',
  ],
];

/** Memo indexes. */
const INDEXES = [
  ...['0', '1', '2', '3', '00', '+1', ' 2', '1\0', '2\0junk', '1_0', '-1', '\0', '300', '5000000', 'x', ''],
];

const TEXTS = [
  ...[
    "'a'",
    '"a"',
    "''",
    "'a",
    'a',
    "'a\\x41'",
    "'\\101'",
    "'\\x4'",
    "'\\",
    "'\\'",
    "'a' ",
    "'\\q'",
    "'\xff'",
    "'a\0b'",
  ],
];

const UNICODES = [
  'a',
  '',
  '\\u0041',
  '\\U00000041',
  '\\u00',
  '\\U00110000',
  '\\x41',
  '\\\\u0041',
  'a\0b',
  '\xff',
  'a\r',
];

const MODULES = ['os', 'posix', '__builtin__', 'copy_reg', 'itertools', 'exceptions', 'UserDict', 'a.b', 'a b', ''];
const NAMES = ['system', 'xrange', 'izip', 'StandardError', 'ImportError', 'c.d', 'unicode', 'IterableUserDict', ''];

const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;

function little(value: number, bytes: 1 | 2 | 4 | 8): Buffer {
  const content = Buffer.alloc(8);
  content.writeBigInt64LE(BigInt(value));
  return content.subarray(0, bytes);
}

/** Returns a length that usually matches the content. */
const length = (random: Random, of: number) => (random(12) === 0 ? random(300) : of);

type Writer = (random: Random) => Buffer;

const lineOf =
  (opcode: string, lines: readonly string[]): Writer =>
  (random) =>
    pickle(opcode, `${pick(random, lines)}\n`);
const importOf =
  (opcode: string): Writer =>
  (random) =>
    pickle(opcode, `${pick(random, MODULES)}\n${pick(random, NAMES)}\n`);
const plain =
  (opcode: string | number): Writer =>
  () =>
    pickle(opcode);
const content = (random: Random) =>
  Buffer.from(pick(random, ['', 'a', 'os', 'system', 'é', '\0', 'abcdefgh'.repeat(4)]));

const counted =
  (opcode: number, bytes: 1 | 4 | 8): Writer =>
  (random) => {
    const payload = content(random);
    return pickle(opcode, little(length(random, payload.length), bytes), payload);
  };

const numbered =
  (opcode: number | string, bytes: 1 | 2 | 4): Writer =>
  (random) =>
    pickle(opcode, little(random(20) === 0 ? random(2 ** 31) : random(6), bytes));

const long =
  (opcode: number, bytes: 1 | 4): Writer =>
  (random) => {
    const size = pick(random, [0, 1, 3, 8, 200, ...(bytes === 4 ? [5000, -1] : [])]);
    return pickle(opcode, little(size, bytes), Buffer.alloc(Math.max(0, size), 1));
  };

/** Generators of instructions that push, that pop, and that only start or move something. */
const PUSHING: readonly Writer[] = [
  ...['N', ')', ']', '}', 'N', 'K\x01', 'K\x00'].map(plain),
  ...[0x88, 0x89, 0x8f].map(plain),
  lineOf('I', NUMBERS),
  lineOf('L', NUMBERS),
  lineOf('F', NUMBERS),
  lineOf('S', TEXTS),
  lineOf('V', UNICODES),
  lineOf('P', ['a', '', 'é']),
  lineOf('g', INDEXES),
  numbered('h', 1),
  numbered('j', 4),
  numbered('M', 2),
  numbered('J', 4),
  numbered(0x82, 1),
  importOf('c'),
  importOf('c'),
  (random) => pickle(text(pick(random, MODULES)), text(pick(random, NAMES)), 0x93),
  counted(0x8c, 1),
  counted(0x58, 4),
  counted(0x8d, 8),
  counted(0x43, 1),
  counted(0x42, 4),
  counted(0x8e, 8),
  counted(0x96, 8),
  counted(0x55, 1),
  counted(0x54, 4),
  long(0x8a, 1),
  long(0x8b, 4),
  (random) => pickle('G', Buffer.from(Array.from({ length: 8 }, () => random(256)))),
  (random) => pickle('(', importOf('i')(random)),
  (random) => pickle('c', `${pick(random, MODULES)}\n${pick(random, NAMES)}\n`, ')R'),
  (random) => pickle('(', importOf('c')(random), 'No'),
];

const MOVING: readonly Writer[] = [
  ...['(', '(', '2', '0'].map(plain),
  plain(0x94),
  lineOf('p', INDEXES),
  numbered('q', 1),
  numbered('r', 4),
  (random) => pickle(0x80, random(7)),
  (random) => pickle(0x95, little(pick(random, [0, 5, 20, 60, 1000]), 8)),
];

const POPPING: readonly Writer[] = [
  ...['1', 't', 'l', 'd', 'a', 'e', 's', 'u', 'b', 'R', 'o', 'Q', 'R', 'b'].map(plain),
  ...[0x81, 0x92, 0x85, 0x86, 0x87, 0x90, 0x91, 0x93, 0x97, 0x98].map(plain),
  importOf('i'),
];

/** Returns a stream of up to forty mostly valid instructions, which ends, is cut off or continues after its end. */
export function randomStream(random: Random): Buffer {
  const parts: Buffer[] = [];
  if (random(3) > 0) parts.push(pickle(0x80, random(6)));
  for (let count = random(40) + 1; count > 0; count--) {
    const among = random(10) < 5 ? PUSHING : random(10) < 4 ? MOVING : POPPING;
    parts.push(pick(random, among)(random));
    if (random(4) === 0) parts.push(pickle(')R'));
  }
  parts.push(pickle('.'));
  const stream = Buffer.concat(parts);
  return random(6) === 0 ? stream.subarray(0, random(stream.length)) : stream;
}
