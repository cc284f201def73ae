/**
 * Files that demand more time, memory or output than their size suggests, by what they overload. Each function writes
 * its files into a folder and returns the path to inspect. None of them contains code.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { File, FS, ready } from 'h5wasm';
import { npyWith, tarWith, zipWith } from '../archiveWriter.ts';
import { legacy, pickle } from '../pickleWriter.ts';

type Write = (folder: string) => string | Promise<string>;

const MEGABYTE = 1024 * 1024;

/** A kind that consists of one file. */
const fileOf =
  (name: string, content: () => Buffer | string): Write =>
  (folder) => {
    const path = join(folder, name);
    writeFileSync(path, content());
    return path;
  };

/** A protocol 0 pickle that pushes and drops values and results in `None`. */
const dropped = (line: string, size: number): Buffer =>
  Buffer.concat([
    Buffer.alloc(Math.floor(size / (line.length + 2)) * (line.length + 2), `${line}\n0`),
    Buffer.from('N.'),
  ]);

const kerasOf = (configuration: string): Buffer =>
  zipWith([
    { name: 'metadata.json', content: Buffer.from('{"keras_version": "3.15.1"}') },
    { name: 'config.json', content: Buffer.from(configuration) },
    { name: 'model.weights.npz', content: Buffer.alloc(0) },
  ]);

const lists = (count: number) => `{"config": [${'[],'.repeat(count - 1)}[]]}`;

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

/** A GGUF file with one text and no tensors. */
const ggufOf = (key: string, text: string): Buffer =>
  Buffer.concat([
    ...[Buffer.from('GGUF'), u32(3), u64(0), u64(1)],
    ...[u64(key.length), Buffer.from(key), u32(8), u64(text.length), Buffer.from(text)],
  ]);

/** Encodes a base-128 varint. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Buffer.from([...bytes, value]);
}

/** Encodes a protocol buffer field that is a text or a message. */
const field = (number: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
};

/** Returns an ONNX model with that graph. */
const onnxOf = (graph: Buffer): Buffer => Buffer.concat([Buffer.from([8, 8]), field(2, 'pytorch'), field(7, graph)]);

/** Returns a LevelDB table with one block. */
function tableOf(entries: Buffer): Buffer {
  const block = Buffer.concat([entries, u32(0), u32(1)]);
  const trailer = Buffer.alloc(5);
  const handle = (offset: number, size: number) => Buffer.concat([varint(offset), varint(size)]);
  const pointer = handle(0, block.length);
  const index = Buffer.concat([Buffer.from([0, 1, pointer.length, 0x7a]), pointer, u32(0), u32(1)]);
  const footer = Buffer.alloc(48);
  Buffer.concat([handle(0, 0), handle(block.length + 5, index.length)]).copy(footer);
  Buffer.from('57fb808b247547db', 'hex').copy(footer, 40);
  return Buffer.concat([block, trailer, index, trailer, footer]);
}

/** Returns entries whose keys each extend the previous key by a letter. */
function growingKeys(count: number, growth: number): Buffer {
  const entries: Buffer[] = [];
  for (let index = 0; index < count; index++)
    entries.push(varint(index * growth), varint(growth), varint(0), Buffer.alloc(growth, 'k'));
  return Buffer.concat(entries);
}

/** A ZIP file whose members share one location. */
function overlapping(count: number, content: Buffer, nameOf: (index: number) => string): Buffer {
  const packed = deflateRawSync(content);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt32LE(content.length, 22);
  head.writeUInt16LE(nameOf(0).length, 26);
  const entries = Array.from({ length: count }, (_, index) => {
    const name = nameOf(index);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    return Buffer.concat([entry, Buffer.from(name)]);
  });
  const table = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(table.length, 12);
  end.writeUInt32LE(head.length + nameOf(0).length + packed.length, 16);
  return Buffer.concat([head, Buffer.from(nameOf(0)), packed, table, end]);
}

/** A safetensors file of empty tensors. */
function safetensorsOf(count: number, nameOf: (index: number) => string): Buffer {
  const tensors = Array.from(
    { length: count },
    (_, index) => `"${nameOf(index)}":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}`,
  );
  const header = Buffer.from(`{${tensors.join(',')}}`);
  return Buffer.concat([u64(header.length), header]);
}

/** Writes an HDF5 file in a separate process, because the library never releases memory. */
const hdf5 =
  (name: keyof typeof HDF5): Write =>
  (folder) => {
    const path = join(folder, 'model.h5');
    execFileSync(process.execPath, [import.meta.filename, name, path]);
    return path;
  };

