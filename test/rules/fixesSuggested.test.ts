/** Results of fixes that are only suggested and therefore have no fixture pairs. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createCheckpointCache } from '../../server/src/checkpoint/checkpointCache.ts';
import { parseProgram } from '../../server/src/guards/program.ts';
import { namedCheckpoints } from '../../server/src/lint/namedCheckpoints.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import { checkProgram } from '../../server/src/rules/engine/check.ts';
import type { Knowledge } from '../../server/src/rules/engine/contract.ts';
import { applyEdits } from '../../server/src/rules/engine/fixAll.ts';
import { rules } from '../../server/src/rules/index.ts';
import { brokenChanges } from './python.ts';

/** Knowledge about files with these names, as if they were next to the program. */
async function filesBeside(text: string, known: Knowledge): Promise<Knowledge> {
  const folders = ['../checkpoint/fixtures', 'checkpoints'].map((name) => path.join(import.meta.dirname, name));
  const inSight = createCheckpointCache().visibleFrom(folders);
  const complete = { ...known, checkpointsAt: inSight.checkpointsAt };
  await inSight.read(namedCheckpoints(parseProgram(script('train.py', text))));
  return complete;
}

/** The program after the first fix for the only finding of a rule. */
function afterSuggestion(code: string, text: string, known: Knowledge = {}): string | undefined {
  const program = parseProgram(script('train.py', text));
  const [finding, ...others] = checkProgram(program, rules, { select: [code], known });
  assert.deepEqual(others, []);
  const [fix] = finding?.fixes() ?? [];
  assert.equal(fix?.tier, 'suggestion', text);
  return fix && applyEdits(program, fix.edits).cells[0]?.text;
}

