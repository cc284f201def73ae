/** The completion scripts, each in its shell if that is installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { allRules } from '../../server/src/lint/allRules.ts';
import { folderWith, run } from './run.ts';

/** Returns the codes of rules with a prefix. */
const codesFrom = (beginning: string) => allRules.map(({ code }) => code).filter((code) => code.startsWith(beginning));

const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0;

/** Returns Bash's completions for a command line whose last word is incomplete. */
const ASK_BASH = `
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_gpu_doctor
printf '%s\\n' "\${COMPREPLY[@]}"
`;

async function scriptOf(shell: string, cwd: string): Promise<string> {
  const { status, stdout } = await run(['generate-shell-completion', shell], { cwd });
  assert.equal(status, 0);
  return stdout;
}

test('Bash completes commands, options, values and rules', {
  skip: !isInstalled('bash') && 'Bash is not installed',
}, async (t) => {
  const cwd = await folderWith(t, {});
  const folder = await folderWith(t, { script: await scriptOf('bash', cwd) });
  const offered = (...words: string[]) => {
    const args = ['--norc', '-c', ASK_BASH, 'bash', join(folder, 'script'), 'gpu-doctor', ...words];
    const { stdout, stderr } = spawnSync('bash', args, { encoding: 'utf8' });
    assert.equal(stderr, '');
    return stdout.split('\n').filter((word) => word !== '');
  };
  assert.deepEqual(offered('ch'), ['check']);
  assert.ok(offered('').includes('generate-shell-completion'));
  assert.deepEqual(offered('check', '--output-f'), ['--output-format', '--output-file']);
  assert.deepEqual(offered('check', '--output-format', 'gi'), ['github', 'gitlab']);
  // Bash treats `=` as a separate word.
  assert.deepEqual(offered('check', '--output-format', '=', 'sa'), ['sarif']);
  assert.deepEqual(offered('check', '--select', 'GPU10'), codesFrom('GPU10'));
  assert.deepEqual(offered('check', '--select', 'GPU101,torch-load-m'), ['GPU101,torch-load-map-location']);
  assert.deepEqual(offered('rule', 'cuda-o'), ['cuda-only-choice']);
  assert.deepEqual(offered('plan', '--for', 'p'), ['pip', 'poetry', 'pdm', 'pipenv', 'pixi']);
  assert.deepEqual(offered('help', 'insp'), ['inspect']);
  assert.deepEqual(offered('check', 'src/'), [], 'files are the own completion of Bash');
});

test('Fish completes commands, options, values and rules', {
  skip: !isInstalled('fish') && 'Fish is not installed',
}, async (t) => {
  const cwd = await folderWith(t, { 'train.py': '' });
  const home = await folderWith(t, { 'script.fish': await scriptOf('fish', cwd) });
  const offered = (line: string) => {
    const ask = `source ${home}/script.fish; complete -C '${line}'`;
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', ask], {
      encoding: 'utf8',
      cwd,
      env: { ...process.env, HOME: home },
    });
    assert.equal(stderr, '');
    return stdout.split('\n').flatMap((each) => each.split('\t')[0] || []);
  };
  assert.deepEqual(offered('gpu-doctor ch'), ['check']);
  assert.deepEqual(offered('gpu-doctor check --output-f').sort(), ['--output-file', '--output-format']);
  assert.deepEqual(offered('gpu-doctor check --output-format gi').sort(), ['github', 'gitlab']);
  assert.deepEqual(
    offered('gpu-doctor check --select GPU101,GPU60'),
    codesFrom('GPU60').map((code) => `GPU101,${code}`),
  );
  assert.deepEqual(offered('gpu-doctor rule cuda-o'), ['cuda-only-choice']);
  assert.deepEqual(offered('gpu-doctor check tr'), ['train.py']);
  assert.deepEqual(offered('gpu-doctor rule train.p'), [], 'rules are no files');
});

test('Zsh accepts its script', { skip: !isInstalled('zsh') && 'Zsh is not installed' }, async (t) => {
  const cwd = await folderWith(t, {});
  const folder = await folderWith(t, { script: await scriptOf('zsh', cwd) });
  const ask = `autoload -Uz compinit; compinit -u -d ${folder}/dump; source ${folder}/script; print $_comps[gpu-doctor]; whence -w _gpu_doctor`;
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', ask], { encoding: 'utf8' });
  assert.deepEqual([stdout, stderr], ['_gpu_doctor\n_gpu_doctor: function\n', '']);
});

test('an unknown shell is an error', async (t) => {
  const cwd = await folderWith(t, {});
  for (const args of [[], ['tcsh'], ['bash', 'zsh']]) {
    const { status, stderr } = await run(['generate-shell-completion', ...args], { cwd });
    assert.deepEqual([status, stderr], [2, 'gpu-doctor: name a shell: bash, zsh, fish\n']);
  }
});
