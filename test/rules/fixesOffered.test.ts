import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parseProgram } from '../../server/src/guards/program.ts';
import type { Source } from '../../server/src/python/semantic/source.ts';
import type { Edit } from '../../server/src/rules/edits/fix.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import type { Knowledge } from '../../server/src/rules/engine/contract.ts';
import { applyEdits, fixAll } from '../../server/src/rules/engine/fixAll.ts';
import { rules } from '../../server/src/rules/index.ts';
import { readSource, verdictFixtures } from './fixtures.ts';
import { brokenBy, type Change } from './python.ts';

const examples = path.join(import.meta.dirname, '../../examples');

/** Every program at hand that has something to fix. */
const programs: (Source & { readonly known?: Knowledge })[] = [
  ...verdictFixtures().map(({ rule, name, source, known }) => ({ ...source, path: `${rule}/${name}`, known })),
  ...globSync('*.{py,ipynb}', { cwd: examples }).map((name) => readSource(path.join(examples, name), name)),
];

/** Each with what is found in it, which several tests look at. */
const judged = programs.map((source) => {
  const program = parseProgram(source);
  return { source, program, findings: check(program, rules, { ...source, select: ['GPU', 'GPU4'] }) };
});

/** Where an offset comes to lie. What is inserted at it stands behind it. */
function movedBy(edits: readonly Edit[], offset: number): number {
  return edits
    .filter(({ span }) => span.end <= offset && span.start < offset)
    .reduce((sum, { span, newText }) => sum + newText.length - (span.end - span.start), offset);
}

const texts = (source: Source) => source.cells.map(({ text }) => text);

describe('the fixes that are offered', () => {
  it('each leave a program that compiles', () => {
    const changes = judged.flatMap(({ source, program, findings }): Change[] =>
      findings.flatMap((finding) =>
        finding.fixes().map((fix) => ({
          name: `${source.path}: ${fix.title}`,
          before: source,
          after: applyEdits(program, fix.edits),
        })),
      ),
    );
    assert.ok(changes.length > 0);
    assert.deepEqual(brokenBy(changes), []);
  });

  it('are not offered again where they were applied', () => {
    for (const { source, program, findings } of judged) {
      for (const { code, fixes, span } of findings) {
        for (const { title, edits } of fixes()) {
          const after = parseProgram(applyEdits(program, edits));
          const written = [span, ...edits.map((edit) => edit.span)].map((each, index) => {
            const start = movedBy(edits, each.start);
            return {
              start,
              end: index === 0 ? movedBy(edits, each.end) : start + (edits[index - 1]?.newText.length ?? 0),
            };
          });
          const again = check(after, rules, source).filter(
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

  it('have edits in order that do not overlap and stay in their cells, and titles of their own', () => {
    for (const { source, program, findings } of judged) {
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

  it('are applied all at once to a program that compiles and stays as it is when they are applied again', () => {
    const changes = programs.map((before) => ({
      name: before.path,
      before,
      after: fixAll(before, rules, before).source,
    }));
    assert.deepEqual(brokenBy(changes), []);
    for (const { name, before, after } of changes)
      assert.deepEqual(texts(fixAll(after, rules, before).source), texts(after), name);
  });

  it('leave nothing that they could fix', () => {
    for (const before of programs) {
      const after = parseProgram(fixAll(before, rules, before).source);
      const left = check(after, rules, before).filter((finding) => finding.fixes()[0]?.tier === 'safe');
      assert.deepEqual(left, [], before.path);
    }
  });
});
