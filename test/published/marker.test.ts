/** PEP 508 markers evaluate as in Python's packaging library, or stay undecided. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extraOf, type MarkerEnvironment, markerHolds } from '../../server/src/published/marker.ts';

const LINUX: MarkerEnvironment = { system: 'linux', python: '3.11.7', extras: ['cuda12'] };
const MAC: MarkerEnvironment = { system: 'macos', python: '3.9', extras: [] };

const CASES: readonly [marker: string, linux: boolean | undefined, mac: boolean | undefined][] = [
  ['', true, true],
  ['sys_platform == "linux"', true, false],
  ["sys_platform!='darwin'", true, false],
  ['platform_system in "Linux, Windows"', true, false],
  ['os_name not in "nt"', true, true],
  ['platform_machine == "x86_64" and platform_system == "Linux"', true, false],
  ['python_version < "3.10"', false, true],
  ['python_version >= "3.9"', true, true],
  ['python_version == "3.*"', true, true],
  ['python_full_version >= "3.11.3"', true, undefined],
  ['extra == "CUDA12"', true, false],
  ['extra == "cuda13" or sys_platform == "darwin"', false, true],
  ['(python_version < "3.10" or extra == "cuda12") and os_name == "posix"', true, true],
  ['sys_platform == "linux" or python_version < "3.8" and extra == "x"', true, false],
  ['platform_python_implementation == "CPython"', true, true],
  ['implementation_name == "pypy"', false, false],
  ['platform_release >= "5"', undefined, undefined],
  ['platform_release >= "5" and sys_platform == "win32"', false, false],
  ['platform_release >= "5" or sys_platform == "linux"', true, undefined],
  ['"3.8" <= python_version', undefined, undefined],
  ['python_version', undefined, undefined],
  ['((', undefined, undefined],
];

test('markers are true, false or undecided', () => {
  for (const [marker, linux, mac] of CASES)
    assert.deepEqual([marker, markerHolds(marker, LINUX), markerHolds(marker, MAC)], [marker, linux, mac]);
  assert.equal(markerHolds('sys_platform == "linux"', {}), undefined);
  assert.equal(markerHolds('('.repeat(100_000), LINUX), undefined);
});

test('the extra in a marker is found in any position', () => {
  assert.equal(extraOf("extra == 'with_cuda'"), 'with_cuda');
  assert.equal(extraOf('python_version < "3.10" and (sys_platform == "linux" and extra == "cuda")'), 'cuda');
  assert.equal(extraOf('extra != "cuda"'), undefined);
  assert.equal(extraOf(''), undefined);
});