/** Contents of HDF5 files. */
const HDF5 = {
  'long names': (file) => {
    for (let index = 0; index < 300; index++) file.create_group(`${'n'.repeat(60_000)}${index}`);
  },
  groups: (file) => {
    for (let index = 0; index < 9_900; index++) file.create_group(`g${index}`);
  },
  datasets: (file) => {
    for (let index = 0; index < 9_900; index++) file.create_dataset({ name: `d${index}`, data: new Float32Array([1]) });
  },
  attributes: (file) => {
    for (let index = 0; index < 60_000; index++) file.create_attribute(`a${index}`, 'text');
  },
  nested: (file) => {
    let group: { create_group(name: string): unknown } = file;
    for (let depth = 0; depth < 60; depth++) group = group.create_group('g'.repeat(60)) as typeof group;
  },
  lists: (file) => file.create_attribute('model_config', lists(3_000_000)),
  'wide lists': (file) => file.create_attribute('model_config', lists(400_000)),
} satisfies Readonly<Record<string, (file: File) => void>>;

async function writeHdf5(name: keyof typeof HDF5, path: string): Promise<void> {
  await ready;
  const file = new File('/hostile.h5', 'w');
  HDF5[name](file);
  file.close();
  writeFileSync(path, FS?.readFile('/hostile.h5') as Uint8Array);
}

/** A pickle that unpickles the same bytes repeatedly. */
function repeatedlyLoaded(count: number, content: Buffer): Buffer {
  const [once, again] = [
    pickle('ctorch.storage\n_load_from_bytes\nq\0', 'B', u32(content.length), content, 'q\x01'),
    pickle('h\0h\x01\x85R0'),
  ];
  return pickle([0x80, 3], once, '00', Buffer.alloc(again.length * count, again), 'N.');
}

const folderOf = (folder: string, name: string, files: Readonly<Record<string, Buffer | string>>): string => {
  const path = join(folder, name);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(path, file, '..'), { recursive: true });
    writeFileSync(join(path, file), content);
  }
  return path;
};

const LAYER = '{"class_name": "Dense", "name": "a", "config": {"units": 1}}';

