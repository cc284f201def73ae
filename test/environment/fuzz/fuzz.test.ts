/**
 * Damaged environment files from a seeded generator: each is read and checked, findings lie within the text, and the
 * result of their fixes can be checked again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lintEnvironment } from '../../../server/src/lint/lintEnvironment.ts';
import { script } from '../../../server/src/python/semantic/source.ts';
import { applyEdits } from '../../../server/src/rules/engine/fixAll.ts';
import { SEED, share } from '../../fuzz/amount.ts';
import { randomFrom } from '../../random.ts';
import { environmentFixtures } from '../rules/fixtures.ts';

const TEXTS = share(20_000);

/** Texts that are most likely to mislead a reader. */
const CULPRITS = [
  ...[
    '\\',
    '\\\n',
    '\r',
    '\n',
    '\t',
    '\0',
    '\uFEFF',
    '#',
    ';',
    ':',
    '- ',
    '&a',
    '*a',
    '<<EOF',
    '<<: *a',
    '"',
    "'",
    '"""',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '==',
    '===',
    '~=',
    '>=',
    '+cu118',
    '.*',
    '*',
    '@ ',
    '$X',
    '$(',
    '`',
    '--index-url ',
    '\u{1F600}',
  ],
];

test('damaged files of each kind can be checked', () => {
  const fixtures = environmentFixtures();
  const random = randomFrom(SEED);
  for (let round = 0; round < TEXTS; round++) {
    const fixture = fixtures[random(fixtures.length)];
    if (fixture === undefined) continue;
    let { text } = fixture;
    for (let damage = random(4); damage >= 0; damage--) {
      const at = random(text.length + 1);
      const gone = random(3) === 0 ? random(20) : 0;
      text = text.slice(0, at) + (CULPRITS[random(CULPRITS.length)] ?? '') + text.slice(at + gone);
    }
    const judge = (of: string) =>
      lintEnvironment(fixture.kind, script(fixture.name, of), {
        onRuleError(code, error) {
          assert.fail(`seed ${SEED}, round ${round}: ${code} on ${JSON.stringify(of)}: ${String(error)}`);
        },
      });
    const { program, findings } = judge(text);
    for (const { span, related, fixes } of findings) {
      for (const { start, end } of [span, ...related.flatMap((each) => ('span' in each ? each.span : []))])
        assert.ok(0 <= start && start <= end && end <= text.length, `round ${round}`);
      for (const fix of fixes()) {
        const fixed = applyEdits(program, fix.edits).cells[0]?.text ?? '';
        assert.deepEqual(judge(fixed).program.environment.errors, [], `round ${round}: ${fix.title}`);
      }
    }
  }
});

test('a repetitive list is checked line by line', () => {
  const times = 400;
  const text = 'torch==2.1.0\ntorchvision==0.15.0\n'.repeat(times);
  const { findings } = lintEnvironment('requirements', script('requirements.txt', text), {});
  const codes = findings.map(({ code }) => code);
  assert.equal(codes.filter((code) => code === 'GPU601').length, times);
  // A finding about the whole list is reported once.
  assert.deepEqual(codes.filter((code) => code !== 'GPU601').sort(), ['GPU606', 'GPU608']);
});
