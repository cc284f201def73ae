/** Commands for any Python, as those of the interpreter in use. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forInterpreter } from '../../server/src/commands/forInterpreter.ts';
import { type Interpreter, knownValue, type ProjectTool, type StackFacts } from '../../server/src/stack/facts/facts.ts';
import { factsOfMachine } from './machines.ts';

const linux = await factsOfMachine('rtx3090-cpu-torch');
const known = <T>(value: T) => ({ source: 'test', readAt: '', value });

function withInterpreter(facts: StackFacts, changes: Partial<Interpreter>): StackFacts {
  const interpreter = knownValue(facts.interpreter);
  assert.ok(interpreter);
  return { ...facts, interpreter: known({ ...interpreter, ...changes }) };
}

const inVenv = withInterpreter(linux, { path: '/home/ada/my project/.venv/bin/python', environment: 'venv' });
const os = knownValue(linux.os);
assert.ok(os);
const onWindows: StackFacts = {
  ...withInterpreter(linux, { path: 'C:\\My Project\\.venv\\python.exe', environment: 'venv' }),
  os: known({ ...os, family: 'windows' as const }),
};
const PYTHON = "'/home/ada/my project/.venv/bin/python'";

describe('a command that only installs', () => {
  test("is that of the environment's own pip", () => {
    assert.equal(
      forInterpreter('pip install --upgrade tf_keras', inVenv),
      `${PYTHON} -m pip install --upgrade tf_keras`,
    );
    assert.equal(forInterpreter('pip install "numpy<2"', inVenv), `${PYTHON} -m pip install --upgrade "numpy<2"`);
    assert.equal(forInterpreter('python -m pip install torch==2.6.0', inVenv), `${PYTHON} -m pip install torch==2.6.0`);
    assert.equal(
      forInterpreter('pip install torch==2.6.0 --index-url https://download.pytorch.org/whl/cu126', inVenv),
      `${PYTHON} -m pip install torch==2.6.0 --index-url https://download.pytorch.org/whl/cu126`,
    );
    assert.equal(
      forInterpreter('pip install --no-deps -f https://x.org/w.html dgl==2.1', inVenv),
      `${PYTHON} -m pip install dgl==2.1 --no-deps -f https://x.org/w.html`,
    );
  });

  test('is spelled for PowerShell', () => {
    assert.equal(
      forInterpreter('pip install tf_keras', onWindows),
      '& "C:\\My Project\\.venv\\python.exe" -m pip install --upgrade tf_keras',
    );
  });

  test("is that of the project's tool, and leaves a system's own Python as it is", () => {
    const poetry = { ...inVenv, projectTool: known<ProjectTool | null>('poetry') };
    assert.equal(forInterpreter('pip install tf_keras', poetry), 'poetry add tf_keras');
    const system = withInterpreter(linux, { path: '/usr/bin/python3', environment: 'system' });
    assert.equal(
      forInterpreter('pip install tf_keras', system),
      'python3 -m venv .venv && .venv/bin/pip install tf_keras',
    );
    assert.equal(forInterpreter('pip uninstall torch', system), 'pip uninstall torch');
  });
});

describe('any other command', () => {
  test('calls pip and Python by the path, wherever a statement begins', () => {
    for (const [command, own] of [
      ['python -c "import torch; python = 1; pip install x"', `${PYTHON} -c "import torch; python = 1; pip install x"`],
      [
        'pip uninstall -y keras && pip install keras',
        `${PYTHON} -m pip uninstall -y keras && ${PYTHON} -m pip install keras`,
      ],
      ['FORCE_CUDA=1 pip install -v .', `FORCE_CUDA=1 ${PYTHON} -m pip install -v .`],
      ['pip install vllm==VERSION', `${PYTHON} -m pip install vllm==VERSION`],
      ['pip list | grep nvidia', `${PYTHON} -m pip list | grep nvidia`],
      ['nvidia-smi', 'nvidia-smi'],
      ['grep python setup.py', 'grep python setup.py'],
    ] as const)
      assert.equal(forInterpreter(command, inVenv), own);
    assert.equal(
      forInterpreter('pip uninstall -y keras && pip install keras', onWindows),
      '& "C:\\My Project\\.venv\\python.exe" -m pip uninstall -y keras; & "C:\\My Project\\.venv\\python.exe" -m pip install keras',
    );
  });

  test('keeps its words where it creates or enters another environment', () => {
    for (const command of [
      'conda create -n gpu python=3.12 && conda activate gpu && pip install torch',
      'docker run --gpus all image python train.py',
      'python3 -m venv new && new/bin/pip install torch',
    ])
      assert.equal(forInterpreter(command, inVenv), command);
  });

  test('names the conda environment', () => {
    const conda = withInterpreter(linux, {
      path: '/opt/c/envs/a/bin/python',
      prefix: '/opt/c/envs/a',
      environment: 'conda',
    });
    const command = 'conda install -c conda-forge pytorch-gpu';
    assert.equal(forInterpreter(command, conda), 'conda install --prefix /opt/c/envs/a -c conda-forge pytorch-gpu');
    assert.equal(forInterpreter(command, inVenv), command);
  });
});
