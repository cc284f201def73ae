/** Repairs of real environments with pip and uv, from wheels in a folder. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { execa } from 'execa';
import { folderWith, run } from '../cli/run.ts';
import { CLI } from '../programs.ts';
import { systemPython } from '../stack/environments.ts';
import { environmentWithUv } from './uv.ts';

/** A package that refuses to work with another version of one that it requires, as the real one does. */
const PICKY = `from importlib.metadata import version
found = version("tokenizers")
if not (0, 14) <= tuple(map(int, found.split(".")[:2])) < (0, 19):
    raise ImportError(f"tokenizers>=0.14,<0.19 is required for a normal functioning of this module, but found tokenizers=={found}.")
`;

const WHEELS: readonly (readonly [name: string, version: string, requires: string, code: string])[] = [
  ['transformers', '4.36.2', 'tokenizers<0.19,>=0.14', PICKY],
  ['tokenizers', '0.15.2', '', ''],
  ['tokenizers', '0.20.3', '', ''],
];

const MAKE_WHEEL = `import sys, zipfile
folder, name, version, requires, code = sys.argv[1:]
info = f"{name}-{version}.dist-info"
files = {
    f"{name}/__init__.py": code,
    f"{info}/METADATA": f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n" + (f"Requires-Dist: {requires}\\n" if requires else ""),
    f"{info}/WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
}
record = "".join(f"{each},,\\n" for each in [*files, f"{info}/RECORD"])
with zipfile.ZipFile(f"{folder}/{name}-{version}-py3-none-any.whl", "w") as wheel:
    for path, text in {**files, f"{info}/RECORD": record}.items():
        wheel.writestr(path, text)
`;

const PROGRAM = 'import transformers\n\nopen("ran", "a").write("once\\n")\nprint("trained")\n';

/** A torch of a machine without a GPU. */
const TORCH = `class Tensor:
    def cuda(self):
        raise AssertionError("Torch not compiled with CUDA enabled")
    def to(self, device):
        return self
def ones(size):
    return Tensor()
class cuda:
    is_available = staticmethod(lambda: False)
def device(name):
    return name
`;

/** A Keras that imports a backend as the real one does, with OpenVINO as the only one. */
const KERAS = {
  'site-packages/keras/__init__.py': 'from keras.src import backend\n',
  'site-packages/keras/src/__init__.py': '',
  'site-packages/keras/src/backend/__init__.py':
    'import os\n\nif os.environ.get("KERAS_BACKEND", "tensorflow") == "tensorflow":\n    import tensorflow\n',
  'site-packages/keras-3.5.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: keras\nVersion: 3.5.0\n',
  'site-packages/openvino/__init__.py': '',
  'site-packages/openvino-2025.0.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: openvino\nVersion: 2025.0.0\n',
};

