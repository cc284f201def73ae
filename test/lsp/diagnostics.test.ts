import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CancellationTokenSource,
  ConfigurationRequest,
  DiagnosticRefreshRequest,
  DidChangeConfigurationNotification,
  DocumentDiagnosticRequest,
  type LSPAny,
  LSPErrorCodes,
} from 'vscode-languageserver/node';
import { SERVER } from '../programs.ts';
import { FULL, rangeOf, startClient } from './client.ts';

const LOAD = 'import torch\nmodel = torch.load("model.pt")\n';
const CALL = 'torch.load("model.pt")';
const URI = 'file:///project/train.py';

const at = (line: number, character: number) => ({ start: { line, character }, end: { line, character } });

test('reports a finding with its code, page and range', async (t) => {
  const client = await startClient(t);
  client.open(URI, LOAD);
  const [diagnostic, ...others] = await client.diagnostics(URI);
  assert.deepEqual(others, []);
  assert.equal(diagnostic?.code, 'GPU101');
  assert.equal(diagnostic?.source, 'gpu-doctor');
  assert.equal(diagnostic?.severity, 2);
  assert.match(diagnostic?.codeDescription?.href ?? '', /GPU101/);
  assert.deepEqual(diagnostic?.range.start, rangeOf(LOAD, CALL).start);
  assert.equal(diagnostic?.data.rule, 'torch-load-map-location');
});

test('a repeated finding points to the first one', async (t) => {
  const client = await startClient(t);
  const text = 'def train(net, data):\n    net.cuda()\n    data.cuda()\n';
  client.open(URI, text);
  const [first, again] = await client.diagnostics(URI);
  assert.deepEqual(first?.relatedInformation, []);
  assert.equal(again?.severity, 4);
  assert.deepEqual(
    again?.relatedInformation?.map(({ location }) => location),
    [{ uri: URI, range: first?.range }],
  );
});

test('answers "unchanged" to the result id of the same findings', async (t) => {
  const client = await startClient(t);
  client.open(URI, LOAD);
  const first = await client.pull(URI);
  assert.equal(first.kind, 'full');
  const same = await client.pull(URI, first.resultId);
  assert.deepEqual(same, { kind: 'unchanged', resultId: first.resultId });

  client.edit(URI, at(2, 0), '# a comment below changes nothing\n');
  assert.equal((await client.pull(URI, first.resultId)).kind, 'unchanged');

  client.edit(URI, at(0, 0), '# a comment above moves it\n');
  const moved = await client.pull(URI, first.resultId);
  assert.equal(moved.kind, 'full');
  assert.notEqual(moved.resultId, first.resultId);
});

test('follows incremental edits', async (t) => {
  const client = await startClient(t);
  client.open(URI, 'import torch\n');
  assert.deepEqual(await client.diagnostics(URI), []);
  for (const [index, character] of [...'model = torch.load("model.pt")'].entries()) {
    client.edit(URI, at(1, index), character);
    await client.pull(URI);
  }
  const [diagnostic] = await client.diagnostics(URI);
  assert.deepEqual(diagnostic?.range.start, { line: 1, character: 8 });
  client.edit(URI, rangeOf(client.text(URI), '"model.pt"'), '"model.pt", map_location="cpu"');
  assert.deepEqual(await client.diagnostics(URI), []);
});

test('counts columns in UTF-16 code units', async (t) => {
  const client = await startClient(t);
  const text = 'import torch\nnames = "🦊🦊"; model = torch.load("model.pt")\n';
  client.open(URI, text);
  const [diagnostic] = await client.diagnostics(URI);
  assert.deepEqual(diagnostic?.range.start, rangeOf(text, CALL).start);
  assert.equal(diagnostic?.range.start.character, 24);
});

for (const [name, text, line] of [
  ['CRLF', LOAD.replaceAll('\n', '\r\n'), 1],
  ['CR', LOAD.replaceAll('\n', '\r'), 1],
  ['a byte order mark', `\uFEFF${LOAD}`, 1],
  ['mixed line ends', `\r\n\n\r${LOAD}`, 4],
] as const)
  test(`locates a finding in a file with ${name}`, async (t) => {
    const client = await startClient(t);
    client.open(URI, text);
    const [diagnostic] = await client.diagnostics(URI);
    assert.deepEqual(diagnostic?.range.start, { line, character: 8 });
  });

test('reports nothing for a document that is not open, empty or not Python', async (t) => {
  const client = await startClient(t);
  client.open(URI, '');
  client.open('file:///project/notes.md', LOAD, 'markdown');
  assert.deepEqual(await client.diagnostics(URI), []);
  assert.deepEqual(await client.diagnostics('file:///project/notes.md'), []);
  assert.deepEqual(await client.diagnostics('file:///project/never-opened.py'), []);
  client.open('untitled:Untitled-1', LOAD);
  assert.equal((await client.diagnostics('untitled:Untitled-1')).length, 1);
  client.close('untitled:Untitled-1');
  assert.deepEqual(await client.diagnostics('untitled:Untitled-1'), []);
});

test('skips a binary file and reports that once', async (t) => {
  const client = await startClient(t);
  const garbage = Array.from({ length: 20_000 }, (_, index) => String.fromCharCode((index * 7919) % 256)).join('');
  client.open(URI, `torch${garbage}`);
  assert.deepEqual(await client.diagnostics(URI), []);
  client.edit(URI, at(0, 0), 'x');
  assert.deepEqual(await client.diagnostics(URI), []);
  assert.equal(client.log.filter((line) => line.includes('train.py')).length, 1);
});

