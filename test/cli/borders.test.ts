/** Content of a project stays in the project: links, caches, and text that would be a command elsewhere. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderWith, run } from './run.ts';

const LOAD = 'import torch\nx = torch.load("model.pt")\n';
const FIXED = LOAD.replace('"model.pt"', '"model.pt", map_location="cpu"');

test('check writes nothing through links in place of a cache', async (t) => {
  const folder = await folderWith(t, {
    'home/.bashrc': 'mine\n',
    'project/a.py': 'import torch\nx = torch.load(path)\n',
    'other/keep.txt': 'mine\n',
  });
  const cwd = join(folder, 'project');
  await symlink('../other', join(cwd, '.gpu-doctor_cache'));
  const env = { XDG_CACHE_HOME: join(folder, 'cache'), HOME: join(folder, 'home') };
  assert.equal((await run(['check', '.'], { cwd, env })).status, 1);
  assert.deepEqual(await readdir(join(folder, 'other')), ['keep.txt']);
  assert.equal(await readFile(join(folder, 'home/.bashrc'), 'utf8'), 'mine\n');
});

test('a cache in a project is not trusted', async (t) => {
  const cwd = await folderWith(t, { 'a.py': 'import torch\nx = torch.load(path)\n' });
  const inside = { XDG_CACHE_HOME: join(cwd, '.cache') };
  assert.equal((await run(['check', '.'], { cwd, env: inside })).status, 1);
  await assert.rejects(readdir(join(cwd, '.cache')), { code: 'ENOENT' });
});

test('a link within the project is fixed, and one that leaves it is not', async (t) => {
  const folder = await folderWith(t, {
    'outside.py': LOAD,
    'project/.git/HEAD': '',
    'project/lib/shared.py': LOAD,
    'project/app/plain.py': 'x = 1\n',
  });
  const cwd = join(folder, 'project');
  await symlink('../../lib/shared.py', join(cwd, 'app', 'inside.py')).catch(() => {});
  await mkdir(join(cwd, 'app/deep'));
  await symlink('../../lib/shared.py', join(cwd, 'app/deep/inside.py'));
  await symlink('../outside.py', join(cwd, 'leaves.py'));
  const { status, stderr } = await run(['check', '--fix', 'app/deep', 'leaves.py'], { cwd });
  assert.equal(status, 2);
  assert.match(stderr, /^error: leaves\.py is a link to a file outside of the project, which is not changed$/m);
  assert.equal(await readFile(join(folder, 'outside.py'), 'utf8'), LOAD);
  assert.equal(await readFile(join(cwd, 'lib/shared.py'), 'utf8'), FIXED);
  const walked = await run(['check', '--fix', '.'], { cwd });
  assert.equal(walked.status, 2);
  assert.equal(await readFile(join(folder, 'outside.py'), 'utf8'), LOAD);
});

test('a link that leaves its folder is not fixed from the folder above either', async (t) => {
  const cwd = await folderWith(t, {
    'mine.py': LOAD,
    'hostile/plain.py': LOAD,
    'repository/.git/HEAD': '',
    'repository/lib/shared.py': LOAD,
  });
  for (const folder of ['hostile', 'repository']) await symlink('../mine.py', join(cwd, folder, 'link.py'));
  await symlink('plain.py', join(cwd, 'hostile', 'own.py'));
  await mkdir(join(cwd, 'repository', 'app'));
  await symlink('../lib/shared.py', join(cwd, 'repository', 'app', 'inside.py'));
  const { status, stderr } = await run(['check', '--fix', 'hostile', 'repository'], { cwd });
  assert.equal(status, 2);
  for (const folder of ['hostile', 'repository'])
    assert.match(stderr, new RegExp(`^error: ${folder}/link\\.py is a link to a file outside of the project`, 'm'));
  assert.equal(await readFile(join(cwd, 'mine.py'), 'utf8'), LOAD);
  assert.equal(await readFile(join(cwd, 'hostile/plain.py'), 'utf8'), FIXED);
  assert.equal(await readFile(join(cwd, 'repository/lib/shared.py'), 'utf8'), FIXED);
});

test('a stack is not recorded through a link that leaves the project', async (t) => {
  const folder = await folderWith(t, { 'notes.yaml': 'mine: 1\n', 'project/.git/HEAD': '' });
  const cwd = join(folder, 'project');
  await symlink('../notes.yaml', join(cwd, 'gpu-stack.yaml'));
  const { status, stderr } = await run(['stack', '--record', '--force', '--no-probe'], { cwd });
  assert.equal(status, 2);
  assert.match(stderr, /gpu-stack\.yaml is a link to a file outside of the project/);
  assert.equal(await readFile(join(folder, 'notes.yaml'), 'utf8'), 'mine: 1\n');
});

/** Creates the file `taken` if a shell reads it as a command, on a separate line or within a word. */
const HOSTILE = [
  'A100\n: > taken\n#',
  'A100 $(: > taken)',
  'A100`: > taken`',
  "A100'; : > taken; '",
  'A100"; : > taken; "',
];

