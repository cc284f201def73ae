/** Tar archives and NumPy headers as no writer makes them. */
import type { Random } from './mutations.ts';

const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;

const usualSize = (size: number) => `${size.toString(8).padStart(11, '0')}\0`;

/** Spellings of a member's size. */
const SIZES: readonly ((size: number) => string)[] = [
  (size) => `${size.toString(8).padStart(11, '0')} `,
  (size) => size.toString(8).padStart(12, '0'),
  (size) => size.toString(8).padStart(11, ' '),
  (size) => size.toString(8).padEnd(12, ' '),
  (size) => `0o${size.toString(8)}`,
  (size) => `${size.toString(8)}x`,
  (size) => `${size.toString(8)}\0junk`,
  (size) => `1_${size.toString(8).padStart(3, '0')}`,
  (size) => `+${size.toString(8)}`,
  (size) => `\t${size.toString(8)}\n`,
  () => '-1',
  () => '',
  (size) =>
    `\x80${String.fromCharCode(...Array.from({ length: 11 }, (_, index) => (index < 9 ? 0 : (size >> ((10 - index) * 8)) & 255)))}`,
  () => '00000002000',
  () => '00000001000',
];
const TYPES = [...'00000000000000555\0\0xxg12367LKSX A'];
const NAMES = ['pickle', 'storages', 'tensors', 'a.yaml', './a.ckpt', 'folder/', 'folder', 'é', '\xff', 'a\0b', ''];
const MAGICS = ['ustar\x0000', 'ustar\x0000', 'ustar  \0', 'ustar', '', 'ustar\0\0\0'];
const PREFIXES = ['', '', '', '', 'prefix', '17000000000'];
const RECORDS = [
  'mtime=1',
  'path=other',
  'size=512',
  'uid=1',
  'comment=x',
  'comment=x16 size=512',
  'GNU.sparse.size=7',
];

/** Records of an extension, most of them with the correct length. */
function recordsOf(random: Random): Buffer {
  const records = Array.from({ length: random(3) + 1 }, () => {
    const body = ` ${pick(random, RECORDS)}\n`;
    const length = body.length + (body.length > 7 ? 2 : 1) + (random(12) === 0 ? random(20) - 10 : 0);
    return `${Math.max(0, length)}${body}`;
  });
  return Buffer.from(records.join(''), 'latin1');
}

/** Returns an archive of up to six members, some with fields or bytes as no writer makes them. */
export function randomTar(random: Random): Buffer {
  const parts: Buffer[] = [];
  for (let count = random(5) + 1; count > 0; count--) {
    const oddField = random(4) === 0 ? random(6) : undefined;
    const odd = <T>(field: number, usual: T, from: readonly T[]) => (field === oddField ? pick(random, from) : usual);
    const type = odd(0, pick(random, ['0', '0', '0', '5', 'x']), TYPES);
    const isExtension = type === 'x' || type === 'g' || type === 'X';
    const content = isExtension ? recordsOf(random) : Buffer.alloc(pick(random, [0, 1, 100, 512, 600]), 'content');
    const hasContent = type !== '5' ? /[0\0xgX7LKSA ]/.test(type) : random(20) === 0;
    const header = Buffer.alloc(512);
    header.write(odd(1, `member${count}`, NAMES), 0, 100, 'latin1');
    header.write('0000644\0', 100, 'latin1');
    const spelled = odd(2, usualSize, SIZES)(hasContent ? content.length : 0);
    header.write(spelled.slice(0, 12), 124, 'latin1');
    header.write('00000000000\0', 136, 'latin1');
    header.write(' '.repeat(8), 148);
    header.write(type, 156, 'latin1');
    header.write(odd(3, 'ustar\x0000', MAGICS), 257, 'latin1');
    header.write(odd(4, '', PREFIXES), 345, 'latin1');
    if (random(20) === 0) for (let flips = random(4); flips >= 0; flips--) header[random(512)] = random(256);
    header.write(' '.repeat(8), 148);
    const sum = header.reduce((total, byte) => total + byte, 0).toString(8);
    const sums = [`0o${sum}\0`, ` ${sum}\0`, `${sum.slice(0, 1)}_${sum.slice(1)}\0`, `\0\0${sum}`, '0000001\0'];
    header.write(odd(5, `${sum.padStart(6, '0')}\0 `, sums), 148, 'latin1');
    parts.push(header);
    if (hasContent) parts.push(content, Buffer.alloc((512 - (content.length % 512)) % 512));
  }
  if (random(8) > 0) parts.push(Buffer.alloc(1024));
  return Buffer.concat(parts);
}

