import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/root.ts';
import { CHECKPOINT_SUFFIXES } from '../../server/src/checkpoint/names.ts';

const { contributes } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const all = [...CHECKPOINT_SUFFIXES, 'index.json'].sort();

test('every suffix that checkpoints have is opened by one editor', () => {
  const patterns = contributes.customEditors.flatMap(({ selector }: { selector: { filenamePattern: string }[] }) =>
    selector.map(({ filenamePattern }) => filenamePattern),
  );
  assert.deepEqual(patterns.sort(), [...all.map((suffix) => `*.${suffix}`), 'saved_model.pb'].sort());
});

test('every such suffix has the entry in the explorer', () => {
  const [{ when }] = contributes.menus['explorer/context'];
  const [, suffixes = ''] = /\\\.\(([^)]*)\)\$\/i/.exec(when) ?? [];
  assert.deepEqual(suffixes.replaceAll('\\', '').split('|').sort(), all);
});
