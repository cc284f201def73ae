import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Hover, HoverRequest, type Range } from 'vscode-languageserver/node';
import { folderWith } from '../cli/run.ts';
import { type Client, rangeOf, startClient } from './client.ts';

test('explains settings, and corrects their names', { timeout: 120_000 }, async (t) => {
  const folder = await folderWith(t, {});
  const uriOf = (file: string) => pathToFileURL(`${folder}/${file}`).href;
  const [yaml, toml, stack] = [uriOf('.gpu-doctor.yaml'), uriOf('pyproject.toml'), uriOf('gpu-stack.yaml')];
  const client = await startClient(t);

  await t.test('hovering over a setting', async () => {
    const hover = async (line: number, character: number, uri = yaml): Promise<string | undefined> => {
      const at = { textDocument: { uri }, position: { line, character } };
      const answer: Hover | null = await client.connection.sendRequest(HoverRequest.type, at);
      return (answer?.contents as { value: string } | undefined)?.value;
    };
    client.open(yaml, 'severity:\n  GPU101: off # why\nselect: [GPU2]\nnothing: 1\n', 'yaml');
    assert.match((await hover(0, 3)) ?? '', /^`severity`: Overrides the severity of rules/);
    assert.match((await hover(1, 4)) ?? '', /^\*\*GPU101\*\* `torch-load-map-location`/);
    assert.match((await hover(2, 10)) ?? '', /`select`: /);
    assert.deepEqual([await hover(1, 17), await hover(3, 2)], [undefined, undefined]);
    client.open(toml, '[tool.ruff]\nselect = []\n[tool.gpu-doctor]\nselect = ["GPU101"]\n', 'toml');
    assert.match((await hover(3, 14, toml)) ?? '', /^\*\*GPU101\*\*/);
    assert.match((await hover(3, 2, toml)) ?? '', /^`select`: /);
    assert.equal(await hover(1, 2, toml), undefined);
    client.open(stack, 'frameworks:\n  torch:\n    version: 2.7.1\n', 'yaml');
    assert.match((await hover(2, 6, stack)) ?? '', /^`frameworks/);
    for (const uri of [yaml, toml, stack]) client.close(uri);
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
