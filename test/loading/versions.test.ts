import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAtLeast, isSince, keepsOut } from '../../server/src/loading/versions.ts';

test('versions are compared by their numbers', () => {
  const newer = ['2.6', '2.6.0', '2.6.0+cu124', '2.10.1', '3.0.0a0'];
  const older = ['2.5.1+cu121', '1.13.1', '2', '0.4.1'];
  for (const version of newer) assert.equal(isAtLeast(version, '2.6'), true, version);
  for (const version of older) assert.equal(isAtLeast(version, '2.6'), false, version);
});

test('a requirement keeps a release out when it admits neither it nor a newer one', () => {
  const old = ['==2.5.1', '===2.5.1', '<2.6', '<2.6.0', '<=2.5', '~=2.5.0', '==2.5.*', '==1.*', '>=2.0,<2.6', '~=1.13'];
  const recent = ['>=2.0', '==2.6.0', '<2.7', '<=2.6', '~=2.5', '==2.*', '!=2.6.0', '>2.0,<3', '^2.3', ''];
  for (const requirement of old) assert.equal(keepsOut(requirement, '2.6'), true, requirement);
  for (const requirement of recent) assert.equal(keepsOut(requirement, '2.6'), false, requirement);
});

test('a library is older than a release where its version or the oldest that is required is', () => {
  const since = [
    {},
    { version: '2.1' },
    { requirement: '>=2.1' },
    { requirement: '<3' },
    { requirement: '==2.*,>=2.3' },
  ];
  const before = [{ version: '2.0.4' }, { requirement: '>=2' }, { requirement: '<2' }, { requirement: '~=1.15.0' }];
  for (const known of since) assert.equal(isSince('2.1', known), true, JSON.stringify(known));
  for (const known of before) assert.equal(isSince('2.1', known), false, JSON.stringify(known));
});
