/** The installed version is compared with the requested one, and reported once, at the requirement. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EnvironmentKind } from '../../server/src/environment/environmentFile.ts';
import { lintEnvironment } from '../../server/src/lint/lintEnvironment.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import type { Knowledge } from '../../server/src/rules/engine/contract.ts';

function found(
  text: string,
  known: Knowledge | undefined,
  kind: EnvironmentKind = 'requirements',
  rule = 'GPU610',
): string[] {
  const options = known === undefined ? {} : { known };
  const { program, findings } = lintEnvironment(kind, script('requirements.txt', text), options);
  const own = findings.filter(({ code }) => code === rule);
  return own.map(({ message, span }) => `${program.placeOf(span.start).line + 1}: ${message}`);
}

test('a version other than the requested one is reported at the requirement', () => {
  assert.deepEqual(found('tqdm\ntorch==2.1.0\n', { torchVersion: '2.9.0+cu128' }), [
    '2: torch 2.9.0+cu128 is installed in the selected Python, but torch 2.1.0 is required here.',
  ]);
  assert.equal(
    found('torch<2.6\ntensorflow==2.15.0\n', { torchVersion: '2.9.0', tensorflowVersion: '2.16.1' }).length,
    1,
  );
});

test('matching, unknown and inapplicable requirements are not reported', () => {
  assert.deepEqual(found('torch>=2.1\n', { torchVersion: '2.9.0' }), []);
  assert.deepEqual(found('torch==2.1.0\n', undefined), []);
  assert.deepEqual(found('torch==2.1.0\n', {}), []);
  assert.deepEqual(found('torch==2.1.0\n', { torchVersion: '2.9.0a0+git1234' }), []);
  assert.deepEqual(found('torch==2.1.0; sys_platform == "win32"\n', { torchVersion: '2.9.0' }), []);
  assert.deepEqual(
    found('FROM python:3.11\nRUN pip install torch==2.1.0\n', { torchVersion: '2.9.0' }, 'dockerfile'),
    [],
  );
  const extra = '[project]\nname = "x"\n[project.optional-dependencies]\nold = ["torch==2.1.0"]\n';
  assert.deepEqual(found(extra, { torchVersion: '2.9.0' }, 'pyproject'), []);
});

test('a suppression comment is not unused if the installed version was not checked', () => {
  const text = 'torch==2.9.0  # gpu-doctor: ignore[GPU610]\n';
  const { findings } = lintEnvironment('requirements', script('requirements.txt', text), {});
  assert.deepEqual(
    findings.map(({ code }) => code),
    [],
  );
});

test('a release without a wheel for the selected Python is reported, unless the file states its own', () => {
  const without = (text: string, python: string | undefined, kind: EnvironmentKind = 'requirements') =>
    found(text, { python }, kind, 'GPU604');
  assert.deepEqual(without('torch==2.1.0\n', '3.13'), [
    '1: torch 2.1.0 has no wheels for Python 3.13, which is selected here, only for 3.8 to 3.11.',
  ]);
  assert.deepEqual(without('torch==2.1.0\n', '3.11'), []);
  assert.deepEqual(without('torch==2.1.0\n', undefined), []);
  assert.deepEqual(without('torch==2.1.0; python_version < "3.12"\n', '3.13'), []);
  assert.deepEqual(without('FROM python:3.11\nRUN pip install torch==2.1.0\n', '3.13', 'dockerfile'), []);
  const stated = '[project]\nname = "x"\nrequires-python = "==3.11.*"\ndependencies = ["torch==2.1.0"]\n';
  assert.deepEqual(without(stated, '3.13', 'pyproject'), []);
});
