/** Scaffolds a message in a copy of the checkout, which must pass the checks that a message could fail. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { checkoutCopy } from './checkoutCopy.ts';

/** Folders that messages do not need, except folders of the same names in sources and docs. */
const NOT_NEEDED = new Set(['checkpoint', 'rules', 'python']);

test('a scaffolded message is found by its case', async (t) => {
  const isKept = (file: string) => file.startsWith(path.join('server', 'src')) || file.startsWith('docs');
  const { node } = await checkoutCopy(t, (file) => isKept(file) || !NOT_NEEDED.has(path.basename(file)));

  const scaffolded = await node('scripts/newMessage.ts', 'triton', 'some-thing-fails');
  assert.equal(scaffolded.exitCode, 0, scaffolded.all);
  assert.match(
    scaffolded.all,
    /wrote server\/src\/messages\/catalogue\/triton\.yaml[\s\S]*wrote docs\/errors\/triton\.md/,
  );

  const tests = ['test/messages/catalogue.test.ts', 'test/cases/cases.test.ts'];
  const checked = await node(
    '--test',
    '--test-name-pattern=/some-thing-fails|the family triton|no two messages/',
    ...tests,
  );
  assert.equal(checked.exitCode, 0, checked.all);
  for (const passed of [
    'case some-thing-fails',
    'some-thing-fails: its examples',
    'the family triton',
    'no two messages',
  ])
    assert.match(checked.all, new RegExp(`✔ ${passed}`));

  const again = await node('scripts/newMessage.ts', 'triton', 'some-thing-fails');
  assert.equal(again.exitCode, 1);
  assert.match(again.all, /The message some-thing-fails already exists in triton\./);
  const unknown = await node('scripts/newMessage.ts', 'nothing', 'some-thing-fails');
  assert.match(unknown.all, /npm run new-message -- someFamily some-id/);
});
