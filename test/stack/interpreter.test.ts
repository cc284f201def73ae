import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { knownValue } from '../../server/src/stack/facts/facts.ts';
import { readInterpreter } from '../../server/src/stack/readers/interpreter.ts';
import { pythonOfKernel } from '../../server/src/stack/readers/kernelspec.ts';
import { readInstalledPackages } from '../../server/src/stack/readers/sitePackages.ts';
import { type Recording, recordedMachine } from './recordedMachine.ts';

const PYVENV = 'home = /usr/bin\nversion = 3.12.3\ninclude-system-site-packages = ';

function machineOf(recording: Partial<Recording>) {
  return recordedMachine('', { about: '', platform: 'linux', home: '/home/ada', ...recording });
}

async function pythonOf(recording: Partial<Recording>) {
  const { interpreter, folders = ['/home/ada/project'] } = recording;
  const machine = machineOf(recording);
  const fact = await readInterpreter(machine, { interpreter, folders });
  return knownValue(fact);
}

const VENV = { '/home/ada/project/env/pyvenv.cfg': `${PYVENV}false`, '/home/ada/project/env/bin/python': null };

for (const interpreter of ['env/bin/python', './env', '/home/ada/project/env', '~/project/env/bin/python']) {
  test(`the selected interpreter may be given as ${interpreter}`, async () => {
    const python = await pythonOf({ interpreter, files: VENV });
    assert.equal(python?.path, '/home/ada/project/env/bin/python');
    assert.equal(python?.environment, 'venv');
  });
}

test('the selected interpreter may be a name on PATH', async () => {
  const files = { '/opt/python/bin/python3.13': null, '/usr/bin/python3': null };
  const python = await pythonOf({ interpreter: 'python3.13', files, env: { PATH: '/usr/bin:/opt/python/bin' } });
  assert.deepEqual([python?.path, python?.version], ['/opt/python/bin/python3.13', '3.13']);
});

test('an environment of the workspace has precedence over an activated one, which has precedence over PATH', async () => {
  const active = { '/envs/a/pyvenv.cfg': `${PYVENV}false`, '/envs/a/bin/python3': null, '/usr/bin/python3.12': null };
  const env = { VIRTUAL_ENV: '/envs/a', PATH: '/usr/bin' };
  const links = { '/usr/bin/python3': 'python3.12' };
  const own = { '/home/ada/project/venv/bin/python': null };
  assert.equal((await pythonOf({ files: { ...active, ...own }, env, links }))?.chosenBy, 'workspace folder');
  assert.equal((await pythonOf({ files: active, env, links }))?.chosenBy, 'VIRTUAL_ENV');
  assert.equal((await pythonOf({ files: active, env: { PATH: '/usr/bin' }, links }))?.chosenBy, 'PATH');
});

test('a conda environment created by the Python extension counts', async () => {
  const files = { '/home/ada/project/.conda/bin/python': null, '/usr/bin/python3': null };
  const python = await pythonOf({ files, env: { PATH: '/usr/bin' } });
  assert.equal(python?.path, '/home/ada/project/.conda/bin/python');
});

describe('the kernel of the notebook', () => {
  const KERNELS = '/home/ada/.local/share/jupyter/kernels';
  const kernel = (program: string) =>
    JSON.stringify({ argv: [program, '-m', 'ipykernel_launcher', '-f', '{connection_file}'] });
  const files = {
    [`${KERNELS}/vision/kernel.json`]: kernel('/envs/vision/bin/python'),
    [`${KERNELS}/python3/kernel.json`]: kernel('/envs/vision/bin/python'),
    [`${KERNELS}/relative/kernel.json`]: kernel('python'),
    [`${KERNELS}/broken/kernel.json`]: '{ "argv": [',
    [`${KERNELS}/odd/kernel.json`]: 'null',
    [`${KERNELS}/gone/kernel.json`]: kernel('/envs/gone/bin/python'),
    '/usr/share/jupyter/kernels/vision/kernel.json': kernel('/usr/bin/python3'),
    '/usr/share/jupyter/kernels/shared/kernel.json': kernel('/opt/shared/bin/python'),
    '/home/ada/secret/kernel.json': kernel('/envs/vision/bin/python'),
    '/envs/vision/bin/python': null,
    '/opt/shared/bin/python': null,
    '/usr/bin/python3': null,
    '/home/ada/project/.venv/bin/python': null,
  };
  const fact = (name: string, interpreter?: string) =>
    readInterpreter(machineOf({ files, env: { PATH: '/usr/bin' } }), {
      kernel: name,
      interpreter,
      folders: ['/home/ada/project'],
    });
  const path = async (name: string, interpreter?: string) => knownValue(await fact(name, interpreter))?.path;

  for (const [name, found] of [
    ['vision', '/envs/vision/bin/python'],
    ['Vision', '/envs/vision/bin/python'],
    ['shared', '/opt/shared/bin/python'],
  ] as const) {
    test(`${name} is the Python that its specification starts`, async () => {
      assert.equal(await path(name), found);
      assert.equal(knownValue(await fact(name))?.chosenBy, `kernel "${name}"`);
    });
  }

  for (const name of ['python3', 'relative', 'broken', 'odd', 'unheard-of', '../../../../secret', '']) {
    test(`"${name}" has no meaning`, async () => {
      assert.equal(await path(name), '/home/ada/project/.venv/bin/python');
    });
  }

  test('it has precedence over the selected interpreter, which is the fallback', async () => {
    assert.equal(await path('vision', '/usr/bin/python3'), '/envs/vision/bin/python');
    assert.equal(await path('python3', '/usr/bin/python3'), '/usr/bin/python3');
  });

  test('a missing Python is reported', async () => {
    const trouble = await fact('gone');
    assert.ok('unknown' in trouble);
    assert.equal(
      trouble.unknown,
      'the kernel "gone" is configured to start a Python that does not exist: /envs/gone/bin/python',
    );
  });

  test('its folder is found on every system', async () => {
    for (const [platform, home, folder, env] of [
      ['darwin', '/Users/ada', '/Users/ada/Library/Jupyter', {}],
      ['linux', '/home/ada', '/data/jupyter', { XDG_DATA_HOME: '/data' }],
      ['linux', '/home/ada', '/elsewhere', { JUPYTER_PATH: ':/elsewhere' }],
    ] as const) {
      const files = { [`${folder}/kernels/vision/kernel.json`]: kernel('/envs/vision/bin/python') };
      const machine = machineOf({ platform, home, env, files });
      assert.equal(await pythonOfKernel(machine, 'vision'), '/envs/vision/bin/python');
    }
    const program = 'C:\\envs\\vision\\python.exe';
    const specification = 'C:\\Users\\ada\\AppData\\Roaming\\jupyter\\kernels\\vision\\kernel.json';
    const windows = machineOf({
      platform: 'win32',
      home: 'C:\\Users\\ada',
      files: { [specification]: kernel(program) },
    });
    assert.equal(await pythonOfKernel(windows, 'vision'), program);
  });
});

