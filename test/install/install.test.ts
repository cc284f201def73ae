/** The packed command as a user installs it: in a clean folder, under each supported Node. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execa } from 'execa';
import { parse } from 'yaml';
import { root } from '../../scripts/root.ts';

const npm = (args: readonly string[], cwd: string) => {
  const npmFile = process.env.npm_execpath;
  const [command, ...first] = npmFile ? [process.execPath, npmFile] : ['npm'];
  // A user does not have the variables that an enclosing npm sets.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_cache)/i.test(name)));
  return execa(command, [...first, ...args], { cwd, env, extendEnv: false, all: true });
};

describe('the packed command', () => {
  let home = '';
  let tarball = '';

  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'gpu-doctor install ü '));
    // Already built: the scripts would build it again.
    await npm(['pack', '--ignore-scripts', '--pack-destination', home], root);
    tarball = (await readdir(home)).find((name) => name.endsWith('.tgz')) ?? '';
  });
  after(() => rm(home, { recursive: true, force: true }));

  test('contains only files that it needs to run', async () => {
    const { stdout } = await execa('tar', ['-tzf', path.join(home, tarball)]);
    const kinds =
      /^package\/(dist\/[\w.-]+\.((js|json)(\.br)?|LICENSE\.txt)|dist\/probe\/\w+\.py|dist\/ThirdPartyNotices\.txt|LICENSE|README\.md|package\.json)$/;
    assert.deepEqual(
      stdout
        .split('\n')
        .filter((file) => !kinds.test(file) || /extension\.cjs|languageClient|webview|stackPages/.test(file)),
      [],
    );
    const { size } = await stat(path.join(home, tarball));
    assert.ok(size < MAX_SIZES.tarball, `${size} bytes`);
  });

  for (const version of ['20', '22', '24'])
    test(`runs on Node ${version}`, async () => {
      const folder = path.join(home, `node ${version}`);
      await cp(path.join(root, 'test', 'checkpoint', 'fixtures', 'keras'), path.join(folder, 'models'), {
        recursive: true,
      });
      await writeFile(path.join(folder, 'package.json'), '{}');
      await writeFile(path.join(folder, 'träin.py'), 'import torch\n\nmodel = torch.load("a.pt")\n');
      await writeFile(path.join(folder, 'error.txt'), 'RuntimeError: CUDA error: invalid device ordinal\n');
      const others = process.version.startsWith(`v${version}.`) ? [] : [`node@${version}`];
      await npm(['install', '--no-audit', '--no-fund', ...others, path.join(home, tarball)], folder);
      const PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
      const options = { cwd: folder, preferLocal: true, localDir: folder, reject: false, env: { NO_COLOR: '1', PATH } };
      const doctor = (...args: string[]) => execa('gpu-doctor', args, options);
      const node = await execa('node', ['--version'], options);
      assert.ok(node.stdout.startsWith(`v${version}.`), node.stdout);

      const { version: own } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
      assert.equal((await doctor('--version')).stdout, `gpu-doctor ${own}`);
      const check = await doctor('check', '.');
      assert.match(check.stdout, /^träin\.py:3:9: GPU101 /);
      assert.equal(check.exitCode, 1);
      // Its library is a separate bundle that runs in a thread of its own.
      const model = (await readdir(path.join(folder, 'models'))).find((name) => name.endsWith('.h5')) ?? '';
      const inspect = await doctor('inspect', path.join('models', model));
      assert.match(inspect.stdout, /Keras/);
      const stack = JSON.parse((await doctor('stack', '--output-format', 'json', '--no-probe')).stdout);
      assert.ok('gpus' in stack);
      const agent = new Client({ name: 'test', version: '1' });
      const program = path.join(folder, 'node_modules', 'gpu-doctor', 'dist', 'cli.js');
      const command = others.length > 0 ? path.join(folder, 'node_modules', 'node', 'bin', 'node') : process.execPath;
      await agent.connect(new StdioClientTransport({ command, args: [program, 'mcp'] }));
      assert.equal((await agent.listTools()).tools.length, 7);
      await agent.close();
      for (const [status, ...args] of [
        [0, 'rule', 'GPU101'],
        [0, 'plan', 'torch', '--for', 'dockerfile'],
        [0, 'explain', 'error.txt', '--no-probe'],
        [3, 'run', '--', 'node', '-e', 'process.exit(3)'],
        [0, 'check', '.', '--fix', '--jobs', '2'],
      ] as const) {
        const { exitCode, stderr } = await doctor(...args);
        assert.equal(exitCode, status, `${args.join(' ')}: ${stderr}`);
      }
    });
});

test('the repository installs as a Git dependency, as in pre-commit', {
  skip: process.env.GPU_DOCTOR_LONG === undefined,
}, async (t) => {
  const home = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-git-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  await execa('git', ['clone', '--quiet', root, path.join(home, 'repository')]);
  const address = `git+file://${path.join(home, 'repository')}`;
  await npm(['install', '--global', '--allow-git=root', '--install-links', `--prefix=${home}`, address], home);
  const doctor = path.join(home, 'bin', 'gpu-doctor');
  const hooks = parse(await readFile(path.join(root, '.pre-commit-hooks.yaml'), 'utf8'));
  for (const { entry } of hooks) {
    const [, ...args] = entry.split(' ');
    // An earlier hook may have fixed it.
    await writeFile(path.join(home, 'train.py'), 'import torch\n\nmodel = torch.load("a.pt")\n');
    const { stdout } = await execa(doctor, [...args, 'train.py'], { cwd: home, reject: false });
    assert.match(stdout, args.includes('--fix') ? /No problems|fixed/ : /^train\.py:3:9: GPU101 /);
  }
});

/** Maximum size of the packages in bytes; `npm run package` prints the actual size. */
const MAX_SIZES = { extension: 4_000_000, tarball: 5_000_000 };

test('the extension and the npm package stay below their size limits', async () => {
  const { size } = await stat(path.join(root, 'gpu-doctor.vsix'));
  assert.ok(size < MAX_SIZES.extension, `${size} bytes`);
});
