/** Headers that the safetensors and GGUF libraries accept and refuse; each line was tested with safetensors 0.8.0. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import { readBytes } from '../../server/src/checkpoint/read.ts';

const ONE = '"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}';
const entry = (dtype: string, shape: string, offsets: string) =>
  `{"a":{"dtype":"${dtype}","shape":${shape},"data_offsets":${offsets}}}`;

function safetensors(header: string | Buffer, bytes = 4): Buffer {
  const content = Buffer.from(header);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(content.length));
  return Buffer.concat([length, content, Buffer.alloc(bytes)]);
}

const accepted: Record<string, Buffer> = {
  'one tensor': safetensors(`{${ONE}}`),
  'blanks after the header': safetensors(`{${ONE}}  \n`),
  'null metadata': safetensors(`{"__metadata__":null,${ONE}}`),
  'an additional field': safetensors('{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":[1e3]}}'),
  'a scalar': safetensors(entry('F32', '[]', '[0,4]')),
  'an escaped name': safetensors(`{"\\u0061${ONE.slice(2)}}`),
  'a surrogate pair': safetensors(`{"\\ud83d\\ude00${ONE.slice(2)}}`),
  'no tensor at all': safetensors('{}', 0),
  'tensors in another order': safetensors(`{"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]},${ONE}}`, 8),
  'empty tensors': safetensors(`{${ONE},"b":{"dtype":"F32","shape":[0],"data_offsets":[4,4]}}`),
  'pairs of half bytes': safetensors(entry('F4', '[8]', '[0,4]')),
  'four elements of six bits': safetensors(entry('F6_E2M3', '[4]', '[0,3]'), 3),
};

const ambiguous: Record<string, readonly [Buffer, RegExp]> = {
  'a tensor twice': [safetensors(`{${ONE},${ONE}}`), /the key `a` twice/],
  'a duplicate metadata key': [safetensors(`{"__metadata__":{"k":"1","\\u006b":"2"},${ONE}}`), /the key `k` twice/],
  'blanks before the header': [safetensors(` {${ONE}}`), /starts with blanks/],
};

const refused: Record<string, readonly [Buffer, RegExp]> = {
  'bytes after the last tensor': [safetensors(`{${ONE}}`, 5), /it has 1 bytes after its last tensor/],
  'a tensor that is cut off': [safetensors(`{${ONE}}`, 3), /cut off: 1 bytes of its tensors are missing/],
  'a hole': [safetensors(entry('F32', '[1]', '[4,8]'), 8), /`a` begins at 4, but the previous one ends at 0/],
  'tensors that overlap': [
    safetensors(`{${ONE},"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}}`, 6),
    /`b` begins at 2, but the previous one ends at 4/,
  ],
  'a type in lowercase': [safetensors(entry('f32', '[1]', '[0,4]')), /does not know the type `f32`/],
  'a size that does not match the shape': [
    safetensors(entry('F32', '[2]', '[0,4]')),
    /takes 8 bytes, but its header assigns it 4/,
  ],
  'half a byte': [safetensors(entry('F4', '[7]', '[0,4]')), /does not end at a byte/],
  'a size that is not a whole number': [safetensors(entry('F32', '[1.0]', '[0,4]')), /not a whole number/],
  'a negative size': [safetensors(entry('F32', '[-0]', '[0,0]'), 0), /not a whole number/],
  'a size beyond 64 bits': [safetensors(entry('F32', '[18446744073709551616,0]', '[0,0]'), 0), /not a whole number/],
  'more elements than numbers allow': [
    safetensors(entry('F32', '[18446744073709551615,18446744073709551615,0]', '[0,0]'), 0),
    /larger than any memory/,
  ],
  'metadata twice': [safetensors(`{"__metadata__":{},"__metadata__":{},${ONE}}`), /metadata more than once/],
  'metadata of numbers': [safetensors(`{"__metadata__":{"a":1},${ONE}}`), /not a map of strings/],
  'a type twice': [
    safetensors('{"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}}'),
    /has a dtype twice/,
  ],
  'a lone surrogate': [safetensors(`{"\\ud800${ONE.slice(2)}}`), /not valid JSON/],
  'a line break in a name': [safetensors(`{"a\nb${ONE.slice(2)}}`), /not valid JSON/],
  'no UTF-8': [safetensors(Buffer.from(`{"\xff${ONE.slice(2)}}`, 'latin1')), /not valid UTF-8/],
  'an extra comma': [safetensors(`{${ONE},}`), /not valid JSON/],
  'a zero byte after the header': [safetensors(`{${ONE}}\0`), /not valid JSON/],
  'a nested header': [safetensors(`{"a":${'['.repeat(200)}`), /nests deeper than 127 levels/],
};

for (const [name, content] of Object.entries(accepted))
  test(`safetensors accepts ${name}`, async () => {
    const { safety, problems, format } = await readBytes(inMemory(content));
    assert.deepEqual(
      { format, verdict: safety.verdict, problems },
      { format: 'safetensors', verdict: 'no-code', problems: [] },
    );
  });

for (const [name, [content, reason]] of Object.entries(ambiguous))
  test(`safetensors accepts ${name}, which others read differently`, async () => {
    const { safety, problems } = await readBytes(inMemory(content));
    assert.equal(safety.verdict, 'not-checked');
    assert.match(safety.reason, reason);
    assert.deepEqual(problems, [safety.reason]);
  });

for (const [name, [content, problem]] of Object.entries(refused))
  test(`safetensors refuses ${name}`, async () => {
    const { safety, problems } = await readBytes(inMemory(content));
    assert.equal(safety.verdict, 'not-checked');
    assert.match(problems.join('\n'), problem);
  });

test('a header that cannot be read in time is reported as such, not as damaged', async () => {
  const { safety, problems } = await readBytes(
    inMemory(safetensors(`{"__metadata__":{${'"k":"",'.repeat(450_000)}"k":""}}`)),
  );
  assert.equal(safety.reason, 'Not checked: its header is larger than GPU Doctor reads.');
  assert.deepEqual(problems, ['The header has more than 100000 values in one entry, more than GPU Doctor reads.']);
});

test('a header of a hundred thousand tensors is read completely', async () => {
  const entries = Array.from(
    { length: 100_000 },
    (_, index) => `"block.${index}":{"dtype":"U8","shape":[1,1],"data_offsets":[${index},${index + 1}]}`,
  );
  const { safety, tensors } = await readBytes(inMemory(safetensors(`{${entries.join()}}`, 100_000)));
  assert.equal(safety.verdict, 'no-code');
  assert.equal(tensors.length, 100_000);
});

const u32 = (value: number) => {
  const content = Buffer.alloc(4);
  content.writeUInt32LE(value);
  return content;
};
const u64 = (value: number) => {
  const content = Buffer.alloc(8);
  content.writeBigUInt64LE(BigInt(value));
  return content;
};
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const entryOf = (key: string, type: number, value: Buffer) => Buffer.concat([text(key), u32(type), value]);
const tensor = (name: string, offset: number, type = 0) =>
  Buffer.concat([text(name), u32(1), u64(8), u32(type), u64(offset)]);

/** A GGUF file of 32-byte tensors. */
function gguf(entries: readonly Buffer[], tensors: readonly Buffer[], bytes = tensors.length * 32): Buffer {
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(entries.length),
    ...entries,
    ...tensors,
  ]);
  return Buffer.concat([head, Buffer.alloc((32 - (head.length % 32)) % 32), Buffer.alloc(bytes)]);
}
const template = (value: string) => entryOf('tokenizer.chat_template', 8, text(value));

