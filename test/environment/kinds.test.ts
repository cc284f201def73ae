/** The names of environment files, which must agree with the pattern of the pre-commit hook. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { root } from '../../scripts/root.ts';
import { environmentKind, patternsByKind } from '../../server/src/environment/kinds.ts';

const KINDS: Readonly<Record<string, readonly string[]>> = {
  pyproject: ['pyproject.toml'],
  pixi: ['pixi.toml'],
  pipfile: ['Pipfile'],
  setupCfg: ['setup.cfg'],
  requirements: [
    'requirements.txt',
    'requirements/gpu.txt',
    'dev-requirements.txt',
    'requirements-größe 2.txt',
    'größe-requirements.txt',
    'reqs.txt',
    'REQUIREMENTS.TXT',
    'constraints.txt',
  ],
  requirementsIn: ['requirements.in', 'requirements/gpu.in', 'test-constraints.in'],
  conda: ['environment.yml', 'environment-gpu.yaml', 'conda-lock.yml', 'my.env.yaml', 'conda.yaml'],
  dockerfile: ['Dockerfile', 'dockerfile', 'Dockerfile.gpu', 'gpu.dockerfile', 'a.b.Dockerfile', 'Containerfile'],
  compose: ['compose.yaml', 'docker-compose.yml', 'docker-compose.gpu.yaml'],
  devcontainer: ['devcontainer.json', '.devcontainer.json'],
  shell: ['install.sh', 'setup env.bash'],
  workflow: ['.github/workflows/test.yml', '.github/workflows/environment.yaml'],
};

const NONE = [
  'MyDockerfile',
  'readme.txt',
  'secondary.yaml',
  'envoy.yml',
  'my_pyproject.toml',
  'requirements.py',
  'composer.yaml',
  'requirements.txt.j2',
  'Pipfile.lock',
  'install.sh.in',
  'workflows/test.yml',
];

test('the name of a file determines its kind', async () => {
  const hooks: { id: string; files: string }[] = parse(await readFile(join(root, '.pre-commit-hooks.yaml'), 'utf8'));
  assert.deepEqual([...new Set(hooks.map(({ files }) => files))].length, 1);
  const hookPattern = new RegExp(hooks[0]?.files.replace(/^\(\?i\)/, '') ?? '', 'i');
  // Each pattern stands in the hooks as it is.
  for (const pattern of Object.values(patternsByKind()).flat())
    assert.ok(hooks[0]?.files.includes(pattern), `the hooks lack ${pattern}`);
  const expected = [
    ...Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
    ...NONE.map((name) => [name, undefined] as const),
  ];
  for (const [name, kind] of expected)
    for (const path of [name, `sub folder/${name}`]) {
      assert.equal(environmentKind(path), kind, path);
      const isChecked = kind !== undefined || /\.(pyw?|ipynb)$/.test(path);
      assert.equal(hookPattern.test(path), isChecked, `${path}, by the hook`);
    }
});
