import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { explainErrors } from '../../server/src/explain/explain.ts';
import { explanationsSchema } from '../../server/src/explain/explanation.ts';
import { type Files, gather } from '../../server/src/explain/gather.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { seenHere } from '../../server/src/explain/seenHere.ts';
import { factsOfText } from '../../server/src/pasted/factsOfText.ts';
import type { StackFacts } from '../../server/src/stack/facts/facts.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { loadRecording, recordedMachine } from '../stack/recordedMachine.ts';

const MACHINES = fileURLToPath(new URL('../stack/machines/', import.meta.url));

async function machine(name: string): Promise<StackFacts> {
  const folder = path.join(MACHINES, name);
  const recording = await loadRecording(folder);
  const { interpreter, folders = [] } = recording;
  return readStack({ machine: recordedMachine(folder, recording), interpreter, folders });
}

const NO_FILES: Files = { readText: async () => undefined, readCheckpoint: async () => undefined };

async function explained(text: string, { facts, files = NO_FILES }: { facts?: StackFacts; files?: Files } = {}) {
  const paste = readPaste(text);
  const explanations = explainErrors(paste, await gather(paste, facts, files, '/work'));
  assert.equal(explanationsSchema.safeParse({ version: 1, explanations }).error, undefined);
  return explanations;
}

const NO_DRIVER = 'RuntimeError: The NVIDIA driver on your system is too old (found version 11040).';

test('without facts, causes are possible, and a command distinguishes them', async () => {
  const [first] = await explained('RuntimeError: CUDA driver version is insufficient for CUDA runtime version');
  assert.equal(first?.id, 'driver-insufficient');
  assert.ok(first.causes.every(({ standing }) => standing === 'possible'));
  assert.ok(first.questions.some(({ command }) => command?.includes('nvidia-smi')));
});

test('on Windows, no Linux checks are recommended', async () => {
  const error = 'Loaded runtime CuDNN library: 9.1.0 but source was compiled with: 9.3.0.';
  const checksOf = async (text: string) => (await explained(text))[0]?.questions.map(({ command }) => command) ?? [];
  assert.match((await checksOf(error)).join(), /ldconfig/);
  assert.doesNotMatch((await checksOf(`${error}\n  File "C:\\tf\\train.py", line 3`)).join(), /ldconfig/);
});

test('the facts of a machine confirm a cause with their sources, and its remedies come first', async () => {
  const [first] = await explained(NO_DRIVER, { facts: await machine('driver-too-old') });
  assert.equal(first?.causes[0]?.standing, 'confirmed');
  assert.match(first.causes[0].evidence.join(), /470\.256\.02 is too old for torch 2\.3\.1/);
  assert.match(first.remedies[0]?.title ?? '', /Update the NVIDIA driver to 5\d\d/);
  assert.deepEqual(first.questions, []);
});

test('this machine answers a question itself if facts show what its command would', async () => {
  const text = "ModuleNotFoundError: No module named 'torch'";
  const [here] = await explained(text, { facts: await machine('everything-installed') });
  const [elsewhere] = await explained(text);
  const asked = (cause: string, each: typeof here) => each?.questions.find((question) => question.cause === cause);
  const own = asked('torch-in-other-python', here);
  assert.match(own?.title ?? '', /: \/home\/ada\/project\/\.venv\/bin\/python3; torch 2\.9\.1\+cu130$/);
  assert.equal(own?.command, null);
  assert.match(asked('torch-in-other-python', elsewhere)?.command ?? '', /sys\.executable/);
});

test('facts of a pasted report answer no question, because its author may have more', () => {
  const facts = factsOfText(readPaste('PyTorch version: 2.9.1+cu130\nPython version: 3.12.4 (64-bit runtime)').lines);
  assert.equal(seenHere('python -c "import sys; print(sys.version)"', { facts }), undefined);
});

test('a command is answered as a whole or not at all', async () => {
  const facts = await machine('everything-installed');
  assert.equal(seenHere('nvcc --version; nvidia-smi -L', { facts })?.split('; ').length, 2);
  assert.equal(seenHere('nvcc --version; ninja --version', { facts }), undefined);
  assert.equal(seenHere('pip list | grep -iE "torch|some-package"', { facts }), undefined);
});

test('facts rule causes out', async () => {
  const [first] = await explained('AssertionError: Torch not compiled with CUDA enabled', {
    facts: await machine('everything-installed'),
  });
  assert.equal(first?.id, 'torch-not-compiled-with-cuda');
  assert.ok(!first.causes.some(({ id }) => id === 'build-for-cpu'), JSON.stringify(first.causes));
});

const TRACEBACK = `Traceback (most recent call last):
  File "/work/train.py", line 3, in <module>
    weights = torch.load("best.pt")
  File "/usr/lib/python3.11/site-packages/torch/serialization.py", line 500, in load
    raise RuntimeError()
RuntimeError: Attempting to deserialize object on CUDA device 1 but torch.cuda.device_count() is 1. Please use torch.load with map_location to map your storages to an existing device.
`;