const USUAL_TYPES = [
  ...["'<f4'", "'|u1'", "'|b1'", "'>i8'", "'<U3'", "'|S5'", "'|V7'", "'|O'", "'<M8[ns]'", "'<m8'", "'|S0'", "'<c16'"],
];
const ODD_TYPES = [
  ...[
    "'d'",
    "'<f'",
    "'<i'",
    "'|B'",
    "'?'",
    "'<e'",
    "'b'",
    "'float32'",
    "'i4,f8'",
    "'(2,)f4'",
    "'3f4'",
    "'<f3'",
    "'O8'",
  ],
  ...[
    "'S'",
    "'U'",
    "'a5'",
    "'c1'",
    "'c'",
    "'<b1'",
    "'|f8'",
    "'=f8'",
    "'<M8[25s]'",
    "'<M8[x]'",
    "'S05'",
    "'f16'",
    "'f12'",
  ],
  ...["('<f4', (2,))", "('|S0', 5)", "('<f4', 3)", "['<f4']", "b'<f4'", "u'<f4'", "'<f' '4'", 'None', '4', "'<f4', "],
];
const ODD_SHAPES = [
  ...['(3)', '[3]', '3', '(True,)', '(3L,)', '(-1,)', '(1_0,)', '(0x3,)', '(3,,)', '(03,)', '(3.0,)', "('3',)"],
];
const SPACES = ['', ' ', '\n', '\t', '  ', '\x0c', '#\n', '\xa0'];

/** Returns a usual item, or occasionally one that NumPy does not write. */
const pickFrom = (random: Random, usual: readonly string[], odd: readonly string[]) =>
  pick(random, random(6) === 0 ? odd : usual);

function fieldOf(random: Random, depth: number): string {
  const name = pickFrom(random, ["'a'", "'b'", "'c'", "'d'", "'e'"], ["''", "('t', 'g')", "'\\x41'", 'b"d"']);
  const type = depth < 2 && random(6) === 0 ? recordOf(random, depth + 1) : typeOf(random);
  return random(4) === 0 ? `(${name}, ${type}, ${shapeOf(random)})` : `(${name}, ${type})`;
}

const recordOf = (random: Random, depth: number): string =>
  `[${Array.from({ length: random(3) + 1 }, () => fieldOf(random, depth)).join(', ')}]`;
const typeOf = (random: Random) => pickFrom(random, USUAL_TYPES, ODD_TYPES);
const shapeOf = (random: Random) => pickFrom(random, ['(3,)', '(2, 3)', '()', '(0,)', '(1, 1)'], ODD_SHAPES);

/** Returns the first bytes of a `numpy.save` file. */
export function randomNumpy(random: Random): Buffer {
  const type = random(3) === 0 ? recordOf(random, 0) : typeOf(random);
  const order = pickFrom(random, ['False', 'True'], ['0', 'None', 'false']);
  const entries = [`'descr': ${type}`, `'fortran_order': ${order}`, `'shape': ${shapeOf(random)}`];
  if (random(30) === 0) entries.splice(random(4), random(2), pick(random, entries));
  const space = () => (random(60) === 0 ? pick(random, SPACES) : '');
  const body = `${space()}{${space()}${entries.join(`,${space()} `)}, }${space()}`;
  const header = Buffer.from(body + pickFrom(random, ['\n', '   \n'], ['', 'x', ' \n\n']), 'latin1');
  const version = random(12) === 0 ? random(5) : 1;
  const start = Buffer.alloc(version > 1 ? 12 : 10);
  start.write('\x93NUMPY', 'latin1');
  start[6] = version;
  start[7] = random(60) === 0 ? 1 : 0;
  if (version > 1) start.writeUInt32LE(header.length, 8);
  else start.writeUInt16LE(header.length, 8);
  return Buffer.concat([start, header, Buffer.alloc(64)]);
}
