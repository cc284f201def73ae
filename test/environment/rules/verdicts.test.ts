/** All rules check every environment fixture, and every fix produces a valid file without the finding. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBeside } from '../../../server/src/environment/readers/includes.ts';
import { lintEnvironment } from '../../../server/src/lint/lintEnvironment.ts';
import { script } from '../../../server/src/python/semantic/source.ts';
import { applyEdits } from '../../../server/src/rules/engine/fixAll.ts';
import { type EnvironmentFixture, environmentFixtures } from './fixtures.ts';

const fixtures = environmentFixtures();

function judge({ kind, name, place }: EnvironmentFixture, text: string) {
  const options = {
    onRuleError(_: string, error: unknown) {
      throw error;
    },
  };
  return lintEnvironment(kind, script(name, text), options, readBeside(place));
}

for (const fixture of fixtures) {
  test(fixture.name, () => {
    const { program, findings } = judge(fixture, fixture.text);
    assert.deepEqual(program.environment.errors, []);
    const found = findings.map(({ code, severity, span }) => {
      const line = program.placeOf(span.start).line + 1;
      return `${line} ${code}${severity === 'hint' ? ' hint' : ''}`;
    });
    assert.deepEqual(found.sort(), fixture.expected);
  });

  test(`fixes of ${fixture.name}`, () => {
    const { program, findings } = judge(fixture, fixture.text);
    for (const finding of findings) {
      for (const fix of finding.fixes()) {
        const fixed = applyEdits(program, fix.edits).cells[0]?.text ?? '';
        assert.notEqual(fixed, fixture.text);
        const after = judge(fixture, fixed);
        assert.deepEqual(after.program.environment.errors, [], fix.title);
        const comments = (text: string) => text.match(/#.*/g)?.length ?? 0;
        assert.equal(comments(fixed), comments(fixture.text), fix.title);
        const same = ({ code, message }: { code: string; message: string }) =>
          code === finding.code && message === finding.message;
        assert.equal(after.findings.filter(same).length, 0, `${fix.title}: ${fixed}`);
      }
    }
  });
}

test('every rule has fixtures with and without findings', () => {
  for (const code of new Set(fixtures.map(({ name }) => name.slice(0, 6)))) {
    const own = fixtures.filter(({ name }) => name.startsWith(code));
    assert.ok(
      own.some(({ expected }) => expected.length > 0),
      code,
    );
    assert.ok(
      own.some(({ expected }) => expected.length === 0),
      code,
    );
  }
});