describe('a suggested fix', () => {
  it('loads weights only', () => {
    const known = { torchVersion: '2.4.0' };
    const cases = [
      ['torch.load(p, weights_only=False)', 'torch.load(p, weights_only=True)'],
      ['torch.load(p, weights_only = False, mmap=True)', 'torch.load(p, weights_only = True, mmap=True)'],
      ['torch.load(p)', 'torch.load(p, weights_only=True)'],
      ['torch.load(\n    p,\n    "cpu",\n)', 'torch.load(\n    p,\n    "cpu",\n    weights_only=True,\n)'],
    ];
    for (const [before, after] of cases)
      assert.equal(afterSuggestion('GPU102', `import torch\n${before}\n`, known), `import torch\n${after}\n`);
    const partial = 'from functools import partial\nimport torch\nread = partial(torch.load, weights_only=False)\n';
    assert.equal(afterSuggestion('GPU102', `${partial}read(p)\n`), `${partial.replace('False', 'True')}read(p)\n`);
  });

  it('loads weights only if that torch can', () => {
    const titles = (text: string, known: Knowledge) =>
      checkProgram(parseProgram(script('train.py', `import torch\n${text}\n`)), rules, { select: ['GPU102'], known })
        .flatMap((finding) => finding.fixes())
        .map(({ title }) => title);
    const add = ['Add `weights_only=True`'];
    const replace = ['Replace `weights_only=False` with `weights_only=True`'];
    assert.deepEqual(titles('torch.load(p)', { torchRequirement: '>=1.13,<2.6' }), add);
    assert.deepEqual(titles('torch.load(p)', { torchRequirement: '>=1.8,<2.6' }), []);
    assert.deepEqual(titles('torch.load(p)', { torchRequirement: '==2.0.*' }), add);
    assert.deepEqual(titles('torch.load(p, weights_only=False)', { torchVersion: '1.12.1' }), []);
    assert.deepEqual(titles('torch.load(p, weights_only=False)', { torchVersion: '1.13.0' }), replace);
    // A program that passes the argument requires a torch that supports it.
    assert.deepEqual(titles('torch.load(p, weights_only=False)', { torchRequirement: '>=1.8' }), replace);
  });

  it('uses the functions that the required TensorFlow has', () => {
    const text = 'import tensorflow as tf\nwith tf.device("/gpu:0"):\n    x = tf.ones(3)\n';
    const titles = (known: Knowledge) =>
      checkProgram(parseProgram(script('train.py', text)), rules, { select: ['GPU201'], known }).flatMap((each) =>
        each.fixes().map(({ title }) => title),
      );
    const list = (name: string) => [`Replace with \`"/gpu:0" if tf.config.${name}("GPU") else "/cpu:0"\``];
    const experimental = list('experimental.list_physical_devices');
    assert.deepEqual(titles({}), list('list_physical_devices'));
    assert.deepEqual(titles({ tensorflowRequirement: '>=2.4' }), list('list_physical_devices'));
    assert.deepEqual(titles({ tensorflowRequirement: '>=2.0' }), experimental);
    assert.deepEqual(titles({ tensorflowVersion: '2.0.4' }), experimental);
    // No fix uses `tf.config` with TensorFlow 1.
    for (const tensorflowRequirement of ['~=1.15.0', '<2', '==1.4.0', '>=1.4'])
      assert.deepEqual(titles({ tensorflowRequirement }), []);
  });

  it('saves the weights of a model', () => {
    const cases = [
      ['torch.save(m, p)', 'torch.save(m.state_dict(), p)'],
      ['torch.save(obj=m.eval(), f=p)', 'torch.save(obj=m.eval().state_dict(), f=p)'],
      ['torch.save(m.module if x else m, p)', 'torch.save((m.module if x else m).state_dict(), p)'],
      ['torch.save((m), p)', 'torch.save((m.state_dict()), p)'],
    ];
    const head = 'import torch\nm = torch.nn.Linear(2, 2)\n';
    for (const [before, after] of cases)
      assert.equal(afterSuggestion('GPU103', `${head}${before}\n`), `${head}${after}\n`);
  });

  it("checks for GPUs other than CUDA's that the project's PyTorch supports", () => {
    const cuda = '"cuda" if torch.cuda.is_available() else "cpu"';
    const mps = '"cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"';
    const accelerator = 'torch.accelerator.is_available() else';
    const cases: [string, string, Knowledge?][] = [
      [`d = ${cuda}`, `d = ${mps}`],
      [`d = ${cuda}`, `d = ${mps}`, { torchVersion: '2.3.1' }],
      [
        `d = ${cuda}`,
        `d = ${mps.replace('else "cpu"', 'else "xpu" if torch.xpu.is_available() else "cpu"')}`,
        { torchRequirement: '>=2.4' },
      ],
      [
        `d = ${cuda}`,
        `d = torch.accelerator.current_accelerator().type if ${accelerator} "cpu"`,
        { torchRequirement: '>=2.6' },
      ],
      [`d = ${cuda}`, `d = ${mps}`, { torchRequirement: '<3' }],
      [
        'd = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")',
        `d = torch.accelerator.current_accelerator() if ${accelerator} torch.device("cpu")`,
        { torchVersion: '2.10.0' },
      ],
      [
        'd = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")',
        'd = torch.device("cuda") if torch.cuda.is_available() else torch.device("mps") if torch.backends.mps.is_available() else torch.device("cpu")',
      ],
    ];
    for (const [before, after, known] of cases)
      assert.equal(afterSuggestion('GPU401', `import torch\n${before}\n`, known), `import torch\n${after}\n`);
    const withoutAny = checkProgram(parseProgram(script('train.py', `import torch\nd = ${cuda}\n`)), rules, {
      select: ['GPU401'],
      known: { torchVersion: '1.11.0' },
    });
    assert.deepEqual(
      withoutAny.map((finding) => finding.fixes()),
      [[]],
    );
  });

  it("configures TensorFlow's devices before they are used", () => {
    const tf = 'import tensorflow as tf\n';
    const use = 'x = tf.constant([1.0])\n';
    const gpus = 'gpus = tf.config.list_physical_devices("GPU")\n';
    const grow = 'for gpu in gpus:\n    tf.config.experimental.set_memory_growth(gpu, True)\n';
    const tried = `try:\n    tf.config.set_visible_devices(gpus[:1], "GPU")\nexcept RuntimeError as e:\n    print(e)\n`;
    for (const setting of [gpus + grow, gpus + tried])
      assert.equal(
        afterSuggestion('GPU302', `${tf}${use}y = 1\n${setting}print(x)\n`),
        `${tf}${setting}${use}y = 1\nprint(x)\n`,
      );
    const alone = grow.replace('gpus', 'tf.config.list_physical_devices("GPU")');
    assert.equal(afterSuggestion('GPU302', `${tf}${use}${alone}`), `${tf}${alone}${use}`);
    const none = (text: string) =>
      checkProgram(parseProgram(script('train.py', tf + text)), rules, { select: ['GPU302'] }).map(
        (finding) => finding.fixes().length,
      );
    // The code in between is needed, sees the assigned value, or would run in another order.
    assert.deepEqual(none(`${use}${gpus}n = 1\ngpus = gpus[:n]\n${grow}`), [0]);
    assert.deepEqual(none(`gpu = 1\n${use}print(gpu)\n${alone}`), [0]);
    assert.deepEqual(none(`${use}${gpus}${grow}    start(gpu)\n`), [0]);
    assert.deepEqual(
      none(`if tf.test.is_gpu_available():\n    ${gpus}    tf.config.set_visible_devices(gpus[:1], "GPU")\n`),
      [0],
    );
  });

  it('makes Keras refuse code', () => {
    const cases = [
      ['load_model(p, safe_mode=False)', 'load_model(p)'],
      ['load_model(safe_mode=False, filepath=p)', 'load_model(filepath=p)'],
      ['load_model(p, safe_mode=False, compile=False)', 'load_model(p, compile=False)'],
      ['load_model(p, None, False, False)', 'load_model(p, None, False)'],
      ['load_model(p, safe_mode=False,)', 'load_model(p,)'],
      ['load_model((p), safe_mode=False)', 'load_model((p))'],
      ['load_model(\n    p,\n    safe_mode=False,  # trusted\n)', 'load_model(\n    p,\n)'],
      ['load_model(\n    p,\n    safe_mode=False)', 'load_model(\n    p)'],
      ['load_model(\n    p,\n    safe_mode=False\n)', 'load_model(\n    p,\n)'],
    ];
    const head = 'from keras.models import load_model\n';
    for (const [before, after] of cases)
      assert.equal(afterSuggestion('GPU304', `${head}${before}\n`), `${head}${after}\n`);
  });

  /** The tier and text of each fix for the only finding. */
  async function afterEachFix(
    code: string,
    text: string,
    knownFacts: Knowledge = {},
  ): Promise<[string, string | undefined][]> {
    const known = await filesBeside(text, knownFacts);
    const program = parseProgram(script('train.py', text));
    const [finding, ...others] = checkProgram(program, rules, { select: [code], known });
    assert.ok(finding, text);
    assert.deepEqual(others, []);
    const written = finding.fixes().map(({ tier, edits }) => ({ tier, after: applyEdits(program, edits) }));
    const changes = written.map(({ after }) => ({ name: text, before: program.source, after }));
    assert.deepEqual(brokenChanges(changes), []);
    return written.map(({ tier, after }) => [tier, after.cells[0]?.text]);
  }
  const torch = 'import torch\n';
  const torch29 = { torchVersion: '2.9.0' };

  it('loads a file with a reader for its format', async () => {
    const load = 'from safetensors.torch import load_file\n';
    const cases: [string, string][] = [
      [
        `${torch}x = torch.load("others/kinds.safetensors")\n`,
        `${torch}${load}x = load_file("others/kinds.safetensors")\n`,
      ],
      [
        `${torch}${load}x = torch.load("renamed.pt", map_location="cuda:0", weights_only=True)\n`,
        `${torch}${load}x = load_file("renamed.pt", device="cuda:0")\n`,
      ],
      [
        `${torch}${load}def f(device):\n    return torch.load("renamed.pt", device)\n`,
        `${torch}${load}def f(device):\n    return load_file("renamed.pt", device=str(device))\n`,
      ],
      [
        `${load}${torch}x = load_file("torch/cpu.pt", device="cpu")\n`,
        `${load}${torch}x = torch.load("torch/cpu.pt", map_location="cpu", weights_only=True)\n`,
      ],
      [
        `${torch}x = torch.load("torch/scripted.pt", map_location="cpu")\n`,
        `${torch}x = torch.jit.load("torch/scripted.pt", map_location="cpu")\n`,
      ],
      [
        `${torch}x = torch.jit.load("torch/cpu.pt", map_location="cpu")\n`,
        `${torch}x = torch.load("torch/cpu.pt", map_location="cpu", weights_only=True)\n`,
      ],
    ];
    for (const [before, after] of cases)
      assert.deepEqual(await afterEachFix('GPU502', before, torch29), [['suggestion', after]], before);
    const keras = 'import keras\nx = keras.models.load_model("tensorflow/keras2")\n';
    const layer = 'keras.layers.TFSMLayer("tensorflow/keras2", call_endpoint="serving_default")';
    assert.deepEqual(await afterEachFix('GPU502', keras, { here: { devices: {}, keras: '3.12.0' } }), [
      ['display', `import keras\nx = ${layer}\n`],
    ]);
  });

  it('loads a SavedModel with Keras 2 if the program needs more than a layer', async () => {
    const load = 'x = keras.models.load_model("tensorflow/keras2")\n';
    const known = { here: { devices: {}, keras: '3.12.0' } };
    const legacy = load.replace('keras.models', 'tf_keras.models');
    assert.deepEqual(await afterEachFix('GPU502', `import keras\n${load}x.predict(y)\n`, known), [
      ['display', `import keras\nimport tf_keras\n${legacy}x.predict(y)\n`],
    ]);
    const layer = load.replace(
      /keras\.models.*/,
      'keras.layers.TFSMLayer("tensorflow/keras2", call_endpoint="serving_default")',
    );
    assert.deepEqual(await afterEachFix('GPU502', `import keras\n${load}x(y)\n`, known), [
      ['display', `import keras\n${layer}x(y)\n`],
    ]);
    const joined = `import os\n${load.replace('"tensorflow/keras2"', 'os.path.join("tensorflow", "keras2")')}`;
    assert.deepEqual(await afterEachFix('GPU502', `import keras\n${joined}x.predict(y)\n`, known), [
      [
        'display',
        `import keras\nimport os\nimport tf_keras\n${joined.slice(10).replace('keras.models', 'tf_keras.models')}x.predict(y)\n`,
      ],
    ]);
    const exported = load.replace('keras2', 'exported');
    assert.deepEqual(
      await afterEachFix('GPU502', `import keras\n${exported}x.predict(y)\n`, known),
      [],
      'it never was a model of Keras 2',
    );
  });

  it('is omitted if the other loader lacks an argument, or there is no checkpoint', async () => {
    for (const call of [
      'torch.load("renamed.pt", map_location=lambda storage, location: storage)',
      'torch.load(open("renamed.pt", "rb"))',
      'torch.load("renamed.pt", pickle_module=dill)',
      'torch.load("pointer.pt")',
      'torch.load("keras/model.h5")',
    ])
      assert.deepEqual(await afterEachFix('GPU502', `${torch}import dill\nx = ${call}\n`, torch29), [], call);
  });

  it('shows how a refused file can load, and how to prevent code from running', async () => {
    const refused = `${torch}\n\ndef f():\n    x = torch.load("torch/namespace.pt", map_location="cpu")\n`;
    const allowed = '    import argparse\n    torch.serialization.add_safe_globals([argparse.Namespace])\n    x =';
    assert.deepEqual(await afterEachFix('GPU503', refused, torch29), [
      ['display', refused.replace('    x =', allowed)],
      ['display', refused.replace('"cpu")', '"cpu", weights_only=False)')],
    ]);
    const arrays = `${torch}x = torch.load("torch/numpy.pt", weights_only=True)\n`;
    const types = '(numpy.zeros(0).__reduce__()[0], "numpy.core.multiarray._reconstruct"), numpy.ndarray, numpy.dtype';
    assert.deepEqual((await afterEachFix('GPU503', arrays, torch29))[0], [
      'display',
      arrays.replace(
        'x =',
        () => `import numpy\ntorch.serialization.add_safe_globals([${types}, type(numpy.dtype("f8"))])\nx =`,
      ),
    ]);
    // Their contents are unknown, so no fix allows or refuses them.
    const own = `${torch}x = torch.load("torch/whole_own.pt", weights_only=False)\n`;
    assert.deepEqual(await afterEachFix('GPU102', own, torch29), []);
    const dangerous = `${torch}x = torch.load("runs_code.pt", weights_only=True)\n`;
    assert.deepEqual(await afterEachFix('GPU503', dangerous), []);
    const runs = dangerous.replace('True', 'False');
    assert.deepEqual(await afterEachFix('GPU503', runs), [['suggestion', dangerous]]);
  });

  it('is safe for a file known to contain only tensors, and omitted for one that is refused', async () => {
    const clean = `${torch}x = torch.load("torch/cpu.pt", weights_only=False)\n`;
    assert.deepEqual(await afterEachFix('GPU102', clean), [['safe', clean.replace('False', 'True')]]);
    const namespace = clean.replace('cpu.pt', 'namespace.pt');
    assert.deepEqual(await afterEachFix('GPU102', namespace), []);
  });

  it('belongs to a mark for a file that was read, and to a warning if the program proves the same', async () => {
    const found = async (text: string) => {
      const program = parseProgram(script('train.py', text));
      const findings = checkProgram(program, rules, { select: ['GPU102'], known: await filesBeside(text, {}) });
      return findings.map(({ severity, message }) => `${severity}: ${message}`);
    };
    const read = `${torch}x = torch.load("torch/cpu.pt", weights_only=False)\n`;
    assert.deepEqual(await found(read), [
      'information: This file runs no code when it loads. `weights_only=True` loads it too, and holds for the next file.',
    ]);
    const [proven] = await found(`${read}y = torch.load("torch/cpu.pt", weights_only=True)\n`);
    assert.match(proven ?? '', /^warning: `torch.load` can run any code/);
  });

  it('belongs to a sentence in which nothing is cut, on a laptop without a GPU', async () => {
    const here = { devices: { cuda: { count: 0, because: 'this machine has no NVIDIA GPU' } }, torch: '2.9.0' };
    for (const name of ['torch/cuda0.pt', 'torch/training.ckpt']) {
      const text = `${torch}x = torch.load("${name}")\n`;
      const program = parseProgram(script('train.py', text));
      const known = await filesBeside(text, { here } as Knowledge);
      const [finding] = checkProgram(program, rules, { select: ['GPU501'], known });
      assert.match(
        finding?.message ?? '',
        /^`torch\.load` fails here without `map_location`: .*this machine has no NVIDIA GPU\.$/,
      );
      assert.doesNotMatch(finding?.message ?? '', /…/);
    }
  });
});
