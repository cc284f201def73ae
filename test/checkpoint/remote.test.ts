/** Reading of files on a real server through HTTP range requests. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { RemoteTrouble } from '../../server/src/checkpoint/httpGet.ts';
import { networkOf } from '../../server/src/checkpoint/networks.ts';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { readRemote } from '../../server/src/checkpoint/remote.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const fixture = (name: string) => readFileSync(join(FIXTURES, name));

interface Server {
  readonly address: string;
  /** Bytes of content that were sent. */
  sent: number;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(context: TestContext, answer: (server: Server) => Answer): Promise<Server> {
  const server: { address: string; sent: number } = { address: '', sent: 0 };
  const http = createServer(answer(server));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  context.after(() => http.close());
  server.address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
}

/** Serves the requested ranges of files by path. A file may end with a hole. */
const inParts =
  (files: Readonly<Record<string, Buffer>>, hole = 0) =>
  (server: Server): Answer =>
  (request, response) => {
    const content = files[new URL(request.url ?? '', 'http://x').pathname];
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (!content || start === undefined) return void response.writeHead(404).end();
    const size = content.length + hole;
    if (size === 0) return void response.writeHead(416, { 'content-range': 'bytes */0' }).end();
    const last = Math.min(Number(end), size - 1);
    const part = Buffer.alloc(last + 1 - Number(start));
    content.copy(part, 0, Math.min(Number(start), content.length), last + 1);
    server.sent += part.length;
    response.writeHead(206, { 'content-range': `bytes ${start}-${last}/${size}`, etag: '"1"' }).end(part);
  };

for (const name of [
  'torch/cuda0.pt',
  'torch/legacy_cuda1.pt',
  'others/tiny.gguf',
  'keras/model.h5',
  'keras/plain.keras',
])
  test(`${name} has the same result as on a disk`, async (t) => {
    const { address } = await serve(t, inParts({ '/file': fixture(name) }));
    assert.deepEqual(await readRemote(`${address}/file?download=true`), await readCheckpoint(join(FIXTURES, name)));
  });

test('only the description of a large file is fetched', async (t) => {
  const length = 10 * 1024 ** 3;
  const header = Buffer.from(JSON.stringify({ weight: { dtype: 'U8', shape: [length], data_offsets: [0, length] } }));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.length));
  const server = await serve(t, inParts({ '/model.safetensors': Buffer.concat([size, header]) }, length));
  const { tensors, problems } = await readRemote(`${server.address}/model.safetensors`);
  assert.deepEqual({ problems, bytes: tensors[0]?.bytes }, { problems: [], bytes: length });
  assert.ok(server.sent < 2_000_000, `${server.sent} bytes were sent`);
});

test('the files of an index are fetched as well', async (t) => {
  const names = [
    'model.safetensors.index.json',
    'model-00001-of-00002.safetensors',
    'model-00002-of-00002.safetensors',
  ];
  const files = Object.fromEntries(names.map((name) => [`/a/${name}`, fixture(`others/${name}`)]));
  const { address } = await serve(t, inParts(files));
  const { tensors, problems } = await readRemote(`${address}/a/model.safetensors.index.json`);
  assert.deepEqual({ problems, tensors: tensors.length }, { problems: [], tensors: 2 });
});

test('a server without range support delivers a small file completely, and a large one not at all', async (t) => {
  const { address } = await serve(t, () => (request, response) => {
    const content = request.url === '/small' ? fixture('torch/cuda0.pt') : Buffer.alloc(4_000_000);
    response.writeHead(200, { 'content-length': content.length }).end(content);
  });
  assert.deepEqual((await readRemote(`${address}/small`)).devices, ['cuda:0']);
  await assert.rejects(readRemote(`${address}/large`), {
    constructor: RemoteTrouble,
    message: 'cannot be read in parts: its server does not support range requests. Download the file first',
  });
});

test('an error of a server is one clear sentence', async (t) => {
  const answers: Record<string, Answer> = {
    '/away': (_, response) => void response.writeHead(302, { location: 'file:///etc/hostname' }).end(),
    '/more': (_, response) =>
      void response.writeHead(206, { 'content-range': 'bytes 0-9/10' }).end(Buffer.alloc(900_000)),
    '/unknown': (_, response) => void response.writeHead(206, { 'content-range': 'bytes 0-9/*' }).end(Buffer.alloc(10)),
    '/less': (_, response) => void response.writeHead(206, { 'content-range': 'bytes 0-9/99' }).end(Buffer.alloc(10)),
    '/broken': (request) => void request.socket.destroy(),
  };
  const { address } = await serve(
    t,
    () => (request, response) =>
      (answers[request.url ?? ''] ?? ((_: IncomingMessage, other: ServerResponse) => void other.writeHead(403).end()))(
        request,
        response,
      ),
  );
  const saysOf = (path: string) => readRemote(`${address}${path}`).then(String, ({ message }) => message);
  assert.match(await saysOf('/away'), /^cannot be fetched: /);
  assert.match(await saysOf('/more'), /sent more than requested$/);
  assert.match(await saysOf('/unknown'), /does not report its size$/);
  assert.match(await saysOf('/less'), /is shorter than the server declared$/);
  assert.match(await saysOf('/broken'), /^cannot be fetched: /);
  assert.equal(await saysOf('/private'), 'cannot be read: the server responded 403 Forbidden');
});

test('an empty file is empty', async (t) => {
  const { address } = await serve(t, inParts({ '/empty': Buffer.alloc(0) }));
  assert.equal((await readRemote(`${address}/empty`)).format, 'empty');
});

test('a redirect into another network of this machine is not followed', async (t) => {
  const targets = {
    '/metadata': 'http://169.254.169.254/latest/meta-data/',
    '/lan': 'http://10.0.0.1/',
    '/mapped': 'http://[::ffff:192.168.0.1]/',
    '/file': 'file:///etc/passwd',
    '/loop': '/loop',
  };
  const { address } = await serve(t, () => ({ url = '' }, response) => {
    response.writeHead(302, { location: targets[url as keyof typeof targets] }).end();
  });
  const saysOf = (path: string) => readRemote(`${address}${path}`).then(String, ({ message }) => message);
  assert.equal(await saysOf('/metadata'), 'cannot be fetched: it redirects to the internal address 169.254.169.254');
  assert.equal(await saysOf('/lan'), 'cannot be fetched: it redirects to the internal address 10.0.0.1');
  assert.match(await saysOf('/mapped'), /it redirects to the internal address \[::ffff:c0a8:1\]$/);
  assert.equal(await saysOf('/file'), 'cannot be fetched: it redirects to a file: address');
  assert.equal(await saysOf('/loop'), 'cannot be fetched: more than 10 redirects');
});

test('a redirect within the network of the first server is followed', async (t) => {
  const { address: target } = await serve(t, inParts({ '/file': fixture('torch/cuda0.pt') }));
  const { address } = await serve(t, () => (_, response) => {
    response.writeHead(307, { location: `${target}/file` }).end();
  });
  assert.deepEqual((await readRemote(`${address}/x`)).devices, ['cuda:0']);
});

test('each address belongs to its network', () => {
  const of = (network: string, ...addresses: readonly string[]) =>
    assert.deepEqual(
      addresses.map(networkOf),
      addresses.map(() => network),
    );
  of('loopback', '127.0.0.1', '127.255.0.1', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1', '64:ff9b::7f00:1');
  of('link-local', '169.254.169.254', 'fe80::1', '::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe');
  of('private', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', 'fd00::1', '255.255.255.255');
  of('public', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808');
});