export const HOSTILE: Readonly<Record<string, Write>> = {
  'a chat template of openings': fileOf('a.gguf', () => ggufOf('tokenizer.chat_template', '{{'.repeat(500_000))),
  'a chat template of openings and minus signs': fileOf('b.gguf', () =>
    ggufOf('tokenizer.chat_template', '{%-'.repeat(330_000)),
  ),
  'a million texts of metadata': fileOf('c.gguf', () =>
    Buffer.concat([
      ...[Buffer.from('GGUF'), u32(3), u64(0), u64(1), u64(1), Buffer.from('k')],
      ...[u32(9), u32(8), u64(7_900_000), Buffer.alloc(8 * 7_900_000)],
    ]),
  ),
  'YAML of many keys': fileOf('a.nemo', () => nemoOf(`${'k'.repeat(3)}`, (index) => `k${index}: 1\n`)),
  'YAML that nests in brackets': fileOf('b.nemo', () => nemoOf('a: ', () => '[')),
  'YAML that nests in braces': fileOf('c.nemo', () => nemoOf('a: ', () => '{a: ')),
  'YAML of a long flow': fileOf('d.nemo', () => nemoOf('a: [', (index) => `{k${index}: 1}, `)),
  'an index with many links to one shard': (folder) => {
    const count = 39;
    writeFileSync(
      join(folder, 'shard.safetensors'),
      safetensorsOf(100_000, (index) => `layers.${index}.weight`),
    );
    const map: Record<string, string> = {};
    for (let index = 0; index < count; index++) {
      execFileSync('ln', ['-sf', 'shard.safetensors', join(folder, `${index}.safetensors`)]);
      map[`t${index}`] = `${index}.safetensors`;
    }
    const path = join(folder, 'model.safetensors.index.json');
    writeFileSync(path, JSON.stringify({ metadata: {}, weight_map: map }));
    return path;
  },
  'an index of missing shards': fileOf('missing.index.json', () =>
    JSON.stringify({
      metadata: {},
      weight_map: Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`t${index}`, `${index}.bin`])),
    }),
  ),
  'a Keras configuration of lists': fileOf('a.keras', () => kerasOf(lists(5_500_000))),
  'a Keras configuration that is wide': fileOf('b.keras', () => kerasOf(lists(400_000))),
  'a Keras configuration of numbers': fileOf('c.keras', () => kerasOf(`{"config": [${'1,'.repeat(7_000_000)}1]}`)),
  'a Keras configuration that nests': fileOf('d.keras', () =>
    kerasOf(
      `[${Array(1500)
        .fill(`${'{"config":'.repeat(900)}1${'}'.repeat(900)}`)
        .join()}]`,
    ),
  ),
  'an ONNX tensor of a million dimensions': fileOf('a.onnx', () =>
    onnxOf(field(5, Buffer.concat([...Array(2500).fill(field(1, Buffer.alloc(4000, 1))), field(8, 'w')]))),
  ),
  'ONNX messages in messages': fileOf('b.onnx', () =>
    onnxOf(Buffer.concat([field(1, field(4, 'Add')), Buffer.alloc(8 * MEGABYTE, field(5, field(13, '')))])),
  ),
  'ONNX fields of one byte': fileOf('c.onnx', () => onnxOf(Buffer.alloc(16 * MEGABYTE, field(1, '')))),
  'a TensorFlow index of keys that grow': fileOf('a.index', () => tableOf(growingKeys(200_000, 1))),
  'a TensorFlow index of keys that grow fast': fileOf('b.index', () => tableOf(growingKeys(20_000, 100))),
  'a SavedModel of 600,000 layers': (folder) => {
    const node = field(1, field(4, field(3, LAYER)));
    const objects = Buffer.alloc(node.length * 600_000, node);
    return folderOf(folder, 'layers', { 'saved_model.pb': field(2, field(7, objects)) });
  },
  'a SavedModel of fields': (folder) =>
    folderOf(folder, 'fields', { 'saved_model.pb': field(2, field(2, Buffer.alloc(60 * MEGABYTE, field(1, '')))) }),
  'texts of escapes': fileOf('a.pkl', () => dropped(`S'${'\\x41'.repeat(30_000)}'`, 60 * MEGABYTE)),
  'texts of Unicode escapes': fileOf('b.pkl', () => dropped(`V${'\\u0041'.repeat(20_000)}`, 60 * MEGABYTE)),
  'texts of backslashes': fileOf('c.pkl', () => dropped(`V${'\\\\'.repeat(30_000)}`, 60 * MEGABYTE)),
  'hexadecimal numbers': fileOf('d.pkl', () => dropped(`I-0x${'f'.repeat(4290)}`, 60 * MEGABYTE)),
  'decimal numbers': fileOf('e.pkl', () => dropped(`L${'9'.repeat(4290)}L`, 60 * MEGABYTE)),
  'numbers with underscores': fileOf('f.pkl', () => dropped(`I${'1_'.repeat(2100)}1`, 60 * MEGABYTE)),
  'numbers of the memo': fileOf('g.pkl', () =>
    pickle('N', Buffer.alloc(40 * MEGABYTE, `p${'0'.repeat(4000)}1\n`), '.'),
  ),
  'binary numbers': fileOf('h.pkl', () =>
    pickle([0x80, 2], Buffer.alloc(4306 * 14_000, pickle([0x8b], u32(4300), Buffer.alloc(4300, 0x7f), '0')), 'N.'),
  ),
  'a checkpoint loaded 300 times': fileOf('i.pkl', () =>
    repeatedlyLoaded(300, legacy({ object: pickle([0x80, 2], Buffer.alloc(200_000, 'N0'), '}.') })),
  ),
  'a checkpoint loaded 28,000 times': fileOf('j.pkl', () => repeatedlyLoaded(28_000, legacy())),
  'globals by the hundred thousand': fileOf('k.pkl', () =>
    Buffer.concat([
      Buffer.from([0x80, 2]),
      ...Array.from({ length: 400_000 }, (_, index) => Buffer.from(`cnetwork${index}\nNet\n0`)),
      Buffer.from('N.'),
    ]),
  ),
  'globals of long names': fileOf('l.pkl', () =>
    Buffer.concat([
      Buffer.from([0x80, 2]),
      ...Array.from({ length: 600 }, (_, index) => Buffer.from(`cnetwork${index}\n${'N.'.repeat(40_000)}N\n0`)),
      Buffer.from('N.'),
    ]),
  ),
  'instructions without end': fileOf('m.pkl', () => pickle([0x80, 2], Buffer.alloc(100 * MEGABYTE, 'N0'), 'N.')),
  'tensors below long names': fileOf('n.pkl', () => {
    const tensor = 'ctorch._utils\n_rebuild_meta_tensor_no_storage\n(ctorch\nfloat32\n(K\x01t(K\x01t\x89tR';
    const deep = pickle(...Array.from({ length: 60 }, () => pickle('}X', u32(16_000), Buffer.alloc(16_000, 'n'))));
    const many = pickle('(', Buffer.alloc(tensor.length * 20_000, tensor, 'latin1'), 'l');
    return pickle([0x80, 2], deep, many, 's'.repeat(60), '.');
  }),
  'members that overlap, of arrays': fileOf('a.npz', () =>
    overlapping(30_000, npyWith(headerOf(63_000), Buffer.alloc(4)), (index) => `a${index}.npy`),
  ),
  'members that overlap, of pickles': fileOf('a.pt', () =>
    overlapping(1000, pickle([0x80, 2], Buffer.alloc(60 * MEGABYTE, 'N0'), '}.'), () => 'a/data.pkl'),
  ),
  'members that overlap, of storages': fileOf('b.pt', () =>
    overlapping(150, pickle([0x80, 2], 'N.'), (index) => `a/${index}.pt`),
  ),
  'a header of NumPy of 64 KB': fileOf('b.npz', () =>
    zipWith(
      Array.from({ length: 800 }, (_, index) => ({
        name: `${index}.npy`,
        content: npyWith(headerOf(60_000), Buffer.alloc(4)),
      })),
    ),
  ),
  '49,000 arrays in one file': fileOf('a.npy', () =>
    Buffer.concat(Array(49_000).fill(npyWith(headerOf(60), Buffer.alloc(4)))),
  ),
  'names of members of 64 KB': fileOf('c.pt', () =>
    zipWith(
      Array.from({ length: 450 }, (_, index) => ({ name: `${'n/'.repeat(32_000)}${index}`, content: Buffer.alloc(0) })),
    ),
  ),
  'members by the ten thousand': fileOf('d.pt', () =>
    zipWith([
      { name: 'a/data.pkl', content: pickle([0x80, 2], '}.') },
      ...Array.from({ length: 65_000 }, (_, index) => ({ name: `a/data/${index}`, content: Buffer.alloc(0) })),
    ]),
  ),
  'a tar archive of tar archives': fileOf('a.tar', () => {
    const inner = tarWith(
      Array.from({ length: 900 }, (_, index) => ({ name: `${index}`, content: Buffer.from('N0N.') })),
    );
    return tarWith(Array.from({ length: 40 }, (_, index) => ({ name: `${index}.tar`, content: inner })));
  }),
  'HDF5 with names of 60 KB': hdf5('long names'),
  'HDF5 with 10,000 groups': hdf5('groups'),
  'HDF5 with 10,000 datasets': hdf5('datasets'),
  'HDF5 with 60,000 attributes': hdf5('attributes'),
  'HDF5 that nests': hdf5('nested'),
  'HDF5 with a configuration of lists': hdf5('lists'),
  'HDF5 with a wide configuration': hdf5('wide lists'),
  'safetensors with names of 64 KB': fileOf('a.safetensors', () =>
    safetensorsOf(1500, (index) => `${'n'.repeat(60_000)}${index}`),
  ),
  'safetensors with 300,000 tensors': fileOf('b.safetensors', () =>
    safetensorsOf(300_000, (index) => `layers.${index}.w`),
  ),
  'a pipe': (folder) => pipeAt(join(folder, 'pipe.pt')),
  'an index that names a pipe': (folder) => {
    pipeAt(join(folder, 'pipe.safetensors'));
    const path = join(folder, 'pipe.safetensors.index.json');
    writeFileSync(path, JSON.stringify({ metadata: {}, weight_map: { w: 'pipe.safetensors' } }));
    return path;
  },
  'a SavedModel with a pipe': (folder) => {
    const path = folderOf(folder, 'piped', { 'saved_model.pb': '' });
    pipeAt(join(path, 'keras_metadata.pb'));
    return path;
  },
};

/** Names of kinds that require named pipes. */
export const NEEDS_PIPES: ReadonlySet<string> = new Set(Object.keys(HOSTILE).filter((name) => name.endsWith(' pipe')));

function pipeAt(path: string): string {
  execFileSync('mkfifo', [path]);
  return path;
}

/** A header of a plain array, padded to a length. */
function headerOf(length: number): string {
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
  return header.padEnd(length);
}

/** A NeMo archive with a configuration of one megabyte. */
function nemoOf(start: string, part: (index: number) => string): Buffer {
  const parts = [start.endsWith(' ') || start.endsWith('[') ? start : ''];
  for (let [index, size] = [0, 0]; size < MEGABYTE - 100; index++) {
    const next = part(index);
    parts.push(next);
    size += next.length;
  }
  return tarWith([
    { name: './model_config.yaml', content: Buffer.from(parts.join('')) },
    { name: './model_weights.ckpt', content: Buffer.from(pickle([0x80, 2], '}.')) },
  ]);
}

if (import.meta.main) await writeHdf5(process.argv[2] as keyof typeof HDF5, process.argv[3] ?? '');
