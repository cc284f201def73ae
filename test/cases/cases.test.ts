import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allCases, explainCase } from './explainCase.ts';

for (const each of await allCases())
  test(`case ${each.id}: ${each.message ?? 'no message'}, ${each.cause ?? each.asks ?? 'no cause'}`, async () => {
    const [first] = await explainCase(each);
    const [cause] = first?.causes ?? [];
    const standing = each.cause === undefined ? 'possible' : 'confirmed';
    assert.deepEqual(
      { message: first?.id, cause: cause?.id, standing: cause?.standing, remedy: first?.remedies[0]?.title },
      {
        message: each.message,
        cause: each.cause ?? each.asks,
        standing: cause && standing,
        remedy: each.remedy,
      },
    );
    const commands = first?.remedies.flatMap(({ command }) => command ?? []) ?? [];
    assert.deepEqual(commands, [...new Set(commands)], 'what two causes would have one run is said once');
    const joined = commands.filter((command) => /\bpip install\b[^;&|]*"[\w.-]+ [\w.-]+"/.test(command));
    assert.deepEqual(joined, [], 'of two packages each is a word of its own');
  });
