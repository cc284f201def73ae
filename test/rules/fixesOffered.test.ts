import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parseProgram } from '../../server/src/guards/program.ts';
import { applyFixes } from '../../server/src/lint/lint.ts';
import type { Source } from '../../server/src/python/semantic/source.ts';
import type { Edit } from '../../server/src/rules/edits/fix.ts';
import { checkProgram } from '../../server/src/rules/engine/check.ts';
import type { Knowledge } from '../../server/src/rules/engine/contract.ts';
import { applyEdits } from '../../server/src/rules/engine/fixAll.ts';
import { rules } from '../../server/src/rules/index.ts';
import { readSource, verdictFixtures } from './fixtures.ts';
import { brokenChanges, type Change } from './python.ts';

const examples = path.join(import.meta.dirname, '../../examples');

/** All available programs with something to fix. */
const programs: (Source & { readonly known?: Knowledge })[] = [
  ...verdictFixtures().map(({ rule, name, source, known }) => ({ ...source, path: `${rule}/${name}`, known })),
  ...globSync('*.{py,ipynb}', { cwd: examples }).map((name) => readSource(path.join(examples, name), name)),
];

/** The programs with their findings, shared by several tests. */
const checked = programs.map((source) => {
  const program = parseProgram(source);
  return { source, program, findings: checkProgram(program, rules, { ...source, select: ['GPU', 'GPU4'] }) };
});

/** The new position of an offset. Text inserted at the offset comes after it. */
function shifted(edits: readonly Edit[], offset: number): number {
  return edits
    .filter(({ span }) => span.end <= offset && span.start < offset)
    .reduce((sum, { span, newText }) => sum + newText.length - (span.end - span.start), offset);
}

const texts = (source: Source) => source.cells.map(({ text }) => text);

describe('the offered fixes', () => {
  it('each produce a program that compiles', () => {
    const changes = checked.flatMap(({ source, program, findings }): Change[] =>
      findings.flatMap((finding) =>
        finding.fixes().map((fix) => ({
          name: `${source.path}: ${fix.title}`,
          before: source,
          after: applyEdits(program, fix.edits),
        })),
      ),
    );
    assert.ok(changes.length > 0);
    assert.deepEqual(brokenChanges(changes), []);
  });

  it('are not offered again after they were applied', () => {
    for (const { source, program, findings } of checked) {
      for (const { code, fixes, span } of findings) {
        for (const { title, edits } of fixes()) {
          const after = parseProgram(applyEdits(program, edits));
          const written = [span, ...edits.map((edit) => edit.span)].map((each, index) => {
            const start = shifted(edits, each.start);
            return {
              start,
              end: index === 0 ? shifted(edits, each.end) : start + (edits[index - 1]?.newText.length ?? 0),
            };
          });
          const again = checkProgram(after, rules, source).filter(
            (finding) =>
              finding.code === code &&
              written.some(({ start, end }) => finding.span.start < end && start < finding.span.end) &&
              finding.fixes().some((fix) => fix.title === title),
          );
          assert.deepEqual(again, [], `${source.path}: ${title}\n${after.text}`);
        }
      }
    }
  });

  it('have ordered edits that do not overlap or cross cells, and distinct titles', () => {
    for (const { source, program, findings } of checked) {
      for (const finding of findings) {
        const fixes = finding.fixes();
        assert.equal(new Set(fixes.map(({ title }) => title)).size, fixes.length, source.path);
        for (const { edits, title } of fixes) {
          let end = -1;
          for (const { span } of edits) {
            assert.ok(span.start >= end && span.end >= span.start, `${source.path}: ${title}`);
            assert.equal(program.placeOf(span.start).cell, program.placeOf(span.end).cell);
            end = span.end;
          }
          assert.notEqual(edits.length, 0);
        }
      }
    }
  });

  it('produce a program that compiles, and change nothing when applied again', () => {
    const changes = programs.map((before) => ({
      name: before.path,
      before,
      after: applyFixes(before, before).source,
    }));
    assert.deepEqual(brokenChanges(changes), []);
    for (const { name, before, after } of changes)
      assert.deepEqual(texts(applyFixes(after, before).source), texts(after), name);
  });

  it('leave no finding that they could fix', () => {
    for (const before of programs) {
      const after = parseProgram(applyFixes(before, before).source);
      const left = checkProgram(after, rules, before).filter((finding) => finding.fixes()[0]?.tier === 'safe');
      assert.deepEqual(left, [], before.path);
    }
  });
});
