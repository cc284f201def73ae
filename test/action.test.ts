/** The script in `action.yml`, run by the real bash with the command line of this checkout in place of the one that npm installs. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { parse } from 'yaml';
import { root } from '../scripts/root.ts';
import { CLI } from './programs.ts';

/** Installs a program that runs the sources, if npm is started outside of the checkout. */
const NPM = `#!/bin/sh
[ "$(pwd)" = "$3" ] && [ ! -e .npmrc ] || exit 1
for last in "$@"; do :; done
echo "$last" >> "$RUNNER_TEMP/asked"
mkdir -p "$3/node_modules/.bin"
printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "${process.execPath}" "${CLI}" > "$3/node_modules/.bin/gpu-doctor"
chmod +x "$3/node_modules/.bin/gpu-doctor"
`;

test('the action annotates, writes a SARIF log, and outputs the number of findings', {
  skip: process.platform === 'win32',
}, async (t) => {
  const home = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-action-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const tools = path.join(home, 'tools');
  await mkdir(tools);
  await writeFile(path.join(tools, 'npm'), NPM);
  await chmod(path.join(tools, 'npm'), 0o755);
  // The action must run no program and read no npm settings from the repository.
  const bait = '#!/bin/sh\ntouch "$RUNNER_TEMP/bait"\n';
  await writeFile(path.join(home, '.npmrc'), 'registry=http://127.0.0.1:1/\n');
  await mkdir(path.join(home, 'node_modules/.bin'), { recursive: true });
  await writeFile(path.join(home, 'node_modules/.bin/gpu-doctor'), bait);
  await chmod(path.join(home, 'node_modules/.bin/gpu-doctor'), 0o755);
  await writeFile(path.join(home, 'train.py'), 'import torch\n\nmodel = torch.load("a.pt")\n');
  await writeFile(path.join(home, 'clean.py'), 'print(1)\n');

  const action = parse(await readFile(path.join(root, 'action.yml'), 'utf8'));
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const [{ run }] = action.runs.steps;
  const runIn = async (paths: string, args = '', only: { BASELINE?: string; SINCE?: string } = {}) => {
    const output = path.join(home, 'output');
    await writeFile(output, '');
    const env = {
      PATH: `${tools}:${process.env.PATH}`,
      RUNNER_TEMP: home,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: path.join(home, 'summary.md'),
      ACTION: root,
      PATHS: paths,
      ARGS: args,
      VERSION: '',
      BASELINE: '',
      SINCE: '',
      ...only,
    };
    // As on GitHub.
    const bash = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run];
    const { stdout, exitCode } = await execa('bash', bash, { cwd: home, env, reject: false });
    return { stdout, exitCode, outputs: await readFile(output, 'utf8') };
  };

  const found = await runIn('.');
  assert.ok(!existsSync(path.join(home, 'bait')));
  assert.match(found.stdout, /^::warning title=gpu-doctor \(GPU101\),file=train\.py,line=3/);
  assert.equal(found.exitCode, 0);
  assert.match(found.outputs, /^status=1$/m);
  const log = JSON.parse(await readFile(path.join(home, 'gpu-doctor.sarif'), 'utf8'));
  assert.equal(log.runs[0].results.length, 1);
  assert.ok((await readFile(path.join(home, 'asked'), 'utf8')).startsWith(`gpu-doctor@${version}\n`));

  assert.match(await readFile(path.join(home, 'summary.md'), 'utf8'), /GPU101/);

  // Every line counts: a list may start with a file without findings.
  const lines = await runIn('clean.py\n\n  train.py\n');
  assert.match(lines.outputs, /^status=1$/m);
  assert.match((await runIn('clean.py\ntrain.py', '--hints\n--ignore GPU101')).outputs, /^status=0$/m);
  assert.match((await runIn('clean.py')).outputs, /^status=0$/m);
  assert.match((await runIn('train.py clean.py', '--select GPU2')).outputs, /^status=0$/m);
  // Only new findings: beyond a baseline, or on changed lines.
  await execa(process.execPath, [CLI, 'check', '--baseline', 'my base.json', '--write-baseline', 'train.py'], {
    cwd: home,
  });
  assert.match((await runIn('.', '', { BASELINE: 'my base.json' })).outputs, /^status=0$/m);
  const git = (...words: string[]) =>
    execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: home });
  await git('init', '--quiet');
  await git('add', 'train.py', 'clean.py');
  await git('commit', '--quiet', '--message=old', '--no-gpg-sign');
  assert.match((await runIn('train.py clean.py', '', { SINCE: 'HEAD' })).outputs, /^status=0$/m);
  await writeFile(path.join(home, 'clean.py'), 'import torch\nmodel = torch.load("a.pt")\n');
  const changed = await runIn('train.py clean.py', '', { SINCE: 'HEAD' });
  assert.match(changed.stdout, /file=clean\.py,line=2/);
  assert.doesNotMatch(changed.stdout, /train\.py/);
  const missing = await runIn('missing.py');
  assert.equal(missing.exitCode, 2);
});