test('the failing line is checked by the rules, and its fix is a remedy', async () => {
  const source = 'import torch\n\nweights = torch.load("best.pt")\n';
  const files: Files = { ...NO_FILES, readText: async (file) => (file === '/work/train.py' ? source : undefined) };
  const [first] = await explained(TRACEBACK, { files });
  assert.deepEqual(first?.location, { file: '/work/train.py', line: 3, code: 'weights = torch.load("best.pt")' });
  assert.equal(first.causes[0]?.standing, 'confirmed');
  const [remedy] = first.remedies;
  assert.equal(remedy?.code, 'weights = torch.load("best.pt", map_location="cpu")');
  assert.deepEqual(remedy.edit, {
    filename: '/work/train.py',
    edits: [
      {
        cell: null,
        location: { row: 3, column: 31 },
        end_location: { row: 3, column: 31 },
        content: ', map_location="cpu"',
      },
    ],
  });
});

test('a message that is known by the preceding calls shows the line of the exception', async () => {
  const [first] = await explained(`Traceback (most recent call last):
  File "export.py", line 7, in <module>
    model = torch.load("best.pt")
  File "/usr/lib/python3.8/site-packages/torch/serialization.py", line 853, in _load
    result = unpickler.load()
ModuleNotFoundError: No module named 'models'
`);
  assert.equal(first?.message, "ModuleNotFoundError: No module named 'models'");
});

test('for a missing file, the printed line is checked and no edit is offered', async () => {
  const [first] = await explained(TRACEBACK);
  assert.equal(first?.remedies[0]?.code, 'weights = torch.load("best.pt", map_location="cpu")');
  assert.equal(first.remedies[0]?.edit, null);
});

test('a call printed only in part is not said to lack arguments of the missing lines', async () => {
  const of = async (line: string) => (await explained(TRACEBACK.replace('weights = torch.load("best.pt")', line)))[0];
  for (const line of ['weights = torch.load(', 'net.load_state_dict(torch.load("best.pt",'])
    assert.equal((await of(line))?.causes[0]?.standing, 'possible', line);
  assert.equal((await of('net.load_state_dict(torch.load("best.pt"))'))?.causes[0]?.standing, 'confirmed');
});

test('a file changed since the error is not edited', async () => {
  const files: Files = { ...NO_FILES, readText: async () => 'import torch\n\nprint(1)\n' };
  const [first] = await explained(TRACEBACK, { files });
  assert.equal(first?.remedies[0]?.edit, null);
});

test('a selection of GPUs that comes too late is found anywhere in the program', async () => {
  const lines = (setting: string) => `import os
import torch

print(torch.cuda.is_available())
${setting}
model = torch.nn.Linear(2, 2).to("cuda")
`;
  const text = `Traceback (most recent call last):
  File "/work/train.py", line 6, in <module>
    model = torch.nn.Linear(2, 2).to("cuda")
RuntimeError: device >= 0 && device < num_gpus INTERNAL ASSERT FAILED at "../aten/src/ATen/cuda/CUDAContext.cpp":50
`;
  const explainedWith = async (setting: string) => {
    const files: Files = { ...NO_FILES, readText: async () => lines(setting) };
    const [first] = await explained(text, { files });
    return first;
  };
  const late = await explainedWith('os.environ["CUDA_VISIBLE_DEVICES"] = "1"');
  assert.deepEqual([late?.causes[0]?.id, late?.causes[0]?.standing], ['set-after-counting', 'confirmed']);
  const [remedy] = late?.remedies ?? [];
  assert.equal(remedy?.title, 'Move before line 4, where CUDA is initialized');
  assert.equal(remedy?.code, 'os.environ["CUDA_VISIBLE_DEVICES"] = "1"');
  assert.equal(remedy?.edit?.edits.length, 2);
  const none = await explainedWith('os.environ["OMP_NUM_THREADS"] = "1"');
  assert.equal(none?.causes[0]?.standing, 'possible');
});

test('if the code that raised a message is above it, the line of the exception is shown', async () => {
  const said = 'AssertionError: Torch not compiled with CUDA enabled';
  const raised = [
    'Traceback (most recent call last):',
    '  File "/work/load.py", line 2, in <module>',
    '    raise AssertionError("Torch not compiled with CUDA enabled")',
    said,
  ];
  const [first] = await explained(`${raised.join('\n')}\n`);
  assert.equal(first?.message, said);
  const [logged] = await explained('12:00 loader says: Torch not compiled with CUDA enabled\n');
  assert.equal(logged?.message, '12:00 loader says: Torch not compiled with CUDA enabled');
});

test('a TensorFlow-only cause is not mentioned for a torch error', async () => {
  const words = 'no kernel image is available for execution on the device';
  const [torch] = await explained(`RuntimeError: CUDA error: ${words}`);
  assert.ok(!torch?.causes.some(({ id }) => id === 'tensorflow-without-this-gpu'));
});
