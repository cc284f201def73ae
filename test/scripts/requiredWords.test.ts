import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requiredWordsOf } from '../../scripts/requiredWords.ts';

const WORDS: readonly (readonly [
  pattern: string,
  anchors: readonly string[],
  alternatives: readonly (readonly string[])[],
])[] = [
  // A space matches any white space, so it separates words; letters count in either case.
  ['CUDA out of Memory', ['memory'], [['cuda', 'out', 'memory']]],
  // Optional parts and lookarounds are not required; repeated characters end a word.
  ['libcudart(?:\\.so)?(?!x) miss+ing(?:abcdefg)*', ['libcudart'], [['libcudart', 'miss', 'ing']]],
  // Escaped characters are literal, classes are not.
  ['cublas_status\\[\\d+\\]', ['cublas_status['], [['cublas_status[']]],
  // Each alternative counts by itself, and a group only if all of its alternatives have words.
  ['first error|ab (?:second|third) x', ['first', 'second', 'third'], [['first', 'error'], []]],
  ['(?<name>one|\\w+) x', [], [[]]],
  // Only ASCII is searched for.
  ['não encontrado', ['encontrado'], [['encontrado']]],
];

for (const [pattern, anchors, alternatives] of WORDS)
  test(`the words that ${pattern} requires`, () =>
    assert.deepEqual(requiredWordsOf(pattern), { anchors, alternatives }));
