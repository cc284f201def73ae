/** The PyPI wheel, in a clean Python environment without Node.js on the PATH. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { execa } from 'execa';
import { root } from '../../scripts/root.ts';
import { systemPython } from '../stack/environments.ts';

const MAX_BYTES = 5_000_000;

describe('the wheel', { skip: process.platform === 'win32' && 'starts programs of POSIX' }, () => {
  let home = '';
  let wheel = '';
  /** A PATH with only the shell: no Node.js. */
  let bare: Record<string, string>;
  const own = (name: string) => path.join(home, 'environment', 'bin', name);

  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'gpu-doctor wheel ü '));
    const bin = path.join(home, 'bin');
    await execa('mkdir', [bin]);
    await symlink('/bin/sh', path.join(bin, 'sh'));
    bare = { PATH: bin, NO_COLOR: '1', XDG_CACHE_HOME: path.join(home, 'cache') };
    const pip = ['-m', 'pip', '--disable-pip-version-check', '--quiet'];
    await execa(systemPython(), ['-m', 'venv', path.join(home, 'environment')]);
    await execa(own('python'), [...pip, 'wheel', '--no-deps', '--wheel-dir', home, root]);
    wheel = (await readdir(home)).find((name) => name.endsWith('.whl')) ?? '';
    await execa(own('python'), [...pip, 'install', path.join(home, wheel)]);
  });
  after(() => rm(home, { recursive: true, force: true }));

  const run = (program: string, ...args: readonly string[]) =>
    execa(program, args, { cwd: home, env: bare, extendEnv: false, reject: false });

  test('contains the files of the npm package and none of the extension', async () => {
    const list = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))';
    const { stdout } = await execa(own('python'), ['-c', list, path.join(home, wheel)]);
    const files = stdout.split('\n').map((name) => name.replace(/^gpu_doctor\//, ''));
    assert.ok(files.includes('dist/cli.js') && files.includes('dist/probe/__main__.py'));
    assert.deepEqual(
      files.filter((name) => /extension\.cjs|languageClient|webview|stackPages|\.map$/.test(name)),
      [],
    );
    const { size } = await stat(path.join(home, wheel));
    assert.ok(size < MAX_BYTES, `${size} bytes`);
  });

  test('runs as a command and as a module, with the exit status of the program', async () => {
    await writeFile(path.join(home, 'träin.py'), 'import torch\n\nmodel = torch.load(path)\n');
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    assert.equal((await run(own('gpu-doctor'), '--version')).stdout, `gpu-doctor ${version}`);
    for (const command of [[own('gpu-doctor')], [own('python'), '-m', 'gpu_doctor']] as [string, ...string[]][]) {
      const { stdout, exitCode } = await run(command[0], ...command.slice(1), 'check', 'träin.py');
      assert.match(stdout, /^träin\.py:3:9: GPU101 /);
      assert.equal(exitCode, 1);
    }
    assert.equal((await run(own('gpu-doctor'), 'nonsense')).exitCode, 2);
  });

  test('reads HDF5 in a thread of its own, and serves editors and agents', async () => {
    const model = path.join(root, 'test', 'checkpoint', 'fixtures', 'keras', 'model.h5');
    assert.match((await run(own('gpu-doctor'), 'inspect', '--no-live', model)).stdout, /Keras/);
    const hello =
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}';
    const server = execa(own('gpu-doctor'), ['server', '--stdio'], {
      cwd: home,
      env: bare,
      extendEnv: false,
      reject: false,
    });
    server.stdin.write(`Content-Length: ${hello.length}\r\n\r\n${hello}`);
    const [answer] = await once(server.stdout, 'data');
    server.kill();
    assert.match(String(answer), /^Content-Length: /);
  });
});
