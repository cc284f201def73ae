/** Tools that edit a project file, which remedies and plans call in the same way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOf } from '../../server/src/commands/installers.ts';
import { PROJECT_TOOLS } from '../../server/src/commands/projectTools.ts';
import { writeAction } from '../../server/src/commands/writeAction.ts';
import type { ProjectTool } from '../../server/src/stack/facts/facts.ts';
import { factsOfMachine } from './machines.ts';

const index = { name: 'pytorch-cu126', url: 'https://download.pytorch.org/whl/cu126' };

test('each tool installs a build from the index registered with it', async () => {
  const facts = await factsOfMachine('rtx3090-cpu-torch');
  const commandOf = (tool: ProjectTool) => {
    const projectTool = { value: tool, source: 'the lock file', readAt: '' };
    const [written] = writeAction({ do: 'install', requirements: ['torch==2.8.0'], index }, { ...facts, projectTool });
    return written?.command;
  };
  assert.equal(commandOf('uv'), `uv add torch==2.8.0 --index ${index.name}=${index.url}`);
  assert.equal(
    commandOf('poetry'),
    `poetry source add --priority=explicit ${index.name} ${index.url} && poetry add --source ${index.name} torch==2.8.0`,
  );
  assert.match(
    commandOf('pdm') ?? '',
    /\[\[tool\.pdm\.source\]\].*include_packages = \["torch"\].* && pdm add torch==2\.8\.0$/,
  );
  assert.equal(commandOf('pipenv'), `pipenv install --index ${index.url} torch==2.8.0`);
});

test('without an index nothing is registered', () => {
  for (const tool of Object.values(PROJECT_TOOLS)) assert.doesNotMatch(tool.add('torch', undefined), /index|source/);
});

test('names come without extras and versions, each once', () => {
  assert.deepEqual(namesOf(['tensorflow[and-cuda]==2.20.*', 'nvidia-cudnn-cu12<9.11', 'nvidia-cudnn-cu12>=9']), [
    'tensorflow',
    'nvidia-cudnn-cu12',
  ]);
});
