import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { explainErrors } from '../../server/src/explain/explain.ts';
import { type Files, gather } from '../../server/src/explain/gather.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { concernsGpus, unexplained } from '../../server/src/explain/unknown.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { loadRecording, recordedMachine } from '../stack/recordedMachine.ts';

const MACHINES = fileURLToPath(new URL('../stack/machines/', import.meta.url));
const NO_FILES: Files = { readText: async () => undefined, readCheckpoint: async () => undefined };

async function suspectedCauses(text: string, machine: string) {
  const folder = path.join(MACHINES, machine);
  const recording = await loadRecording(folder);
  const { interpreter, folders = [] } = recording;
  const facts = await readStack({ machine: recordedMachine(folder, recording), interpreter, folders });
  const paste = readPaste(text);
  assert.deepEqual(paste.messages, []);
  return unexplained(paste, await gather(paste, facts, NO_FILES, '/work'));
}

const FRAMES = 'Traceback (most recent call last):\n  File "/work/train.py", line 3, in <module>\n    step(batch)\n';
const GPU_ERROR = `${FRAMES}RuntimeError: the frobnicator on the GPU is out of order\n`;

test('for an unknown GPU error, problems of the machine are shown as possible reasons', async () => {
  const { message, location, suspicions } = await suspectedCauses(GPU_ERROR, 'driver-too-old');
  assert.equal(message, 'RuntimeError: the frobnicator on the GPU is out of order');
  assert.deepEqual(location, { file: '/work/train.py', line: 3, code: 'step(batch)' });
  assert.match(suspicions[0]?.text ?? '', /470\.256\.02 is too old/);
  assert.ok((suspicions[0]?.evidence.length ?? 0) > 0);
  assert.match(suspicions[0]?.remedies[0]?.title ?? '', /Update the NVIDIA driver/);
});

test('on a healthy machine, nothing is suspected', async () => {
  const { suspicions } = await suspectedCauses(GPU_ERROR, 'everything-installed');
  assert.deepEqual(suspicions, []);
});

test("an error unrelated to GPUs has no explanation, regardless of the machine's problems", async () => {
  const { suspicions } = await suspectedCauses(`${FRAMES}KeyError: 'colour'\n`, 'driver-too-old');
  assert.deepEqual(suspicions, []);
});

test('an error is about GPUs by its line, or by the package that raised it', () => {
  const inside = (file: string) => `${FRAMES}  File "${file}", line 9, in work\n    return go()\nValueError: 7\n`;
  assert.ok(concernsGpus(readPaste(GPU_ERROR)));
  assert.ok(concernsGpus(readPaste(inside('/opt/lib/python3.11/site-packages/torch/cuda/__init__.py'))));
  assert.ok(!concernsGpus(readPaste(inside('/opt/lib/python3.11/site-packages/torch/nn/functional.py'))));
  assert.ok(!concernsGpus(readPaste(inside('/work/hips/shape.py'))));
});

test('for an unknown error after a known warning, the warning is explained as such', async () => {
  const warning =
    "W tensorflow/stream_executor] Could not load dynamic library 'libcudart.so.11.0'; dlerror: no such file\n";
  const meaningOf = async (text: string) => {
    const paste = readPaste(text);
    return explainErrors(paste, await gather(paste, undefined, NO_FILES, '/work'))[0]?.meaning ?? '';
  };
  assert.match(
    await meaningOf(`${warning}${GPU_ERROR}`),
    /^No explanation for "RuntimeError: the frobnicator .*" itself; /,
  );
  assert.doesNotMatch(await meaningOf(warning), /No explanation/);
  assert.doesNotMatch(await meaningOf(`${warning}UserWarning: this is slow\n`), /No explanation/);
});
