/** Files that people find instead of a checkpoint are identified. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import type { Format } from '../../server/src/checkpoint/checkpoint.ts';
import { readBytes } from '../../server/src/checkpoint/read.ts';
import { zipOf } from './zipWriter.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures/torch', name));

const found: Record<string, [bytes: Buffer | string, format: Format, problem: RegExp]> = {
  'an empty file': ['', 'empty', /^The file is empty\.$/],
  'a Git LFS pointer': [
    `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 438012727\n`,
    'git-lfs-pointer',
    /pointer to a file of 418 MiB: run `git lfs pull`/,
  ],
  'a web page': ['\n<!DOCTYPE html>\n<html><title>Sign in</title></html>', 'html', /HTML page/],
  'an error message of a hub': [
    'Entry not found',
    'text',
    /^It is text, not a checkpoint: a server responded `Entry not found`\.$/,
  ],
  'a DVC pointer': [
    `outs:\n- md5: ${'0'.repeat(32)}\n  size: 438012727\n  path: model.pt\n`,
    'text',
    /^It is a DVC pointer: run `dvc pull`/,
  ],
  'a git-annex pointer': [
    `/annex/objects/SHA256E-s438012727--${'0'.repeat(64)}.pt\n`,
    'text',
    /^It is a git-annex pointer: run `git annex get`/,
  ],
  'an error as JSON': ['{"error":"Repository not found"}', 'json', /JSON/],
  'compressed data': [gzipSync('weights'), 'gzip', /gzip/],
  'a picture': [Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'unknown', /does not know its format/],
  'a truncated download': [fixture('cuda0.pt').subarray(0, 2000), 'zip', /cut off or damaged/],
  'a truncated download in the old format': [fixture('legacy_cpu.pt').subarray(0, 1500), 'torch-legacy', /cut off/],
  'a ZIP file of other content': [zipOf('readme.txt', Buffer.from('hello')), 'zip', /without a checkpoint in it/],
  'a damaged NumPy array': [zipOf('a.npy', Buffer.from('x')), 'numpy-archive', /header of an array cannot be read/],
};

for (const [name, [bytes, format, problem]] of Object.entries(found))
  test(`${name} is identified`, async () => {
    const checkpoint = await readBytes(inMemory(Buffer.from(bytes)));
    assert.equal(checkpoint.format, format);
    assert.match(checkpoint.problems.join('\n'), problem);
    if (format !== 'torch-legacy') assert.equal(checkpoint.safety.verdict, 'not-checked');
  });

test('text that begins like a pickle is neither quoted nor mistaken for one', async () => {
  // Each letter is an opcode; `r` and four letters would be a memo index.
  const beginnings = [...'root:(){}[]BCFGIJKLMNPQRSTUVXabcdefghijlopqrstu0123456789.', '\n', "S'"];
  for (const beginning of beginnings) {
    const content = `${beginning}secret1=secret2:x\nsecret3 "secret4"\n'secret5'\nsecret6\n`;
    const checkpoint = await readBytes(inMemory(Buffer.from(content)));
    assert.doesNotMatch(JSON.stringify(checkpoint), /secret|1952\d{6}|980709231/, beginning);
    assert.notEqual(checkpoint.format, 'pickle', beginning);
  }
});

test('a compressed member larger than declared is rejected', async () => {
  const bomb = zipOf('bomb/data.pkl', Buffer.alloc(1024 * 1024), 100);
  const { safety, devices } = await readBytes(inMemory(bomb));
  assert.equal(safety.verdict, 'not-checked');
  assert.equal(devices, undefined);
});
