import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { applyFixes } from '../../server/src/lint/lint.ts';
import type { Source } from '../../server/src/python/semantic/source.ts';
import type { Knowledge } from '../../server/src/rules/engine/contract.ts';
import { factsIn, readSource } from './fixtures.ts';
import { brokenChanges } from './python.ts';

const root = import.meta.dirname;

interface Pair {
  readonly name: string;
  readonly before: Source;
  readonly after: Source;
  readonly known: Knowledge;
}

/** `x.in.py` is the original, `x.out.py` the result of all its fixes. */
const pairs = globSync('GPU*/**/*.in.{py,ipynb}', { cwd: root })
  .sort()
  .map((file): Pair => {
    const name = file.replace(/\.in\.(py|ipynb)$/, '.$1');
    const read = (side: string) => readSource(path.join(root, file.replace(/\.in\.(py|ipynb)$/, `.${side}.$1`)), name);
    const before = read('in');
    return { name, before, after: read('out'), known: factsIn(before) };
  });

const texts = (source: Source) => source.cells.map(({ text }) => text);

function mapped(source: Source, change: (text: string, kind: Source['kind']) => string): Source {
  return { ...source, cells: source.cells.map((cell) => ({ ...cell, text: change(cell.text, source.kind) })) };
}

/** The same program as saved by other editors. */
const variants: Record<string, (text: string, kind: Source['kind']) => string> = {
  'with CRLF': (text) => text.replaceAll('\n', '\r\n'),
  'with tabs': (text) => text.replace(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4)),
  'with a byte order mark': (text, kind) => (kind === 'script' ? `\ufeff${text}` : text),
  'without a final newline': (text) => text.replace(/\n$/, ''),
};

describe('fixing a whole file', () => {
  for (const pair of pairs) {
    it(pair.name, () => {
      const { known } = pair;
      const fixed = applyFixes(pair.before, { known });
      assert.deepEqual(texts(fixed.source), texts(pair.after));
      assert.equal(fixed.fixed > 0, texts(pair.before).join('\n') !== texts(pair.after).join('\n'));
      assert.deepEqual(
        texts(applyFixes(pair.after, { known }).source),
        texts(pair.after),
        'a second run changes nothing',
      );
    });
  }

  for (const [name, change] of Object.entries(variants)) {
    it(`preserves a file ${name}`, () => {
      // Tabs can only be detected in an indented line.
      const isMeant = ({ before }: Pair) => name !== 'with tabs' || texts(before).some((text) => /^ {4}/m.test(text));
      for (const pair of pairs.filter(isMeant)) {
        assert.deepEqual(
          texts(applyFixes(mapped(pair.before, change), { known: pair.known }).source),
          texts(mapped(pair.after, change)),
          pair.name,
        );
      }
    });
  }

  it('writes Python that compiles', () => {
    assert.deepEqual(brokenChanges(pairs.map(({ name, before, after }) => ({ name, before, after }))), []);
  });
});
