import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { releaseOf } from '../../scripts/releaseNotes.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

## [1.2.3] - 2026-12-01

### Added

- Something.

## [1.2.2] - 2026-11-01

- Something else.

[Unreleased]: https://example.org/compare
[1.2.3]: https://example.org/1.2.3
`;

describe('release notes', () => {
  test('are the section of the version', () => {
    const { version, isPrerelease, notes } = releaseOf('v1.2.3', '1.2.3', CHANGELOG);
    assert.deepEqual([version, isPrerelease, notes], ['1.2.3', false, '### Added\n\n- Something.\n']);
  });

  test('omit the links below the last section', () => {
    assert.equal(releaseOf('v1.2.2', '1.2.2', CHANGELOG).notes, '- Something else.\n');
  });

  test('an odd minor number is a pre-release', () => {
    assert.ok(releaseOf('v0.3.0', '0.3.0', '## [0.3.0] - 2026-12-01\n').isPrerelease);
  });

  for (const [tag, version, changelog, message] of [
    ['1.2.3', '1.2.3', CHANGELOG, /not a release tag/],
    ['v1.2.3-rc.1', '1.2.3', CHANGELOG, /not a release tag/],
    ['v1.2.3', '1.2.2', CHANGELOG, /package\.json has 1\.2\.2/],
    ['v1.2.4', '1.2.4', CHANGELOG, /no section/],
    ['v1.2.3', '1.2.3', '## [1.2.3]\n', /has no date/],
  ] as const)
    test(`reject the tag ${tag} for version ${version}`, () =>
      assert.throws(() => releaseOf(tag, version, changelog), message));
});
