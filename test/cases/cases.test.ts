import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { type Case, explainCase } from './explainCase.ts';

const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.yaml'));
const cases = (await Promise.all(files.map((name) => readFile(path.join(import.meta.dirname, name), 'utf8')))).flatMap(
  (text): Case[] => parse(text),
);

for (const each of cases)
  test(`case ${each.id}: ${each.message}, ${each.cause}`, async () => {
    const [first] = await explainCase(each);
    assert.deepEqual(
      { message: first?.id, cause: first?.causes[0]?.id, remedy: first?.remedies[0]?.title },
      { message: each.message, cause: each.cause, remedy: each.remedy },
    );
    assert.notEqual(first?.causes[0]?.standing, 'ruled-out');
  });
