import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { createCheckpointCache } from '../../../server/src/checkpoint/checkpointCache.ts';
import { parseProgram } from '../../../server/src/guards/program.ts';
import { namedCheckpoints } from '../../../server/src/lint/namedCheckpoints.ts';
import { createProjectIndex } from '../../../server/src/projectIndex/projectIndex.ts';
import { script } from '../../../server/src/python/semantic/source.ts';
import { checkProgram } from '../../../server/src/rules/engine/check.ts';
import type { Knowledge } from '../../../server/src/rules/engine/contract.ts';
import { rules } from '../../../server/src/rules/index.ts';
import { at, filesOf } from '../../projectIndex/files.ts';

const FILES = path.join(import.meta.dirname, '../../checkpoint/fixtures');

/** The severity and message for the first load of a program. */
async function outlookOf(text: string, known: Knowledge = {}): Promise<string> {
  const program = parseProgram(script('serve.py', text));
  const inSight = createCheckpointCache().visibleFrom([FILES]);
  await inSight.read(namedCheckpoints(program));
  const options = { select: ['GPU301'], known: { ...known, checkpointsAt: inSight.checkpointsAt } };
  const [finding] = checkProgram(program, rules, options);
  assert.ok(finding, text);
  assert.ok(finding.message.length <= 120, `${finding.message.length} characters: ${finding.message}`);
  return `${finding.severity}: ${finding.message}`;
}

const LOAD = 'from keras.models import load_model\nmodel = load_model(path)\n';
const named = (file: string) => `from tensorflow.keras.models import load_model\nmodel = load_model("${file}")\n`;

test('a message states what is known about a load: the file, the machine, or the outlook', async () => {
  assert.equal(
    await outlookOf(LOAD),
    'information: `load_model` takes all memory of GPU 0, or runs on the CPU without saying so: no check was found.',
  );
  assert.match(
    await outlookOf(`import os\nos.environ["KERAS_BACKEND"] = "torch"\n${LOAD}`),
    /on GPU 0, or on the CPU without/,
  );
  assert.match(
    await outlookOf(named('keras/plain.keras')),
    /^information: `plain\.keras` \(Keras [\d.]+, \d+ kB\) loads onto GPU 0, or onto the CPU without saying so: /,
  );
  assert.match(
    await outlookOf(named('keras/plain.keras'), { visibleGpus: { count: 0, names: '' } }),
    /loads onto the CPU, because no GPU is visible: /,
  );
  assert.equal(
    await outlookOf(LOAD, { tensorflowVersion: '2.15.0', visibleGpus: { count: 1, names: 'RTX 3090' } }),
    'information: `load_model` runs on the first GPU (RTX 3090), and TensorFlow 2.15.0 takes all of its memory.',
  );
  assert.equal(
    await outlookOf(LOAD, { tensorflowVersion: '2.15.0', visibleGpus: { count: 0, names: '' } }),
    'information: `load_model` runs on the CPU here: TensorFlow 2.15.0 sees no GPU.',
  );
});

const WARNINGS: Readonly<Record<string, string>> = {
  'devices chosen afterwards': `import tensorflow as tf
model = tf.keras.models.load_model(path)
tf.config.experimental.set_memory_growth(tf.config.list_physical_devices("GPU")[0], True)
`,
  'PyTorch on the same GPU': `import torch
from keras.models import load_model
detector = torch.nn.Linear(2, 2).cuda()
model = load_model(path)
`,
  'a pool of processes': `from multiprocessing import Pool
from keras.models import load_model
def work(path):
    return load_model(path).predict([1])
with Pool(4) as pool:
    pool.map(work, paths)
`,
  'processes in a loop': `import multiprocessing as mp
from keras.models import load_model
def work(path):
    load_model(path)
for path in paths:
    mp.Process(target=work, args=(path,)).start()
`,
  'JAX on the same GPU': `import jax.numpy as jnp
from keras.models import load_model
model = load_model(path)
print(jnp.zeros(3))
`,
  'the workers of a server': `import uvicorn
from keras.models import load_model
model = load_model(path)
uvicorn.run("serve:app", workers=4)
`,
};

test('a load that fails or misbehaves is a warning with its cause', async () => {
  for (const [name, text] of Object.entries(WARNINGS)) assert.match(await outlookOf(text), /^warning: /, name);
  const folder = await outlookOf(named('exported/model'), { tensorflowRequirement: '>=2.16' });
  assert.match(folder, /^warning: `load_model` fails: Keras 3 in .* not SavedModel folders\.$/);
  const old = await outlookOf(named('model.keras'), { tensorflowRequirement: '==2.10.1' });
  assert.match(old, /^warning: `load_model` fails: TensorFlow 2\.10\.1 does not read `\.keras` files\.$/);
  const without = await outlookOf(LOAD, { wantsTensorflowGpu: true, visibleGpus: { count: 0, names: '' } });
  assert.match(without, /^warning: `load_model` runs on the CPU here: /);
});

const NEIGHBOURS: Readonly<Record<string, string>> = {
  'PyTorch on the CPU': 'import torch\nfrom keras.models import load_model\ntorch.zeros(3)\nmodel = load_model(path)\n',
  'one process': `import multiprocessing as mp
from keras.models import load_model
def work(path):
    load_model(path)
mp.Process(target=work, args=(path,)).start()
`,
  'a pool that loads nothing': `from multiprocessing import Pool
from keras.models import load_model
with Pool(4) as pool:
    images = pool.map(read, paths)
model = load_model(path)
`,
  'one worker': `import uvicorn
from keras.models import load_model
model = load_model(path)
uvicorn.run(app, workers=1)
`,
  'devices chosen in another branch': `import sys
import tensorflow as tf
if sys.argv[1]:
    model = tf.keras.models.load_model(path)
else:
    tf.config.experimental.set_memory_growth(gpu, True)
`,
};

test('similar loads stay at information severity', async () => {
  for (const [name, text] of Object.entries(NEIGHBOURS)) assert.match(await outlookOf(text), /^information: /, name);
  for (const tensorflowRequirement of ['>=2.10', '==2.15.0', '<2.16'])
    assert.match(await outlookOf(named('exported/model'), { tensorflowRequirement }), /^information: /);
  assert.match(await outlookOf(named('model.h5'), { tensorflowRequirement: '==2.10.1' }), /^information: /);
});

test('a framework that another file of the program puts on the GPU counts', () => {
  const load = 'import other\nfrom keras.models import load_model\nmodel = load_model("m.keras")\n';
  const severityBeside = (other: string): string[] => {
    const files = filesOf({ 'serve.py': load, 'other.py': other });
    const program = parseProgram(script(at('serve.py'), load));
    const { viewFor } = createProjectIndex(files);
    return checkProgram(program, rules, { select: ['GPU301'], projectOf: viewFor }).map(
      ({ severity, message }) => `${severity}: ${/PyTorch|JAX/.exec(message)?.[0]}`,
    );
  };
  assert.deepEqual(severityBeside('import torch\nnet = torch.nn.Linear(2, 2).cuda()\n'), ['warning: PyTorch']);
  assert.deepEqual(severityBeside('import jax\nkey = jax.random.key(0)\n'), ['warning: JAX']);
  assert.deepEqual(severityBeside('import torch\nnet = torch.nn.Linear(2, 2)\n'), ['information: undefined']);
  const onCpu = 'import os\nos.environ["JAX_PLATFORMS"] = "cpu"\nimport jax\nkey = jax.random.key(0)\n';
  assert.deepEqual(severityBeside(onCpu), ['information: undefined']);
});
