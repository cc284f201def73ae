/** The tools of the editor's language models, as the extension calls them. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/root.ts';
import {
  CALL_TOOL,
  type StackScope,
  type ToolCall,
  type ToolCallResult,
  WATCH_STACK,
} from '../../server/src/protocol.ts';
import { folderWith } from '../cli/run.ts';
import { type Client, startClient } from './client.ts';

const FILES = {
  'one/train.py': 'import torch\n\nmodel = torch.load("model.pt")\n',
  'two/main.py': 'import torch\n\nmodel = torch.load("model.pt")\n',
  'outside.py': 'import torch\n\nmodel = torch.load("model.pt")\n',
};

const call = ({ connection }: Client, tool: string, input: object): Promise<ToolCallResult> =>
  connection.sendRequest<ToolCallResult>(CALL_TOOL, { tool, input } satisfies ToolCall);

test("tools read the workspace's folders and nothing else", async (t) => {
  const home = await folderWith(t, FILES);
  const client = await startClient(t);
  const scope: StackScope = { folders: [path.join(home, 'one'), path.join(home, 'two')], trusted: true };
  await client.connection.sendNotification(WATCH_STACK, scope);
  const checked = await call(client, 'check_code', { paths: ['train.py', '../two/main.py'], edits: true });
  assert.equal(checked.isError, false);
  assert.match(checked.text, /^train\.py:3:9: GPU101/m);
  assert.match(checked.text, /main\.py:3:9: GPU101/);
  assert.match(checked.text, /^\+\+\+ b\/train\.py$/m);
  const refused = await call(client, 'check_code', { paths: ['../outside.py'] });
  assert.match(refused.text, /is outside of/);
  assert.equal(refused.isError, true);
  assert.match((await call(client, 'no_such_tool', {})).text, /There is no tool/);
  await assert.rejects(client.connection.sendRequest(CALL_TOOL, { tool: 'check_code' }), /has an invalid `input`/);
});

test('an untrusted workspace gets no answer', async (t) => {
  const home = await folderWith(t, FILES);
  const client = await startClient(t);
  const scope: StackScope = { folders: [path.join(home, 'one')], trusted: false };
  await client.connection.sendNotification(WATCH_STACK, scope);
  const { text, isError } = await call(client, 'check_code', { paths: ['train.py'] });
  assert.match(text, /not trusted/);
  assert.equal(isError, true);
});

test('each tool in the manifest exists in the server', async (t) => {
  const home = await folderWith(t, FILES);
  const client = await startClient(t);
  await client.connection.sendNotification(WATCH_STACK, { folders: [home], trusted: true } satisfies StackScope);
  const { contributes } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  assert.ok(contributes.languageModelTools.length >= 7);
  for (const { name, when } of contributes.languageModelTools) {
    // No tool accepts this, and an unknown tool gets an error.
    const { text } = await call(client, name.replace(/^gpu-doctor_/, ''), {
      rule: 3,
      text: 3,
      report: 3,
      paths: 3,
      path: 3,
      python: 3,
    });
    assert.match(text, /does not fit/);
    assert.equal(when, 'isWorkspaceTrusted && (!isWeb || remoteName)');
  }
});