for (const form of ['pip', 'uv', 'poetry', 'pdm', 'pipenv', 'conda', 'pixi', 'dockerfile', 'devcontainer'])
  test(`no fact of a recorded machine becomes a command in a plan for ${form}`, async (t) => {
    for (const name of HOSTILE) {
      const quoted = JSON.stringify(name);
      const record = [
        'format: 1',
        `system: { os: ${quoted} }`,
        'driver: 570.86.10',
        `gpus: [{ name: ${quoted}, compute-capability: "8.0" }]`,
      ];
      const cwd = await folderWith(t, { 'gpu-stack.yaml': record.join('\n'), 'requirements.txt': 'torch\n' });
      const { stdout } = await run(['plan', '--from', 'gpu-stack.yaml', '--for', form], { cwd });
      assert.notEqual(stdout, '');
      assertRunsNothing(cwd, stdout, form);
    }
  });

/** Makes a real shell read the text, without programs on its path. The shell treats JSON comments as comments. */
function assertRunsNothing(cwd: string, text: string, form: string): void {
  const script = form === 'dockerfile' ? text.replace(/^RUN /gm, '') : text.replace(/^(\s*)\/\//gm, '$1#');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for.
  assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  for (const line of script.split('\n')) spawnSync('/bin/sh', ['-c', line], { cwd, env: { PATH: '' } });
  const names = execFileSync('ls', { cwd, encoding: 'utf8' });
  assert.doesNotMatch(names, /taken/, text);
}

test('extras that a shell would expand are not a requirement', async (t) => {
  const cwd = await folderWith(t, {});
  const { status, stderr } = await run(['plan', 'jax[$(touch taken)]', '--for', 'pip'], { cwd });
  assert.deepEqual([status, stderr.includes('is not a requirement')], [2, true]);
});

test('messages about names cannot control a terminal', async (t) => {
  const name = 'a\u001b[2J\u202eb.pt';
  const cwd = await folderWith(t, { '.gpu-doctor.yaml': 'severity:\n  "GPU1\\e[2J01": error\n' });
  await writeFile(join(cwd, 'a.py'), LOAD);
  for (const args of [
    ['inspect', name],
    ['check', name],
    ['check', '.'],
    ['explain', name],
  ]) {
    const { stdout, stderr } = await run(args, { cwd });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for.
    assert.doesNotMatch(stdout + stderr, /[\u001b\u202e]/, args.join(' '));
  }
  const { stdout } = await run(
    ['check', '--isolated', '--stdin-filename', `${name}.py`, '--output-format', 'github', '-'],
    {
      cwd,
      input: LOAD,
    },
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for.
  assert.doesNotMatch(stdout, /[\u001b\u202e]/);
  const json = await run(['check', '--isolated', '--stdin-filename', `${name}.py`, '--output-format', 'json', '-'], {
    cwd,
    input: LOAD,
  });
  assert.doesNotMatch(json.stdout, /\u202e/);
  assert.ok((JSON.parse(json.stdout)[0].filename as string).endsWith(`${name}.py`), 'the name itself is kept');
});