describe('a repair', () => {
  let folderOfUv = '';
  before(async () => {
    folderOfUv = await environmentWithUv();
  });
  after(() => rm(folderOfUv, { recursive: true, force: true }));

  for (const installer of ['pip', 'uv'] as const)
    it(`tries ${installer} in a copy, applies what works, and undoes it`, async (t) => {
      const folder = await folderWith(t, { 'project/train.py': PROGRAM });
      const [wheels, project, cache] = ['wheels', 'project', 'cache'].map((name) => path.join(folder, name)) as [
        string,
        string,
        string,
      ];
      await mkdir(wheels);
      for (const wheel of WHEELS) await execa(systemPython(), ['-c', MAKE_WHEEL, wheels, ...wheel]);
      const programs = path.join(folderOfUv, 'bin');
      const uv = path.join(programs, 'uv');
      const environment = path.join(project, '.venv');
      const python = path.join(environment, 'bin', 'python');
      const offline = {
        PIP_NO_INDEX: '1',
        PIP_FIND_LINKS: wheels,
        UV_OFFLINE: '1',
        UV_FIND_LINKS: wheels,
        UV_NO_INDEX: '1',
      };
      const env = { ...offline, PATH: `${programs}:${process.env.PATH}`, XDG_CACHE_HOME: cache };
      if (installer === 'pip') await execa(systemPython(), ['-m', 'venv', environment]);
      else await execa(uv, ['venv', '--quiet', '--python', systemPython(), environment], { env });
      const install =
        installer === 'pip' ? [python, '-m', 'pip', 'install'] : [uv, 'pip', 'install', '--python', python];
      for (const wanted of [['transformers==4.36.2'], ['tokenizers==0.20.3', '--no-deps']])
        await execa(install[0] ?? '', [...install.slice(1), ...wanted], { env });

      const installed = async () =>
        (await readdir(path.join(environment, 'lib'), { recursive: true }))
          .filter((name) => /tokenizers-.*info$/.test(name))
          .map((name) => path.basename(name));
      const repair = (...args: readonly string[]) => run(['repair', '--yes', ...args], { cwd: project, env });
      const tried = await repair('--', python, 'train.py');
      assert.equal(tried.status, 0, tried.stderr);
      assert.match(
        tried.stdout,
        /^trained\nWorks in a copy: no error in [\d.]+ s\n {2}tokenizers {2}0\.20\.3 → 0\.15\.2\n {4}.*pip install /,
      );
      assert.deepEqual(await installed(), ['tokenizers-0.20.3.dist-info']);
      await assert.rejects(execa(python, ['train.py'], { cwd: project }));

      // Without a program, the problems of the stack are repaired.
      const stack = await repair('--output-format', 'json');
      assert.equal(stack.status, 0, stack.stderr);
      const { outcome, packages, steps, tried: trials } = JSON.parse(stack.stdout);
      assert.deepEqual(
        [outcome, packages, steps.length, trials.at(-1).judgment],
        ['works', [{ name: 'tokenizers', before: '0.20.3', after: '0.15.2' }], 1, 'works'],
      );
      assert.deepEqual(await installed(), ['tokenizers-0.20.3.dist-info']);

      const applied = await repair('--apply', '--', python, 'train.py');
      assert.equal(applied.status, 0, applied.stderr);
      assert.deepEqual(await installed(), ['tokenizers-0.15.2.dist-info']);
      assert.equal((await execa(python, ['train.py'], { cwd: project })).stdout, 'trained');
      // The copies are gone, and the record stays.
      assert.deepEqual(await readdir(path.join(cache, 'gpu-doctor', 'repairs')), []);

      const undone = await repair('--undo');
      assert.equal(undone.status, 0, undone.stderr);
      assert.deepEqual(await installed(), ['tokenizers-0.20.3.dist-info']);
      await assert.rejects(execa(python, ['train.py'], { cwd: project }));
      assert.equal((await repair('--undo')).status, 2);
    });

  it('leaves a stack alone that has no problem, and prints a document alone as JSON', async (t) => {
    const cwd = await folderWith(t, { 'fail.py': 'print("started")\nraise RuntimeError("unheard of")\n' });
    const fine = await run(['repair', '--yes', '--python', systemPython()], { cwd });
    assert.deepEqual([fine.status, fine.stdout], [0, '']);
    assert.match(fine.stderr, /No problem of the stack can be repaired/);
    const failed = await run(['repair', '--yes', '--output-format', 'json', '--', systemPython(), 'fail.py'], { cwd });
    assert.deepEqual([failed.status, failed.stdout], [1, '']);
    assert.match(failed.stderr, /started/);
  });

  it('keeps a copy on request, and changes nothing if no remedy helps', async (t) => {
    const program =
      'raise ImportError("tokenizers>=0.14,<0.19 is required for a normal functioning of this module, but found tokenizers==0.20.3.")\n';
    const cwd = await folderWith(t, { 'train.py': program });
    const { status, stdout, stderr } = await run(['repair', '--yes', '--', systemPython(), 'train.py'], { cwd });
    assert.equal(status, 1);
    assert.match(stdout + stderr, /nothing to try|No remedy helps/);
  });

  it('leaves a program alone that ends without an error, and one that does not exist', async (t) => {
    const cwd = await folderWith(t, { 'train.py': 'print("trained")\n' });
    const fine = await run(['repair', '--yes', '--', systemPython(), 'train.py'], { cwd });
    assert.deepEqual([fine.status, fine.stdout], [0, 'trained\n']);
    await assert.rejects(access(path.join(cwd, '.venv')));
    const absent = await run(['repair', '--yes', '--', './absent'], { cwd });
    assert.deepEqual([absent.status, /does not exist/.test(absent.stderr)], [1, true]);
  });

  it('asks before it runs anything', async () => {
    const cwd = import.meta.dirname;
    const unasked = await run(['repair', '--', 'true'], { cwd });
    assert.deepEqual([unasked.status, /needs `--yes`/.test(unasked.stderr)], [2, true]);
    assert.equal((await run(['repair'], { cwd })).status, 2);
    const both = await run(['repair', '--yes', '--python', 'python3', '--', 'true'], { cwd });
    assert.deepEqual([both.status, /without a program/.test(both.stderr)], [2, true]);
    assert.equal((await run(['repair', '--yes', '--time', 'x', '--', 'true'], { cwd })).status, 2);
  });

  it('takes a program as working that runs longer than the time limit', async (t) => {
    const program = 'import time\n\nimport torch\n\nx = torch.ones(3)\nx = x.cuda()\ntime.sleep(600)\n';
    const cwd = await folderWith(t, { 'project/move.py': program, 'site-packages/torch/__init__.py': TORCH });
    const options = { cwd: path.join(cwd, 'project'), env: { PYTHONPATH: path.join(cwd, 'site-packages') } };
    const { status, stdout } = await run(['repair', '--yes', '--time', '2', '--', systemPython(), 'move.py'], options);
    assert.match(stdout, /^Works in a copy: no error in \d+ s, then it was stopped\n {2}move\.py: Define/);
    assert.equal(status, 0);
  });

  it('lets a program in a copy run at least until the original failed', async (t) => {
    const program = 'import time\n\nimport torch\n\ntime.sleep(2)\nx = torch.ones(3)\nx = x.cuda()\nprint("trained")\n';
    const cwd = await folderWith(t, { 'project/move.py': program, 'site-packages/torch/__init__.py': TORCH });
    const options = { cwd: path.join(cwd, 'project'), env: { PYTHONPATH: path.join(cwd, 'site-packages') } };
    const { status, stdout } = await run(['repair', '--yes', '--time', '1', '--', systemPython(), 'move.py'], options);
    assert.match(stdout, /^trained\nWorks in a copy: no error in [\d.]+ s\n/);
    assert.equal(status, 0);
  });

  it('tries a variable without a copy, and shows the line that sets it', async (t) => {
    const cwd = await folderWith(t, { 'project/train.py': 'import keras\n\nprint("trained")\n', ...KERAS });
    const env = { PYTHONPATH: path.join(cwd, 'site-packages'), XDG_CACHE_HOME: path.join(cwd, 'cache'), HOME: cwd };
    const options = { cwd: path.join(cwd, 'project'), env };
    const repaired = await run(['repair', '--yes', '--apply', '--', systemPython(), 'train.py'], options);
    assert.equal(repaired.status, 0, repaired.stderr);
    assert.match(repaired.stdout, /^trained\nWorks: no error in [\d.]+ s\n {4}export KERAS_BACKEND=openvino\n$/);
    assert.match(repaired.stderr, /`--apply` sets no variable\./);
    assert.doesNotMatch(repaired.stderr, /Copying|Applied/);
    // Nothing was written, so there is nothing to undo.
    assert.equal((await run(['repair', '--undo'], options)).status, 2);

    // The same for a stack, whose own variable is wrong.
    const python = path.join(cwd, 'venv', 'bin', 'python');
    await execa(systemPython(), ['-m', 'venv', '--without-pip', path.join(cwd, 'venv')]);
    const ofStack = { cwd, env: { ...env, KERAS_BACKEND: 'torch' } };
    const stack = await run(['repair', '--yes', '--output-format', 'json', '--python', python], ofStack);
    assert.equal(stack.status, 0, stack.stderr);
    assert.deepEqual(JSON.parse(stack.stdout).steps[0].variables, { KERAS_BACKEND: 'openvino' });
  });

  it('leaves nothing behind when it is stopped', async (t) => {
    const program =
      'import time\n\nimport torch\n\nx = torch.ones(3)\nx = x.cuda()\nprint("waits", flush=True)\ntime.sleep(600)\n';
    const folder = await folderWith(t, { 'project/move.py': program, 'site-packages/torch/__init__.py': TORCH });
    const cache = path.join(folder, 'cache');
    const env = { ...process.env, PYTHONPATH: path.join(folder, 'site-packages'), XDG_CACHE_HOME: cache };
    const args = [CLI, 'repair', '--yes', '--', systemPython(), 'move.py'];
    const child = spawn(process.execPath, args, { cwd: path.join(folder, 'project'), env });
    let errors = '';
    child.stderr.on('data', (bytes) => {
      errors += bytes;
    });
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const [status] = await once(child, 'close');
    assert.deepEqual([status, /the repair was stopped; nothing is left behind/.test(errors)], [1, true], errors);
    assert.deepEqual(await readdir(path.join(cache, 'gpu-doctor', 'repairs')), []);
  });
});
