import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allCases, explainCase } from './explainCase.ts';

for (const each of await allCases())
  test(`case ${each.id}: ${each.message}, ${each.cause}`, async () => {
    const [first] = await explainCase(each);
    assert.deepEqual(
      { message: first?.id, cause: first?.causes[0]?.id, remedy: first?.remedies[0]?.title },
      { message: each.message, cause: each.cause, remedy: each.remedy },
    );
    assert.notEqual(first?.causes[0]?.standing, 'ruled-out');
    const commands = first?.remedies.flatMap(({ command }) => command ?? []) ?? [];
    assert.deepEqual(commands, [...new Set(commands)], 'what two causes would have one run is said once');
    const joined = commands.filter((command) => /\bpip install\b[^;&|]*"[\w.-]+ [\w.-]+"/.test(command));
    assert.deepEqual(joined, [], 'of two packages each is a word of its own');
  });
