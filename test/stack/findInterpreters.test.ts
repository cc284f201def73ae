import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { thisMachine } from '../../server/src/stack/machine/machine.ts';
import { findInterpreters } from '../../server/src/stack/readers/findInterpreters.ts';
import { folderWith } from '../cli/run.ts';

const PROGRAM = '#!/bin/sh\nexit 1\n';

const venv = (folder: string, version: string) => ({
  [`${folder}/pyvenv.cfg`]: `home = /usr/bin\nversion = ${version}\n`,
  [`${folder}/bin/python`]: PROGRAM,
});

const torchIn = (folder: string, python: string, version: string) => ({
  [`${folder}/lib/python${python}/site-packages/torch/version.py`]: `__version__ = '${version}'\n`,
  [`${folder}/lib/python${python}/site-packages/torch-${version}.dist-info/METADATA`]: `Name: torch\nVersion: ${version}\n`,
});

test('finds the Pythons of the folder, of tools and on the PATH, each once', {
  skip: process.platform === 'win32',
}, async (t) => {
  const home = await folderWith(t, {
    ...venv('project/.venv', '3.12.1'),
    ...torchIn('project/.venv', '3.12', '2.5.1+cu124'),
    ...venv('project/tools', '3.11.4'),
    'project/src/bin/python': PROGRAM,
    ...venv('.virtualenvs/vision', '3.10.2'),
    '.conda/environments.txt': '',
    'miniconda3/envs/audio/conda-meta/history': '',
    'miniconda3/envs/audio/bin/python': PROGRAM,
    '.local/share/uv/python/cpython-3.13.0-linux-x86_64-gnu/bin/python3': PROGRAM,
    '.pyenv/versions/3.9.18/bin/python': PROGRAM,
    'usr/bin/python3': PROGRAM,
    '.pyenv/shims/python3': PROGRAM,
  });
  await chmod(join(home, 'usr/bin/python3'), 0o755);
  const PATH = ['.pyenv/shims', 'usr/bin', 'usr/bin', 'missing'].map((name) => join(home, name)).join(':');
  const machine = { ...thisMachine(), home, env: { PATH, VIRTUAL_ENV: join(home, '.virtualenvs/vision') } };
  const found = await findInterpreters(machine, [join(home, 'project')]);
  const own = found
    .filter(({ path }) => path.startsWith(home))
    .map(({ path, kind, frameworks }) => [path.slice(home.length + 1), kind, frameworks]);
  assert.deepEqual(own, [
    ['project/.venv/bin/python', 'workspace', ['torch 2.5.1+cu124']],
    ['project/tools/bin/python', 'workspace', []],
    ['.virtualenvs/vision/bin/python', 'activated', []],
    ['miniconda3/envs/audio/bin/python', 'conda', []],
    ['.local/share/uv/python/cpython-3.13.0-linux-x86_64-gnu/bin/python3', 'uv', []],
    ['.pyenv/versions/3.9.18/bin/python', 'pyenv', []],
    ['usr/bin/python3', 'system', []],
  ]);
  assert.equal(found[0]?.version, '3.12.1');
  assert.deepEqual(
    await findInterpreters({ ...machine, env: {}, home: join(home, 'nowhere') }, [join(home, 'missing')]).then((all) =>
      all.filter(({ path }) => path.startsWith(home)),
    ),
    [],
  );
});
