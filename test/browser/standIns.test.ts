/** The stand-ins for Node's modules in a browser answer as these do. */
import assert from 'node:assert/strict';
import * as node from 'node:buffer';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { browserBundles } from '../../scripts/browserBundles.ts';
import { root } from '../../scripts/root.ts';
import { dropFile, holdFile } from '../../server/src/browser/files.ts';
import * as buffer from '../../server/src/browser/node/buffer.ts';
import * as crypto from '../../server/src/browser/node/crypto.ts';
import * as fs from '../../server/src/browser/node/fs.ts';
import * as url from '../../server/src/browser/node/url.ts';
import * as util from '../../server/src/browser/node/util.ts';

test('addresses of files', () => {
  for (const one of ['/a b/c.py', '/ä/100%.py', '/a#b?c', '/web-files/127.0.0.1%3A80/x'])
    assert.equal(url.pathToFileURL(one).href, pathToFileURL(one).href);
  for (const one of ['file:///a%20b', 'file:///%C3%A4%25']) assert.equal(url.fileURLToPath(one), fileURLToPath(one));
  for (const one of ['untitled:x', 'file:///a%2Fb', 'file://host/a']) assert.throws(() => url.fileURLToPath(one));
});

test('hashes', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const message = 'ü'.repeat(length);
    for (const encoding of ['hex', 'base64'] as const)
      assert.equal(
        crypto.createHash('sha256').update('a').update(message).digest(encoding),
        createHash('sha256').update('a').update(message).digest(encoding),
      );
  }
});

test('bytes', () => {
  const text = 'naïve \u{1F600} torch.load';
  for (const encoding of ['utf8', 'latin1', 'utf16le'] as const) {
    const [ours, theirs] = [buffer.Buffer.from(text, encoding), node.Buffer.from(text, encoding)];
    assert.deepEqual([...ours], [...theirs], encoding);
    assert.equal(ours.toString(encoding), theirs.toString(encoding));
    assert.deepEqual(
      [...buffer.Buffer.from(ours.subarray(1, 7)).swap16()],
      [...node.Buffer.from(theirs.subarray(1, 7)).swap16()],
    );
  }
  const ours = buffer.Buffer.from(text);
  const theirs = node.Buffer.from(text);
  for (const word of ['torch', 'load', 'loads', 'ï']) assert.equal(ours.indexOf(word), theirs.indexOf(word), word);
  assert.equal(ours.includes(0x74), true);
  assert.equal(buffer.Buffer.concat([ours, ours]).toString(), text + text);
  assert.equal(ours.equals(buffer.Buffer.from(text)), true);
  for (const bytes of [[0xc3, 0xa4], [0xc3], [0xff, 0xfe]])
    assert.equal(buffer.isUtf8(Uint8Array.from(bytes)), node.isUtf8(Uint8Array.from(bytes)));
});

test('equality', () => {
  const values = [
    ...[0, -0, Number.NaN, '', null, undefined, [], [1], [1, undefined], {}, { a: undefined }, { a: [1, { b: 2 }] }],
    ...[new Set([1, 2]), new Set([2, 1]), new Set([{ a: 1 }]), new Map([['a', { b: 1 }]]), /a/g, /a/],
  ];
  for (const one of values)
    for (const other of [...values, structuredClone(values)].flat())
      assert.equal(
        util.isDeepStrictEqual(one, other),
        isDeepStrictEqual(one, other),
        `${String(one)} ${String(other)}`,
      );
});

test('files', () => {
  holdFile('/project/src/a.py', new TextEncoder().encode('import torch\n'));
  holdFile('/project/b.txt', new Uint8Array());
  assert.deepEqual(fs.readdirSync('/project'), ['b.txt', 'src']);
  assert.equal(fs.readFileSync('/project/src/a.py', 'utf8'), 'import torch\n');
  assert.equal(fs.statSync('/project/src')?.isDirectory(), true);
  assert.equal(fs.statSync('/project/src/a.py')?.size, 13);
  assert.throws(() => fs.readFileSync('/project/c'), { code: 'ENOENT' });
  assert.throws(() => fs.readFileSync('/project'), { code: 'EISDIR' });
  assert.throws(() => fs.readdirSync('/project/b.txt'), { code: 'ENOTDIR' });
  assert.equal(fs.statSync('/project/c', { throwIfNoEntry: false }), undefined);

  assert.deepEqual(dropFile('/project/src'), ['/project/src/a.py']);
  assert.equal(fs.existsSync('/project/src/a.py'), false);
  assert.deepEqual(fs.readdirSync('/project'), ['b.txt']);
});

test('a program, bundled with the stand-ins, reads a file of a project', async () => {
  const [, options] = browserBundles(async () => new Map());
  const contents = `
    import path, { join } from 'node:path';
    import { holdFile } from './browser/files.ts';
    import { readProjectFile } from './projectFile.ts';
    holdFile('/project/a.py', new TextEncoder().encode('naïve = 1'));
    globalThis.paths = [join('/project', '../b.py'), path.resolve('a'), path.relative('/a/b', '/a/c')];
    globalThis.read = readProjectFile('/project/a.py', 'program').toString('utf8');`;
  const { outputFiles } = await build({
    ...options,
    entryPoints: [],
    stdin: { contents, resolveDir: posix.join(root, 'server', 'src'), loader: 'ts' },
    write: false,
  });
  // The bundle's timers are not used here, and a real channel would keep the process alive.
  class MessageChannel {
    readonly port1 = { addEventListener() {}, start() {} };
  }
  const browser = { TextEncoder, TextDecoder, Uint8Array, ArrayBuffer, MessageChannel, read: '', paths: [''] };
  runInNewContext(outputFiles?.[0]?.text ?? '', browser);
  assert.equal(browser.read, 'naïve = 1');
  assert.deepEqual([...browser.paths], ['/b.py', '/a', '../c']);
});
