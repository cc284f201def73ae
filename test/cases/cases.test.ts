import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownMessages } from '../../server/src/messages/catalogue.ts';
import { expressionOf } from '../../server/src/messages/find.ts';
import { explanationText } from '../../server/src/report/explanation.ts';
import { allCases, explainCase } from './explainCase.ts';

const cases = await allCases();

/** A terminal shows an explanation in this many lines, without `--verbose`. */
const MOST_LINES = 8;

for (const each of cases)
  test(`case ${each.id}: ${each.message ?? 'no message'}, ${each.cause ?? each.asks ?? 'no cause'}`, async () => {
    const explanations = await explainCase(each);
    const lines = explanationText(explanations, (_, text) => text).split('\n').length - 1;
    assert.ok(lines <= MOST_LINES, `${lines} lines`);
    const [first] = explanations;
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

/** They may fit these examples alone, and are listed, so that someone finds reports of them. */
test('few messages and patterns are matched only by their own examples', (t) => {
  const expected = new Set(cases.map(({ message }) => message));
  const messages = knownMessages();
  const alone = messages.filter(({ id }) => !expected.has(id)).map(({ id }) => id);
  const patterns = messages.flatMap(({ id, patterns }) => patterns.map((pattern) => ({ id, pattern })));
  const unmatched = patterns.filter(
    ({ pattern }) => !cases.some(({ text }) => text.search(expressionOf(pattern)) >= 0),
  );
  t.diagnostic(`${alone.length} of ${messages.length} messages are expected by no case: ${alone.join(', ')}.`);
  t.diagnostic(`${unmatched.length} of ${patterns.length} patterns match no case:`);
  for (const { id, pattern } of unmatched) t.diagnostic(`${id}: ${pattern}`);
  assert.ok(alone.length < messages.length * 0.05, 'messages');
  assert.ok(unmatched.length < patterns.length * 0.16, 'patterns');
});
