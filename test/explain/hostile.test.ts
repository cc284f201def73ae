/** Texts that nobody would paste, and logs that are too long to keep. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requiredWordsOf } from '../../scripts/requiredWords.ts';
import { type Files, gather } from '../../server/src/explain/gather.ts';
import { condense } from '../../server/src/explain/reading/condense.ts';
import { asUtf8, decodeText } from '../../server/src/explain/reading/decode.ts';
import { LONGEST_PASTE, readPaste } from '../../server/src/explain/reading/paste.ts';
import { knownMessages } from '../../server/src/messages/catalogue.ts';
import { expressionOf, messageWords } from '../../server/src/messages/find.ts';
import { factsOfText } from '../../server/src/pasted/factsOfText.ts';
import { randomFrom } from '../random.ts';

const LENGTH = 10_000;

/** Texts that make a backtracking expression try forever: its own prefixes and words, repeated. */
function hostileTexts(pattern: string, example: string): string[] {
  const fill = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);
  const matched = expressionOf(pattern).exec(example)?.[0] ?? example;
  const beginnings = [0.25, 0.5, 0.75].map((part) => matched.slice(0, Math.max(1, Math.floor(matched.length * part))));
  const words = requiredWordsOf(pattern).alternatives.flatMap(([first = 'a', ...others]) => [
    first,
    [first, ...others.slice(0, -1)].join(' '),
  ]);
  const pieces = [...beginnings, ...beginnings.map((each) => `${each}\n`), ...words.map((each) => `${each} `)];
  return [...new Set(pieces)].map(fill);
}

/** Nanoseconds per character; an expression with unbounded backtracking takes millions at this length. */
const SLOWEST = 10_000;

test('every pattern reads hostile text in time proportional to its length', () => {
  const slow: string[] = [];
  for (const { id, patterns, examples, causes } of knownMessages()) {
    const checks = causes.flatMap(({ checked_by: those = [] }) => those);
    const printed = checks.flatMap((check) => (typeof check === 'string' ? [] : check.printed));
    for (const pattern of [...patterns, ...printed]) {
      for (const text of hostileTexts(pattern, examples[0] ?? '')) {
        const begin = process.cpuUsage();
        expressionOf(pattern).test(text);
        const { user } = process.cpuUsage(begin);
        if ((user * 1000) / LENGTH > SLOWEST) slow.push(`${id}: ${pattern} (${Math.round((user * 1000) / LENGTH)} ns)`);
      }
    }
  }
  assert.deepEqual(slow, []);
});

test('all other readers of a text also take time proportional to its length', async () => {
  const pieces = [
    '\n',
    '  \n',
    ' ',
    'a',
    'a ',
    '/a',
    '[',
    '"',
    '```python\n',
    '  File "',
    'torch 2.1\n',
    '| NVIDIA-SMI 535.1\n',
  ];
  messageWords();
  for (const piece of pieces) {
    const text = piece.repeat(50_000 / piece.length);
    const begin = process.cpuUsage();
    const paste = readPaste(text);
    await gather(paste, factsOfText(paste.lines), NO_FILES, '/');
    const perSign = (process.cpuUsage(begin).user * 1000) / text.length;
    assert.ok(perSign < SLOWEST, `${JSON.stringify(piece)}: ${Math.round(perSign)} ns`);
  }
});

const NO_FILES: Files = { readText: async () => undefined, readCheckpoint: async () => undefined };

test('text of any kind is read without an error', () => {
  const random = randomFrom(14);
  const bytes = Uint8Array.from({ length: 50_000 }, () => random(256));
  const texts = [
    decodeText(bytes),
    '',
    '\0'.repeat(1000),
    '│'.repeat(10_000),
    'Traceback (most recent call last):\n',
    '  File "',
    `  File "${'x'.repeat(100_000)}", line 1\n`,
    '\u001B['.repeat(20_000),
    '\u001B]0;'.repeat(20_000),
    '['.repeat(50_000),
    '](https://'.repeat(10_000),
    '&quot'.repeat(10_000),
    `${'- '.repeat(50_000)}>`,
    '\uD800'.repeat(1000),
    `${'1 '.repeat(90)}Traceback (most recent call last):\n${'1 '.repeat(200)}\n`.repeat(500),
    Array.from(
      { length: 9000 },
      (_, n) => `${n.toString(36)}x: Traceback (most recent call last):\n${n.toString(36)}x:   y`,
    ).join('\n'),
    `[[[(((***+++: Traceback (most recent call last):\n[[[(((***+++:   x\n`.repeat(2000),
  ];
  for (const text of texts) assert.deepEqual(readPaste(text).messages, []);
});

test('UTF-16 output of a console is read', () => {
  const text = 'AssertionError: Torch not compiled with CUDA enabled\r\n';
  for (const bytes of [
    Buffer.from(`\uFEFF${text}`, 'utf16le'),
    Buffer.from(text, 'utf16le'),
    Buffer.from(text, 'utf16le').swap16(),
  ])
    assert.equal(readPaste(decodeText(bytes)).messages[0]?.message.id, 'torch-not-compiled-with-cuda');
});

test("the error in the middle of such a console's long log is kept", async () => {
  const steps = 'step of many, with a loss that goes down\n'.repeat(30_000);
  const bytes = Buffer.from(`\uFEFF${steps}AssertionError: Torch not compiled with CUDA enabled\n${steps}`, 'utf16le');
  async function* log() {
    // The cut may split a character.
    for (let start = 0; start < bytes.length; start += 65_535) yield bytes.subarray(start, start + 65_535);
  }
  const kept = decodeText(await condense(asUtf8(log())));
  assert.equal(readPaste(kept).messages[0]?.message.id, 'torch-not-compiled-with-cuda');
});

test('the error in the middle of a long log is kept, within the size of a paste', async () => {
  const noise = (from: number) =>
    Buffer.from(
      Array.from({ length: 20_000 }, (_, n) => `INFO step ${from + n} loss 0.${n} on cuda:0, 12 it/s\n`).join(''),
    );
  async function* log() {
    for (let part = 0; part < 10; part++) yield noise(part * 20_000);
    yield Buffer.from('RuntimeError: CUDA error: no kernel image is available for execution on the device\n');
    for (let part = 10; part < 20; part++) yield noise(part * 20_000);
  }
  const kept = await condense(log());
  assert.ok(kept.length <= LONGEST_PASTE, String(kept.length));
  assert.equal(readPaste(decodeText(kept)).messages[0]?.message.id, 'no-kernel-image');
});

test('an endless line is not kept', async () => {
  async function* log() {
    for (let part = 0; part < 100; part++) yield Buffer.alloc(100_000, 'x');
  }
  assert.ok((await condense(log())).length <= LONGEST_PASTE);
});

const NVML_ERRORS = {
  'driver-mismatch': 'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.54',
  'nvml-unknown': 'Failed to initialize NVML: Unknown Error',
  'gpu-lost': 'pynvml.nvml.NVMLError_GpuIsLost: GPU is lost',
};

for (const [id, words] of Object.entries(NVML_ERRORS))
  test(`NVML's message is found among the steps of a long log: ${id}`, async () => {
    const steps = (from: number) =>
      Array.from(
        { length: 20_000 },
        (_, step) => `10:00 INFO trainer step=${from + step} loss=0.4${step % 7} gpu_mem=${(step % 9) * 1000}MiB`,
      ).join('\n');
    async function* log() {
      yield Buffer.from(`${steps(0)}\n${words}\n${steps(20_000)}\nFinished with exit code 1\n`);
    }
    assert.equal(readPaste(decodeText(await condense(log()))).messages[0]?.message.id, id);
  });
