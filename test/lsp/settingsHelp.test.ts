import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
  type CompletionItem,
  CompletionRequest,
  type Hover,
  HoverRequest,
  type Range,
  RegistrationRequest,
  type TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { folderWith } from '../cli/run.ts';
import { type Client, FULL, rangeOf, startClient } from './client.ts';

/** Opens a text in which a bar marks the cursor, and requests completions there. */
async function completed(
  client: Client,
  uri: string,
  marked: string,
): Promise<{ items: CompletionItem[]; take(label: string): string }> {
  const text = marked.replace('|', '');
  const document = TextDocument.create(uri, '', 1, text);
  client.open(uri, text, 'plaintext');
  const position = document.positionAt(marked.indexOf('|'));
  const answer = await client.connection.sendRequest(CompletionRequest.type, { textDocument: { uri }, position });
  client.close(uri);
  const items = (answer ?? []) as CompletionItem[];
  const take = (label: string) => {
    const item = items.find((each) => each.label === label);
    assert.ok(item?.textEdit, label);
    return TextDocument.applyEdits(document, [item.textEdit as TextEdit]);
  };
  return { items, take };
}

test('completes and explains settings, and corrects their names', { timeout: 120_000 }, async (t) => {
  const folder = await folderWith(t, {});
  const uriOf = (file: string) => pathToFileURL(`${folder}/${file}`).href;
  const [yaml, toml, stack] = [uriOf('.gpu-doctor.yaml'), uriOf('pyproject.toml'), uriOf('gpu-stack.yaml')];
  const client = await startClient(t);

  await t.test('keys of YAML', async () => {
    const { items, take } = await completed(client, yaml, 'sel|');
    assert.ok(items.find(({ label }) => label === 'per-file-ignores')?.documentation);
    assert.equal(take('select'), 'select: ');
    assert.equal(take('severity'), 'severity:');
  });
  await t.test('codes and names of rules', async () => {
    assert.equal((await completed(client, yaml, 'select: [GPU101, G|]\n')).take('GPU2'), 'select: [GPU101, GPU2]\n');
    const severity = await completed(client, yaml, 'severity:\n  GPU101: |\n');
    assert.deepEqual(
      severity.items.map(({ label }) => label),
      ['error', 'warning', 'information', 'hint', 'off'],
    );
    assert.equal(
      (await completed(client, yaml, 'severity:\n  |\n')).take('unguarded-cuda'),
      'severity:\n  unguarded-cuda: \n',
    );
  });
  await t.test('TOML adds quotes, and other tables are ignored', async () => {
    const array = '[tool.gpu-doctor]\nselect = [\n  "G|"\n]\n';
    assert.equal((await completed(client, toml, array)).take('GPU202'), array.replace('G|', 'GPU202'));
    assert.equal(
      (await completed(client, toml, '[tool.gpu-doctor]\nex|\n')).take('exclude'),
      '[tool.gpu-doctor]\nexclude = \n',
    );
    assert.equal((await completed(client, toml, '[tool.gpu-doctor.se|')).take('severity'), '[tool.gpu-doctor.severity');
    assert.deepEqual((await completed(client, toml, '[tool.ruff]\nsel|\n')).items, []);
  });
  await t.test('a recorded stack', async () => {
    assert.equal(
      (await completed(client, stack, 'frameworks:\n  torch:\n    ver|')).take('version'),
      'frameworks:\n  torch:\n    version: ',
    );
  });
  await t.test('Python is not completed', async () => {
    assert.deepEqual((await completed(client, uriOf('train.py'), 'import torch\ntorch.|')).items, []);
  });

  await t.test('hovering over a setting', async () => {
    const text = 'severity:\n  GPU101: off\n';
    client.open(yaml, text, 'yaml');
    const hover = async (line: number, character: number): Promise<string | undefined> => {
      const at = { textDocument: { uri: yaml }, position: { line, character } };
      const answer: Hover | null = await client.connection.sendRequest(HoverRequest.type, at);
      return (answer?.contents as { value: string } | undefined)?.value;
    };
    assert.match((await hover(0, 3)) ?? '', /^`severity`: Overrides the severity of rules/);
    assert.match((await hover(1, 4)) ?? '', /^\*\*GPU101\*\* `torch-load-map-location`/);
    client.close(yaml);
  });

  await t.test('a misspelled name is corrected within its quotes', async () => {
    for (const [uri, text, wrong, right] of [
      [yaml, 'ignroe: [GPU101]\n', 'ignroe', 'ignore'],
      [yaml, 'select: ["unguarded-cudda"]\n', '"unguarded-cudda"', '"unguarded-cuda"'],
      [toml, '[tool.gpu-doctor]\nslect = ["GPU1"]\n', 'slect', 'select'],
      [stack, 'format: 1\ndrivr: 550\n', 'drivr', 'driver'],
    ] as const) {
      client.open(uri, text, 'plaintext');
      const isAtName = (range: Range | undefined) => isDeepStrictEqual(range, rangeOf(text, wrong));
      const { diagnostics } = await client.published(
        (params) => params.uri === uri && isAtName(params.diagnostics[0]?.range),
      );
      const [action] = (await client.connection.sendRequest('textDocument/codeAction', {
        textDocument: { uri },
        range: diagnostics[0]?.range,
        context: { diagnostics },
      })) as { title: string; edit: Parameters<Client['apply']>[0] }[];
      assert.ok(action, text);
      client.apply(action.edit);
      assert.equal(client.text(uri), text.replace(wrong, right));
      await client.published((params) => params.uri === uri && params.diagnostics.length === 0);
      client.close(uri);
    }
  });
});

test('a client with dynamic registration completes in these files only', { timeout: 60_000 }, async (t) => {
  let told: unknown;
  let registered = () => {};
  const isRegistered = new Promise<void>((resolve) => {
    registered = resolve;
  });
  const client = await startClient(t, {
    capabilities: { ...FULL, textDocument: { ...FULL.textDocument, completion: { dynamicRegistration: true } } },
    prepare: (connection) =>
      connection.onRequest(RegistrationRequest.type, ({ registrations }) => {
        const completion = registrations.find(({ method }) => method === CompletionRequest.method);
        if (!completion) return;
        told = completion.registerOptions;
        registered();
      }),
  });
  assert.equal(client.initialized.capabilities.completionProvider, undefined);
  await isRegistered;
  assert.match(JSON.stringify(told), /\.gpu-doctor\.yaml.*pyproject\.toml.*gpu-stack\.yaml/);
});