test('packages come from PYTHONPATH, then the user, then the installation', async () => {
  const files = {
    '/usr/bin/python3.12': null,
    '/cluster/torch/torch-2.4.0.dist-info/METADATA': null,
    '/home/ada/.local/lib/python3.12/site-packages/torch-2.3.0.dist-info/METADATA': null,
    '/usr/local/lib/python3.12/dist-packages/numpy-2.0.0.dist-info/METADATA': null,
    '/usr/lib/python3/dist-packages/six-1.16.0.egg-info': null,
  };
  const recording: Partial<Recording> = {
    files,
    links: { '/usr/bin/python3': 'python3.12' },
    env: { PATH: '/usr/bin', PYTHONPATH: 'relative:/cluster/torch:/gone' },
  };
  const python = await pythonOf(recording);
  assert.deepEqual(python?.sitePackages, [
    '/cluster/torch',
    '/home/ada/.local/lib/python3.12/site-packages',
    '/usr/local/lib/python3.12/dist-packages',
    '/usr/lib/python3/dist-packages',
  ]);
  const installed = await readInstalledPackages(machineOf(recording), python?.sitePackages ?? []);
  assert.equal(installed.get('torch')?.version, '2.4.0');
  assert.equal(installed.get('six')?.version, '1.16.0');
});

test("a virtual environment sees the system's packages only if it is configured to", async () => {
  const files = (system: string) => ({
    '/home/ada/project/.venv/pyvenv.cfg': PYVENV + system,
    '/home/ada/project/.venv/bin/python': null,
    '/home/ada/project/.venv/lib/python3.12/site-packages/pip-25.0.dist-info/METADATA': null,
    '/home/ada/.local/lib/python3.12/site-packages/a-1.dist-info/METADATA': null,
    '/usr/lib/python3/dist-packages/torch-1.13.1.egg-info': null,
  });
  const own = '/home/ada/project/.venv/lib/python3.12/site-packages';
  assert.deepEqual((await pythonOf({ files: files('false') }))?.sitePackages, [own]);
  assert.deepEqual((await pythonOf({ files: files('true') }))?.sitePackages, [
    own,
    '/home/ada/.local/lib/python3.12/site-packages',
    '/usr/lib/python3/dist-packages',
  ]);
});

test('several versions of metadata in one folder are reported, and leftovers of pip are not a package', async () => {
  const files = {
    '/s/torch-2.9.0.dist-info/METADATA': null,
    '/s/torch-2.10.0+cu128.dist-info/METADATA': null,
    '/s/~orch-2.8.0.dist-info/METADATA': null,
    '/s/Nvidia_cuDNN.cu12-9.1.0.70.dist-info/METADATA': null,
    '/s/torch-2.1.0-py3.10.egg-info': null,
    '/s/README.txt': null,
  };
  const installed = await readInstalledPackages(machineOf({ files }), ['/s', '/gone']);
  assert.deepEqual([...installed.keys()].sort(), ['nvidia-cudnn-cu12', 'torch']);
  assert.equal(installed.get('torch')?.version, '2.10.0+cu128');
  assert.deepEqual(installed.get('torch')?.alsoInstalled, ['2.9.0', '2.1.0']);
});
