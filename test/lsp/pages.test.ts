import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { PAGE } from '../../server/src/protocol.ts';
import { startClient } from './client.ts';

test('provides pages of the documentation and nothing else', async (t) => {
  const { connection } = await startClient(t);
  // Shipped pages lack links to pages that are not shipped, so only the beginnings are equal.
  const beginning = (page: string) => page.slice(0, page.indexOf('\n## '));
  for (const page of ['rules/GPU101.md', 'stack/cpu-only-torch.md'])
    assert.equal(
      beginning(await connection.sendRequest<string>(PAGE, page)),
      beginning(await readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8')),
    );
  for (const page of ['stack/no-such-page.md', 'rules/../../README.md', 'stack', ''])
    assert.equal(await connection.sendRequest(PAGE, page), null);
});
