import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/root.ts';
import { patternsOf } from '../../server/src/checkpoint/names.ts';

const { contributes } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const patterns = patternsOf('opened', 'offered');

test('every name that checkpoints have is opened by one editor', () => {
  const selected = contributes.customEditors.flatMap(({ selector }: { selector: { filenamePattern: string }[] }) =>
    selector.map(({ filenamePattern }) => filenamePattern),
  );
  assert.deepEqual(selected.sort(), [...patterns].sort());
  assert.ok(patterns.includes('*.safetensors') && patterns.includes('saved_model.pb'));
});

test('the explorer offers to inspect files that do not open so anyway, and to compare all', () => {
  const offers = contributes.menus['explorer/context'].map(({ when }: { when: string }) => {
    const [, expression = ''] = /resourceFilename =~ \/(.*)\/i/.exec(when) ?? [];
    return (name: string) => new RegExp(expression, 'i').test(name);
  });
  const [isOffered, isCompared] = offers;
  for (const pattern of patterns) assert.ok(isCompared(pattern.replace('*', 'Model')), pattern);
  for (const pattern of patternsOf('offered')) assert.ok(isOffered(pattern.replace('*', 'Model')), pattern);
  for (const pattern of patternsOf('opened')) assert.ok(!isOffered(pattern.replace('*', 'Model')), pattern);
  for (const other of ['model.ptx', 'my_saved_model.pb', 'index.json', 'pt', 'model.pt.txt'])
    assert.ok(!isOffered(other), other);
});
