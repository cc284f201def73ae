import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadParser, parseProgram } from '../../server/src/python/program.ts';
import { check } from '../../server/src/rules/check.ts';
import { verdictFixtures } from './fixtures.ts';

describe('verdicts of the fixtures', () => {
  before(loadParser);

  for (const fixture of verdictFixtures()) {
    it(`${fixture.rule}/${fixture.name}`, () => {
      const program = parseProgram(fixture.source);
      const own = ({ code }: { code: string }) =>
        fixture.expected.some((verdict) => verdict.includes(code)) || code === fixture.rule;
      const failures: unknown[] = [];
      const found = check(program, { facts: fixture.facts, onRuleError: (_, error) => failures.push(error) })
        .filter(own)
        .map((finding) => {
          const { cell, line } = program.placeOf(finding.span.start);
          return `${cell + 1}:${line + 1} ${finding.code}${finding.severity === 'hint' ? ' hint' : ''}`;
        });
      assert.deepEqual(failures, []);
      assert.deepEqual(found.sort(), [...fixture.expected].sort());
    });
  }
});
