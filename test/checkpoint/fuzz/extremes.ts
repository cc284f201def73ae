/**
 * Reads one file that demands as much as it can: `extremes.ts NAME`. It runs in a process that may not write files or
 * start processes, and reports the memory that this took.
 */
import { inMemory } from '../../../server/src/checkpoint/bytes.ts';
import { readBytes } from '../../../server/src/checkpoint/read.ts';
import { pickle, text } from '../pickleWriter.ts';
import { zipOf } from '../zipWriter.ts';

const MEGABYTE = 1024 * 1024;

function number(value: number, bytes: 4 | 8): Buffer {
  const content = Buffer.alloc(8);
  content.writeBigUInt64LE(BigInt(value));
  return content.subarray(0, bytes);
}

/** Returns a record of a tar archive. */
function tarMember(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(`${content.length.toString(8).padStart(11, '0')} `, 124);
  header.write('ustar', 257);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

const ONE_STORAGE = Buffer.concat([
  pickle([0x80, 2], '(', 'K', 1, 'U', 3, 'cpu', 'ctorch\nFloatStorage\n', 't.'),
  number(0, 8),
]);

export const EXTREMES: Readonly<Record<string, () => Buffer>> = {
  'marks in marks': () => pickle([0x80, 4], '('.repeat(20 * MEGABYTE)),
  'lists in lists': () => pickle([0x80, 4], ']'.repeat(2_000_000), 'a'.repeat(1_999_999), '.'),
  'tuples in tuples': () => pickle([0x80, 4], 'N', '\x85'.repeat(2_500_000), '.'),
  'a million calls that are filled': () =>
    pickle([0x80, 2], '(ccollections\nOrderedDict\nq\0', 'h\0)RNNs'.repeat(1_190_000), 'l.'),
  'a million dicts of one': () => pickle([0x80, 2], '(', '}NNs'.repeat(1_190_000), 'l.'),
  'millions of numbers': () => pickle([0x80, 2], '(', Buffer.alloc(7_000_000 * 9, 'G?\xf8abcdef', 'latin1'), 'l.'),
  'a list that doubles forty times': () => pickle([0x80, 4], ']', '2(22e'.repeat(40), '.'),
  'a dict that holds itself under a thousand names': () =>
    pickle(
      [0x80, 4],
      '}\x94(',
      Buffer.concat(Array.from({ length: 1000 }, (_, key) => pickle(text(`k${key}`), 'h', 0))),
      'u.',
    ),
  'a memo of millions': () => pickle([0x80, 4], 'N', '\x94'.repeat(5_000_000), '.'),
  'nothing, twenty million times': () => pickle([0x80, 4], 'N0'.repeat(15_000_000), 'N.'),
  'millions of texts': () => pickle([0x80, 4], '(', Buffer.alloc(12 * MEGABYTE, text('abcdef')), 'l.'),
  'calls of calls': () => pickle([0x80, 4], 'cnetworks\nNet\n', ')R'.repeat(2_500_000), '.'),
  'a packed pickle of 60 MB': () => zipOf('a/data.pkl', pickle([0x80, 2], 'N0'.repeat(30 * MEGABYTE), 'N.')),
  'a packed pickle that unpacks to more than declared': () => zipOf('a/data.pkl', Buffer.alloc(200 * MEGABYTE), 100),
  'a packed array of 500 MB': () => zipOf('a.npy', Buffer.alloc(500 * MEGABYTE)),
  'a table of contents of a quarter of a million members': () => zipOf('a/data.pkl', pickle('N.'), undefined, 250_000),
  'a header that nests': () =>
    Buffer.concat([number(90 * MEGABYTE, 8), Buffer.from('{"a":'), Buffer.alloc(90 * MEGABYTE - 5, '[')]),
  'a hundred thousand storages of an old file': () => {
    const storages = Buffer.concat([
      pickle([0x80, 2], 'J', number(100_000, 4), '.'),
      ...Array(100_000).fill(ONE_STORAGE),
    ]);
    const others = { sys_info: '}.', pickle: '}.', tensors: 'K\0.' };
    const members = Object.entries(others).map(([name, content]) => tarMember(name, pickle([0x80, 2], content)));
    return Buffer.concat([...members, tarMember('storages', storages)]);
  },
  'a million texts of metadata': () =>
    Buffer.concat([
      Buffer.from('GGUF'),
      number(3, 4),
      number(0, 8),
      number(1, 8),
      number(1, 8),
      Buffer.from('k'),
      number(9, 4),
      number(8, 4),
      number(1_000_000, 8),
      Buffer.alloc(8_000_000),
    ]),
};

if (import.meta.main) {
  const content = (EXTREMES[process.argv[2] ?? ''] as () => Buffer)();
  const before = process.resourceUsage().maxRSS;
  await readBytes(inMemory(content));
  // Memory that the test used to write the file does not count.
  process.send?.({ kilobytes: process.resourceUsage().maxRSS - before });
  process.disconnect?.();
}
