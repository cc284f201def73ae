/** Actions in words and commands: for each installer, shell and system. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Action } from '../../server/src/commands/action.ts';
import { writeAction } from '../../server/src/commands/writeAction.ts';
import { waysOf } from '../../server/src/diagnosis/remedies/remedyPlan.ts';
import { writeRemedies, writeWay } from '../../server/src/diagnosis/remedies/writeRemedies.ts';
import type { StackFacts } from '../../server/src/stack/facts/facts.ts';
import { factsOfMachine } from './machines.ts';

const index = { name: 'pytorch-cu124', url: 'https://download.pytorch.org/whl/cu124' };
const INSTALL: Action = { do: 'install', requirements: ['torch==2.6.0', 'numpy<2'], index };

const linux = await factsOfMachine('rtx3090-cpu-torch');
const windows = onWindows(linux);

/** The same machine under Windows, with an interpreter whose path has to be quoted. */
function onWindows(facts: StackFacts): StackFacts {
  const read = { source: 'test', readAt: '' };
  assert.ok('value' in facts.os && facts.os.value && 'value' in facts.interpreter && facts.interpreter.value);
  return {
    ...facts,
    os: { ...read, value: { ...facts.os.value, family: 'windows' } },
    interpreter: { ...read, value: { ...facts.interpreter.value, path: 'C:\\My Project\\.venv\\python.exe' } },
  };
}

const commandsOf = (action: Action, facts: StackFacts) => writeAction(action, facts).map(({ command }) => command);

describe('an action', () => {
  test('is written for each installer, that of the environment first', () => {
    const [pip, uv, ...others] = writeAction(INSTALL, linux);
    assert.match(pip?.command ?? '', / -m pip install --upgrade torch==2\.6\.0 "numpy<2" --index-url \S+\/cu124$/);
    assert.match(
      uv?.command ?? '',
      /^uv pip install --python \S+ --upgrade-package torch --upgrade-package numpy torch/,
    );
    assert.deepEqual(
      [pip?.title, uv?.title, others.length],
      [
        'Install torch 2.6.0 and numpy<2 with pip (downloads up to 3.1 GB)',
        'Install torch 2.6.0 and numpy<2 with uv (downloads up to 3.1 GB)',
        0,
      ],
    );
  });

  test('says the size of a large download only if a table has it for that index', () => {
    const cuda = 'https://download.pytorch.org/whl/';
    const titleOf = (requirement: string, tag: string) =>
      writeAction({ do: 'install', requirements: [requirement], index: { name: tag, url: cuda + tag } }, linux)[0]
        ?.title;
    assert.match(titleOf('torch==2.8.0', 'cu128') ?? '', /up to 4\.0 GB/);
    for (const [requirement, tag] of [
      ['torch==2.8.0', 'cu126'],
      ['torch==2.8.0', 'cpu'],
      ['numpy==1.26.4', 'cu128'],
    ] as const)
      assert.doesNotMatch(titleOf(requirement, tag) ?? '', /GB/);
  });

  test("uses the environment's own pip, also beside packages that uv installed, and uv without one", () => {
    const known = { source: 'PATH', readAt: '' };
    const installed = { name: 'a', version: '1', folder: '', requires: [], installer: 'uv' };
    const distributions = { value: [installed], ...known };
    const first = (programs: string[]) =>
      writeAction(INSTALL, { ...linux, distributions, programs: { value: programs, ...known } })[0]?.command ?? '';
    assert.match(first(['uv', 'pip']), / -m pip install /);
    assert.match(first(['uv']), /^uv pip install /);
  });

  test('is spelled for the shell of the system', () => {
    const set: Action = { do: 'set', variable: 'XLA_FLAGS', value: '--a b' };
    assert.deepEqual(commandsOf(set, linux), ["export XLA_FLAGS='--a b'"]);
    assert.deepEqual(commandsOf(set, windows), ['$env:XLA_FLAGS = "--a b"']);
    const unset: Action = { do: 'unset', variable: 'CUDA_VISIBLE_DEVICES' };
    assert.deepEqual(commandsOf(unset, linux), ['unset CUDA_VISIBLE_DEVICES']);
    assert.deepEqual(commandsOf(unset, windows), ['Remove-Item Env:CUDA_VISIBLE_DEVICES']);
    const run: Action = { do: 'run', title: 'Check', command: 'A=1 python -c "import a; b" && pip list | grep torch' };
    assert.deepEqual(commandsOf(run, linux), [run.command]);
    assert.deepEqual(commandsOf(run, windows), [
      '$env:A = "1"; python -c "import a; b"; pip list | Select-String torch',
    ]);
  });

  test('calls a quoted program as PowerShell does, and separates two commands by a semicolon', () => {
    const [command = ''] = commandsOf({ ...INSTALL, reinstalls: true }, windows);
    assert.match(command, /^& "C:\\My Project\\\.venv\\python\.exe" -m pip install --force-reinstall --no-deps torch/);
    assert.match(command, /; & "C:\\My Project\\\.venv\\python\.exe" -m pip install torch/);
    assert.doesNotMatch(command, /&&/);
  });

  test('that needs conda is written only for its environments', () => {
    const action: Action = { do: 'condaInstall', specs: ['cuda-nvcc=12.4.*'], channels: ['nvidia'] };
    assert.deepEqual(writeAction(action, linux), []);
  });
});

test('the size of a download counts neither what stays installed nor builds of other indexes', async () => {
  const facts = await factsOfMachine('rtx3090-cu124');
  const sizeOf = (version: string, more: object = {}) =>
    writeAction({ do: 'install', requirements: [`torch==${version}`, 'triton==3.1.0'], ...more }, facts)[0]?.title;
  assert.match(sizeOf('2.6.0') ?? '', /downloads up to 3\.1 GB/);
  assert.doesNotMatch(sizeOf('2.5.1') ?? '', /downloads/);
  assert.match(sizeOf('2.5.1', { reinstalls: true }) ?? '', /downloads up to 3\.1 GB/);
  assert.doesNotMatch(sizeOf('2.6.0', { index: { name: 'cpu', url: 'https://example.org/cpu' } }) ?? '', /downloads/);
});

describe('a way of several actions', () => {
  const uninstall: Action = { do: 'uninstall', packages: ['onnxruntime'] };

  test('is written once if one of its steps has one installer', () => {
    const ways = writeWay([uninstall, { ...INSTALL, continues: true }], linux);
    assert.deepEqual(
      ways.map((way) => way.map(({ title, continues }) => [title, continues])),
      [
        [
          ['Remove onnxruntime', undefined],
          ['Install torch 2.6.0 and numpy<2 with pip (downloads up to 3.1 GB)', true],
        ],
      ],
    );
  });

  test('is left out if nothing can do one of its steps', () => {
    const conda: Action = { do: 'condaInstall', specs: ['cudnn'], continues: true };
    assert.deepEqual(writeRemedies([INSTALL, conda], linux), []);
    assert.equal(waysOf(writeRemedies([INSTALL], linux)).length, 2);
  });

  test('is left out if one command is known not to work on the machine', () => {
    const reboot: Action = { do: 'run', title: 'Restart', command: 'sudo systemctl restart docker' };
    assert.deepEqual(writeRemedies([reboot], windows), []);
    assert.equal(writeRemedies([reboot], linux).length, 1);
    const none: Action = { do: 'install', requirements: ['torch==1.4.0'] };
    assert.deepEqual(writeRemedies([none], linux), []);
  });
});
