/** Verdicts and their pages belong together, and every verdict has a machine on which it is given. */
import assert from 'node:assert/strict';
import { globSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { root } from '../../scripts/root.ts';
import { judges } from '../../server/src/stack/verdicts.ts';

const ids = judges.map(({ id }) => id);
const PAGES = path.join(root, 'docs', 'stack');

test('every verdict has a page and every page a verdict', () => {
  assert.deepEqual(readdirSync(PAGES).sort(), ids.map((id) => `${id}.md`).sort());
});

test('every verdict is given on a machine', async () => {
  const given = new Set<string>();
  for (const file of globSync('test/stack/machines/*/expected.yaml', { cwd: root })) {
    const { verdicts } = parse(await readFile(path.join(root, file), 'utf8'));
    for (const id of verdicts) given.add(id);
  }
  assert.deepEqual(
    ids.filter((id) => !given.has(id)),
    [],
  );
});

for (const id of ids) {
  test(`the page of ${id} says what it means, how it is recognised, what to do and what is not reported`, async () => {
    const page = await readFile(path.join(PAGES, `${id}.md`), 'utf8');
    assert.match(page, new RegExp(`^# ${id}\n\n\\S`));
    assert.match(page, /^Severity: (error|warning|a note)/m);
    assert.deepEqual(
      [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading),
      ['How it is recognised', 'What to do', 'What is not reported', 'Sources'],
    );
    assert.match(page.split('## Sources')[1] ?? '', /\(https:\/\/[^)]+\)/);
    for (const [, linked = ''] of page.matchAll(/\]\(([\w-]+)\.md\)/g)) assert.ok(ids.includes(linked), linked);
  });
}
