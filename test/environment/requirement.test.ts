import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequirement } from '../../server/src/environment/requirement.ts';
import { admits } from '../../server/src/environment/versions.ts';

test('clauses are read with their blanks and commas', () => {
  assert.equal(readRequirement('torch >= 2.0 , <3', 0)?.specifier, '>=2.0,<3');
  assert.equal(readRequirement('torch ( ==2.1.0 )', 0)?.pin?.text, '2.1.0');
});

test('a long line that ends as no requirement does is given up on at once', () => {
  // Each of the blanks could once be taken in two ways, and their number is the exponent.
  assert.equal(readRequirement(`torch ${'!=a '.repeat(10_000)}}`, 0), undefined);
});

test('no release has a number that is too long to be one', () => {
  assert.equal(admits(`==0.0.${'2'.repeat(70)}.post7`, '0.0.22.post7'), false);
  assert.equal(admits('==0.0.22', '0.0.23'), false);
});
