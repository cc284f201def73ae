import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseProgram } from '../../../server/src/guards/program.ts';
import type { Source } from '../../../server/src/python/semantic/source.ts';
import { checkProgram } from '../../../server/src/rules/engine/check.ts';
import { rules } from '../../../server/src/rules/index.ts';
import { SCALE, SEED } from '../../fuzz/amount.ts';
import { verdictFixtures } from '../../rules/fixtures.ts';

/** Number of characters typed between two checks. */
const STEP = Math.ceil(4 / SCALE);

/** The source while the user types its last non-empty cell. */
function* typed(source: Source): Generator<Source> {
  for (const [index, cell] of source.cells.entries()) {
    for (let length = (SEED + index * 7) % STEP; length < cell.text.length; length += STEP) {
      const cells = [...source.cells.slice(0, index), { ...cell, text: cell.text.slice(0, length) }];
      yield { ...source, cells };
    }
  }
}

describe('a program while it is typed', () => {
  it('can be checked and fixed at any prefix', () => {
    for (const fixture of verdictFixtures()) {
      for (const source of typed(fixture.source)) {
        const program = parseProgram(source);
        const { text } = program;
        const onRuleError = (code: string, cause: unknown) => {
          throw new Error(`${code} threw on ${fixture.name} up to ${JSON.stringify(text.slice(-40))}`, { cause });
        };
        for (const finding of checkProgram(program, rules, { onRuleError })) {
          for (const { edits } of finding.fixes()) {
            for (const { span } of edits) assert.ok(span.start <= span.end && span.end <= text.length);
          }
        }
      }
    }
  });
});
