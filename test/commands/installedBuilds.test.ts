/** Commands of one answer, which belong together. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CommandTarget, UNKNOWN_TARGET } from '../../server/src/commands/commandTarget.ts';
import { contradictsCommands } from '../../server/src/commands/installedBuilds.ts';
import { explainCase } from '../cases/explainCase.ts';

const place: CommandTarget = { ...UNKNOWN_TARGET, os: 'linux', architecture: 'x64', python: '3.10' };
const INDEX = 'https://download.pytorch.org/whl';
const chosen = [`pip install torch==2.3.1 --index-url ${INDEX}/cu121`];

test('another build of a framework contradicts the chosen one', () => {
  assert.ok(contradictsCommands(`pip install torch==2.6.0 --index-url ${INDEX}/cu124`, chosen, place));
  assert.ok(contradictsCommands(`pip install torch==2.3.1 --index-url ${INDEX}/cu118`, chosen, place));
  // A companion installs the torch of its release.
  assert.ok(contradictsCommands('pip install torchvision==0.15.2', chosen, place));
});

test('the same build, another framework and other commands do not', () => {
  assert.ok(!contradictsCommands(`uv pip install torch==2.3.0 --index-url ${INDEX}/cu121`, chosen, place));
  assert.ok(!contradictsCommands('pip install "numpy<2"', chosen, place));
  assert.ok(!contradictsCommands('export CUDA_HOME=/usr/local/cuda', chosen, place));
  assert.ok(!contradictsCommands(`pip install torch==2.6.0 --index-url ${INDEX}/cu124`, [], place));
});

test('an explanation offers no other build beside that of a diagnosis', async () => {
  const [first] = await explainCase({
    text: 'FAIL : Failed to load library libonnxruntime_providers_cuda.so with error: libcublasLt.so.11: cannot open shared object file: No such file or directory.',
    machine: 'onnxruntime-without-cuda',
  });
  const installing = first?.remedies.flatMap(({ command }) => command?.match(/onnxruntime-gpu[^" ]*/) ?? []) ?? [];
  assert.deepEqual([...new Set(installing.map(String))], ['onnxruntime-gpu[cuda,cudnn]==1.23.2']);
});
