/** Scaffolds a rule in a copy of the checkout, which must pass the checks that a rule could fail. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { root } from '../../scripts/root.ts';
import { checkoutCopy } from './checkoutCopy.ts';

/** The rules and their imports. */
const TYPES_OF_RULES = {
  extends: './tsconfig.json',
  compilerOptions: { incremental: false, tsBuildInfoFile: null },
  include: ['server/src/rules'],
};

test('a scaffolded rule passes all checks', async (t) => {
  const { folder, node } = await checkoutCopy(t);

  const scaffolded = await node('scripts/newRule.ts', 'GPU299', 'some-name');
  assert.equal(scaffolded.exitCode, 0, scaffolded.all);
  assert.match(scaffolded.all, /wrote server\/src\/rules\/someName\.ts[\s\S]*wrote docs\/rules\/README\.md/);

  // The other files are already known to pass.
  const files = [...scaffolded.all.matchAll(/^wrote (.+)$/gm)].map(([, file = '']) => file);
  await writeFile(path.join(folder, 'rules.json'), JSON.stringify(TYPES_OF_RULES));
  const tests = ['architecture', 'rules/verdicts', 'rules/fixes', 'lint/triggers'].map(
    (each) => `test/${each}.test.ts`,
  );
  const [types, style, checked] = [
    await node('node_modules/typescript/bin/tsc', '--project', 'rules.json'),
    await node('node_modules/@biomejs/biome/bin/biome', 'ci', ...files),
    await node('--test', '--test-name-pattern=/import|trigger|GPU299/', ...tests),
  ];
  for (const { exitCode, all } of [types, style, checked]) assert.equal(exitCode, 0, all);
  for (const passed of [
    'no import cycle',
    'is a trigger',
    'GPU299/reported.py',
    'GPU299/not_reported.py',
    'GPU299/fixed.py',
  ])
    assert.match(checked.all, new RegExp(`✔ .*${passed}`));

  const again = await node('scripts/newRule.ts', 'GPU299', 'other-name');
  assert.equal(again.exitCode, 1);
  assert.match(again.all, /GPU299 some-name already exists\./);
});

test('a scaffolded rule on environment files passes all checks', async (t) => {
  const { folder, node } = await checkoutCopy(t);
  const scaffolded = await node('scripts/newRule.ts', 'GPU699', 'some-name');
  assert.equal(scaffolded.exitCode, 0, scaffolded.all);
  assert.match(
    scaffolded.all,
    /wrote server\/src\/environment\/rules\/someName\.ts[\s\S]*wrote docs\/rules\/README\.md/,
  );
  const files = [...scaffolded.all.matchAll(/^wrote (.+)$/gm)].map(([, file = '']) => file);
  const types = { ...TYPES_OF_RULES, include: ['server/src/environment/rules'] };
  await writeFile(path.join(folder, 'rules.json'), JSON.stringify(types));
  for (const { exitCode, all } of [
    await node('node_modules/typescript/bin/tsc', '--project', 'rules.json'),
    await node('node_modules/@biomejs/biome/bin/biome', 'ci', ...files.filter((file) => !file.endsWith('.txt'))),
  ])
    assert.equal(exitCode, 0, all);
  const checked = await node('--test', '--test-name-pattern=/GPU699/', 'test/environment/rules/verdicts.test.ts');
  assert.equal(checked.exitCode, 0, checked.all);
  for (const name of ['reported', 'notReported']) assert.match(checked.all, new RegExp(`✔ .*GPU699/${name}`));
});

test('a rule without a code or a name is not scaffolded', async () => {
  const { exitCode, all } = await execa(process.execPath, ['scripts/newRule.ts', 'GPU1', 'Name'], {
    cwd: root,
    all: true,
    reject: false,
  });
  assert.equal(exitCode, 1);
  assert.match(all, /npm run new-rule -- GPU999 some-name/);
});