const templates = (values: readonly string[]) =>
  entryOf('tokenizer.chat_template', 9, Buffer.concat([u32(8), u64(values.length), ...values.map(text)]));

const ggufs: Record<string, readonly [content: Buffer, verdict: string, sentence?: RegExp]> = {
  'two tensors': [gguf([], [tensor('a', 0), tensor('b', 32)]), 'no-code'],
  'a hole': [gguf([], [tensor('a', 0), tensor('b', 64)], 96), 'not-checked', /`b` begins at 64 instead of 32/],
  'tensors that overlap': [gguf([], [tensor('a', 0), tensor('b', 0)]), 'not-checked', /`b` begins at 0 instead of 32/],
  'a tensor that is cut off': [gguf([], [tensor('a', 0)], 30), 'not-checked', /cut off: 2 bytes/],
  'bytes after the last tensor': [gguf([], [tensor('a', 0)], 64), 'not-checked', /after its last tensor/],
  'a tensor twice': [gguf([], [tensor('a', 0), tensor('a', 32)]), 'not-checked', /the tensor `a` twice/],
  'a duplicate key': [gguf([entryOf('k', 4, u32(1)), entryOf('k', 4, u32(1))], []), 'not-checked', /the key `k` twice/],
  'an alignment of 24': [gguf([entryOf('general.alignment', 4, u32(24))], []), 'not-checked', /not a power of two/],
  'an alignment of 16': [
    gguf([entryOf('general.alignment', 4, u32(16))], [tensor('a', 0), tensor('b', 32)]),
    'no-code',
  ],
  'blocks that do not fill a row': [gguf([], [tensor('a', 0, 2)]), 'not-checked', /multiple of the q4_0 block size/],
  'an unknown type': [gguf([], [tensor('a', 0, 99)]), 'not-checked', /type 99/],
  'a chat template': [
    gguf([template("{% for m in messages %}{{ m['content'] | trim }}{% endfor %} a __text__")], []),
    'no-code',
  ],
  'a chat template that leaves the sandbox': [
    gguf([template("{{ ''.__class__.__mro__[1].__subclasses__() }}")], []),
    'suspicious',
    /calls `__subclasses__`/,
  ],
  'a chat template that leaves the sandbox through a filter': [
    gguf([template("{{ x | attr('\\x5f\\x5fclass') }}")], []),
    'suspicious',
  ],
  'a list of chat templates': [gguf([templates(['a __text__', '{{ messages[0].content }}'])], []), 'no-code'],
  'a list of chat templates whose last leaves the sandbox': [
    gguf([templates([...Array.from({ length: 200 }, () => 'a'), '{%- set x = cycler.__init__ -%}'])], []),
    'suspicious',
  ],
  'a chat template under another name': [
    gguf([entryOf('tokenizer.chat_template.tool', 8, text('{%- set x = cycler.__init__ -%}'))], []),
    'suspicious',
  ],
};

for (const [name, [content, verdict, sentence]] of Object.entries(ggufs))
  test(`GGUF with ${name}: ${verdict}`, async () => {
    const { safety, problems } = await readBytes(inMemory(content));
    assert.equal(safety.verdict, verdict, `${safety.reason} ${problems}`);
    if (sentence) assert.match(problems.join('\n'), sentence);
    else if (verdict === 'no-code') assert.deepEqual(problems, []);
  });

test('every truncation of a file is reported as cut off', async () => {
  for (const name of [
    'others/tiny.gguf',
    'others/kinds.safetensors',
    'arrays/weight.npy',
    'torch/cuda0.pt',

    'arrays/kinds.npz',
  ]) {
    const whole = readFileSync(join(import.meta.dirname, 'fixtures', name));
    for (const share of [0.3, 0.6, 0.9, 0.95]) {
      const { safety, problems } = await readBytes(inMemory(whole.subarray(0, Math.floor(whole.length * share))));
      const said = `${name} at ${share}: ${problems.join(' ')}`;
      assert.match(problems.join('\n'), /cut off|damaged|incomplete/, said);
      assert.ok(safety.verdict === 'not-checked' || safety.verdict === 'dangerous', said);
    }
  }
});
