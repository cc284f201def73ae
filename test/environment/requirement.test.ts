import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequirement } from '../../server/src/environment/requirement.ts';

test('clauses are read with their blanks and commas', () => {
  assert.equal(readRequirement('torch >= 2.0 , <3', 0)?.specifier, '>=2.0,<3');
  assert.equal(readRequirement('torch ( ==2.1.0 )', 0)?.pin?.text, '2.1.0');
});

test('a long line that ends as no requirement does is given up on at once', () => {
  // Each of the blanks could once be taken in two ways, and their number is the exponent.
  assert.equal(readRequirement(`torch ${'!=a '.repeat(10_000)}}`, 0), undefined);
});
