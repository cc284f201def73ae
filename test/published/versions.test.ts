import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSince, joinedSpecifier, keepsOut, satisfies } from '../../server/src/published/specifier.ts';
import { compareVersions, isAtLeast, isWithin, majorOf, minorOf } from '../../server/src/published/versions.ts';

test('versions are ordered as in PEP 440', () => {
  const ascending = [
    ['570.26', '570.124.06'],
    ['2.6.0.dev20241101', '2.6.0rc1', '2.6.0', '2.6.0+cu124', '2.6.0+cu126', '2.6.0.post1', '2.6.1'],
    ['2.9', '2.10', '2.10.1'],
    ['5.15.0-91-generic', '5.15.1-2-generic'],
  ];
  for (const versions of ascending) {
    assert.deepEqual([...versions].reverse().sort(compareVersions), versions);
    assert.deepEqual([...versions].sort((left, right) => compareVersions(right, left)).reverse(), versions);
  }
  for (const [one, other] of [
    ['2.6', '2.6.0'],
    ['v2.6', '2.6'],
    ['', '0'],
  ] as const)
    assert.equal(compareVersions(one, other), 0, `${one} ${other}`);
});

test('a minor release contains all of its versions', () => {
  assert.ok(isWithin('3.13.2', ['3.9', '3.13']));
  assert.ok(isWithin('3.9', ['3.9', '3.13']));
  assert.ok(!isWithin('3.14', ['3.9', '3.13']));
  assert.ok(!isWithin('3.8.20', ['3.9', '3.13']));
});

test('versions are truncated to their first numbers', () => {
  assert.deepEqual(['12.4.1', '12'].map(majorOf), ['12', '12']);
  assert.deepEqual(['2.6.0+cu124', '3.13rc1', '12'].map(minorOf), ['2.6', '3.13', '12']);
});

test('versions are compared by their numbers', () => {
  const newer = ['2.6', '2.6.0', '2.6.0+cu124', '2.10.1', '3.0.0a0'];
  const older = ['2.5.1+cu121', '1.13.1', '2', '0.4.1'];
  for (const version of newer) assert.equal(isAtLeast(version, '2.6'), true, version);
  for (const version of older) assert.equal(isAtLeast(version, '2.6'), false, version);
});

test('a requirement excludes a release if it allows neither it nor a newer one', () => {
  const old = ['==2.5.1', '===2.5.1', '<2.6', '<2.6.0', '<=2.5', '~=2.5.0', '==2.5.*', '==1.*', '>=2.0,<2.6', '~=1.13'];
  const recent = ['>=2.0', '==2.6.0', '<2.7', '<=2.6', '~=2.5', '==2.*', '!=2.6.0', '>2.0,<3', '^2.3', ''];
  for (const requirement of old) assert.equal(keepsOut(requirement, '2.6'), true, requirement);
  for (const requirement of recent) assert.equal(keepsOut(requirement, '2.6'), false, requirement);
});

test('a library is older than a release if its version, or its oldest allowed version, is', () => {
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

test('versions before a post-release satisfy a specifier that excludes it', () => {
  const range = '>=2.8.3,<2.8.3.post2';
  const within = ['2.8.2', '2.8.3', '2.8.3.post1', '2.8.3.post2', '2.8.4'].filter((each) => satisfies(each, range));
  assert.deepEqual(within, ['2.8.3', '2.8.3.post1']);
  assert.equal(satisfies('2.7', '<2.6.post1'), false);
});

test('several specifiers become one without what others imply, or none if they exclude each other', () => {
  const pairs: readonly [string[], string | undefined][] = [
    [['>=0.9.0', '>=0.7.1'], '>=0.9.0'],
    [['>=1.19', '<2,>=1.21', '<3'], '<2,>=1.21'],
    [['>=1.0', '>=1.0'], '>=1.0'],
    [['>=2.0', '==2.6.0'], '==2.6.0'],
    [['==2.8.0', '==2.8'], '==2.8.0'],
    [['!=1.5', '>=1.2', ''], '!=1.5,>=1.2'],
    [['~=2.1', '<3'], '~=2.1'],
    [['', ''], ''],
    [['>=5', '<3.21'], undefined],
    [['==1.0', '==2.0'], undefined],
  ];
  for (const [specifiers, expected] of pairs)
    assert.equal(joinedSpecifier(specifiers), expected, specifiers.join(' and '));
});
