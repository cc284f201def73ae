import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequirement } from '../../server/src/environment/requirement.ts';
import { admits } from '../../server/src/environment/versions.ts';

test('clauses are read with spaces and commas', () => {
  assert.equal(readRequirement('torch >= 2.0 , <3', 0)?.specifier, '>=2.0,<3');
  assert.equal(readRequirement('torch ( ==2.1.0 )', 0)?.pin?.text, '2.1.0');
});

test('a long invalid line is rejected quickly', () => {
  // An earlier pattern could match each space in two ways, so its time grew exponentially with their number.
  assert.equal(readRequirement(`torch ${'!=a '.repeat(10_000)}}`, 0), undefined);
});

test('a number that is too long matches no release', () => {
  assert.equal(admits(`==0.0.${'2'.repeat(70)}.post7`, '0.0.22.post7'), false);
  assert.equal(admits('==0.0.22', '0.0.23'), false);
});