test('survives text that is garbage', async (t) => {
  const client = await startClient(t);
  const garbage = Array.from({ length: 20_000 }, (_, index) => String.fromCharCode(1 + ((index * 7919) % 0xffff)));
  client.open(URI, `torch${garbage.join('')}`);
  assert.ok(Array.isArray(await client.diagnostics(URI)));
  assert.deepEqual(client.log, []);
});

test('answers immediately for a generated file of 5 MB and reports that it is not checked', async (t) => {
  const client = await startClient(t);
  client.open(URI, `import torch\n${'values.append(0.123456789)\n'.repeat(200_000)}model = torch.load("model.pt")\n`);
  assert.deepEqual(await client.diagnostics(URI), []);
  assert.equal(client.log.length, 1);
  client.edit(URI, undefined, LOAD);
  assert.equal((await client.diagnostics(URI)).length, 1);
});

test('a file that does not fit in memory is skipped and named, and the others are checked', {
  timeout: 180_000,
}, async (t) => {
  const client = await startClient(t, {
    command: ['--max-old-space-size=200', '--max-semi-space-size=1', SERVER, '--stdio'],
  });
  const loads = (count: number) => `import torch\n${'x = torch.load("a.pt")\n'.repeat(count)}`;
  client.open('file:///large.py', loads(20_000));
  assert.deepEqual(await client.diagnostics('file:///large.py'), []);
  assert.equal(client.log.length, 1);
  assert.match(
    client.log[0] ?? '',
    /^\/large\.py is not checked: it has \d+ characters, and the server has memory for/,
  );
  // Together they would need more memory than exists.
  for (const name of 'abcdef') {
    client.open(`file:///${name}.py`, loads(7_000));
    assert.equal((await client.diagnostics(`file:///${name}.py`)).length, 7_000);
  }
  assert.equal(client.log.length, 1);
});

test('survives every prefix of a file that is being typed', async (t) => {
  const client = await startClient(t);
  client.open(URI, '');
  const text = 'import torch\ndef f(x, *, y: int = {1: [2]}):\n\treturn torch.load(f"{x!r:>{y}}.pt", **{"a": (y)})\n';
  for (let length = 0; length <= text.length; length++) {
    client.edit(URI, undefined, text.slice(0, length));
    await client.pull(URI);
  }
  assert.deepEqual(client.log, []);
});

test('stops a request that is cancelled', async (t) => {
  const cancellation = new CancellationTokenSource();
  const capabilities = { ...FULL, workspace: { configuration: true } };
  const client = await startClient(t, {
    capabilities,
    prepare: (connection) => {
      connection.onRequest(ConfigurationRequest.type, () => {
        cancellation.cancel();
        return [null];
      });
    },
  });
  client.open(URI, LOAD);
  const { connection } = client;
  const pull = connection.sendRequest(
    DocumentDiagnosticRequest.type,
    { textDocument: { uri: URI } },
    cancellation.token,
  );
  await assert.rejects(pull, { code: LSPErrorCodes.RequestCancelled });
  assert.equal((await client.diagnostics(URI)).length, 1);
});

test('applies changed settings without a restart', { timeout: 180_000 }, async (t) => {
  let settings: LSPAny = { ignore: [], severity: {} };
  let scope: string | undefined;
  let refreshed = () => {};
  const capabilities = { ...FULL, workspace: { configuration: true, diagnostics: { refreshSupport: true } } };
  const client = await startClient(t, {
    capabilities,
    prepare: (connection) => {
      connection.onRequest(ConfigurationRequest.type, ({ items }) => {
        scope = items[0]?.scopeUri;
        return [settings];
      });
      connection.onRequest(DiagnosticRefreshRequest.type, () => refreshed());
    },
  });
  const change = async (to: LSPAny) => {
    settings = to;
    const refresh = new Promise<void>((resolve) => {
      refreshed = resolve;
    });
    await client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    await refresh;
    return client.diagnostics(URI);
  };
  client.open(URI, LOAD);
  assert.equal((await client.diagnostics(URI))[0]?.severity, 2);
  assert.equal(scope, URI);
  assert.equal((await change({ severity: { GPU101: 'error' } }))[0]?.severity, 1);
  assert.deepEqual(await change({ severity: { GPU101: 'off' } }), []);
  assert.deepEqual(await change({ ignore: ['GPU1'] }), []);
  assert.equal((await change({ severity: { GPU10: 'error' } }))[0]?.severity, 1);
  assert.equal((await change(null))[0]?.severity, 2);
});

test('accepts pushed settings and those at startup', async (t) => {
  const client = await startClient(t, { initializationOptions: { severity: { GPU101: 'information' } } });
  client.open(URI, LOAD);
  assert.equal((await client.diagnostics(URI))[0]?.severity, 3);
  const settings = { gpuDoctor: { severity: { GPU101: 'hint' } } };
  await client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings });
  assert.equal((await client.diagnostics(URI))[0]?.severity, 4);
});

test('names an invalid setting and continues without it', async (t) => {
  const client = await startClient(t, {
    initializationOptions: { ignore: 'GPU101', severity: { GPU101: 'loud', GPU202: 'off' } },
  });
  client.open(URI, LOAD);
  assert.equal((await client.diagnostics(URI))[0]?.severity, 2);
  assert.equal(client.log.length, 2);
  assert.ok(client.log.some((line) => line.includes('gpuDoctor.severity.GPU101')));
  assert.ok(client.log.some((line) => line.includes('gpuDoctor.ignore')));
});
