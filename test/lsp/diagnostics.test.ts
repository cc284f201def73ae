import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeOf, startClient } from './client.ts';

const LOAD = 'import torch\nmodel = torch.load("model.pt")\n';
const CALL = 'torch.load("model.pt")';
const URI = 'file:///project/train.py';

test('offers what it can do', async (t) => {
  const client = await startClient(t);
  const { capabilities } = client.initialized;
  assert.equal(capabilities.positionEncoding, 'utf-16');
  assert.deepEqual(capabilities.textDocumentSync, { openClose: true, change: 2 });
  assert.equal(await client.stop(), 0);
});

test('reports a finding with its code, page and place', async (t) => {
  const client = await startClient(t);
  client.open(URI, LOAD);
  const [diagnostic, ...others] = await client.diagnostics(URI);
  assert.deepEqual(others, []);
  assert.equal(diagnostic?.code, 'GPU101');
  assert.equal(diagnostic?.source, 'gpu-doctor');
  assert.equal(diagnostic?.severity, 2);
  assert.match(diagnostic?.codeDescription?.href ?? '', /GPU101/);
  assert.deepEqual(diagnostic?.range, rangeOf(LOAD, CALL));
});
