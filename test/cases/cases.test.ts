import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { type Case, explainCase } from './explainCase.ts';

const cases: Case[] = parse(await readFile(path.join(import.meta.dirname, 'cases.yaml'), 'utf8'));

for (const each of cases)
  test(`case ${each.id}: ${each.message}, ${each.cause}`, async () => {
    const [first] = await explainCase(each);
    assert.deepEqual(
      { message: first?.id, cause: first?.causes[0]?.id, remedy: first?.remedies[0]?.title },
      { message: each.message, cause: each.cause, remedy: each.remedy },
    );
    assert.notEqual(first?.causes[0]?.standing, 'ruled-out');
  });
