import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseProgram } from '../../server/src/guards/program.ts';
import { applyFixes } from '../../server/src/lint/lint.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import { checkProgram } from '../../server/src/rules/engine/check.ts';
import type { Knowledge } from '../../server/src/rules/engine/contract.ts';
import { compose } from '../../server/src/rules/engine/fixAll.ts';
import { rules } from '../../server/src/rules/index.ts';

/** The tier and title of each fix for the first finding. */
function fixesFor(text: string, known: Knowledge = {}): string[] {
  const [finding] = checkProgram(parseProgram(script('train.py', text)), rules, { known });
  assert.ok(finding, text);
  return finding.fixes().map(({ tier, title }) => `${tier}: ${title}`);
}

const fixed = (text: string) => applyFixes(script('train.py', text)).source.cells[0]?.text;

describe('the fixes for a finding', () => {
  it('for a load are the device in scope, the CPU and a choice', () => {
    const choice = 'map_location="cuda" if torch.cuda.is_available() else "cpu"';
    assert.deepEqual(fixesFor('import torch\nstate = torch.load("a.pt")\n'), [
      'safe: Add `map_location="cpu"`',
      `suggestion: Add \`${choice}\``,
    ]);
    const copied = 'import torch\ndef load(net, path, device):\n    net.load_state_dict(torch.load(path))\n';
    assert.deepEqual(fixesFor(copied), [
      'safe: Add `map_location=device`',
      'suggestion: Add `map_location="cpu"`',
      `suggestion: Add \`${choice}\``,
    ]);
    // An argument passed on may be data, which stays with other data.
    assert.deepEqual(fixesFor('import torch\ndef load(path, device):\n    return torch.load(path)\n'), [
      'safe: Add `map_location="cpu"`',
      'suggestion: Add `map_location=device`',
      `suggestion: Add \`${choice}\``,
    ]);
  });

  it('of nested loads edit each of them, under one title', () => {
    const twice = (inner: string) => `import torch\nmodel.load_state_dict(torch.load(${inner}))\n`;
    const nested = 'torch.load("index.pt")["path"]';
    assert.equal(fixesFor(twice(nested))[0], 'safe: Add `map_location="cpu"` to both calls');
    const thrice = twice(`torch.load(${nested})["path"]`);
    assert.equal(fixesFor(thrice)[0], 'safe: Add `map_location="cpu"` to all 3 calls');
    assert.equal(fixed(thrice)?.match(/map_location="cpu"/g)?.length, 3);
  });

  it('for a model that is used at once move it to the device of its inputs', () => {
    const input = 'x = torch.zeros(1)\nif torch.cuda.is_available():\n    x = x.cuda()\n';
    const text = `import torch\n${input}model = torch.load("a.pt")\nmodel.eval()\nmodel(x)\n`;
    assert.deepEqual(fixesFor(text)[0], 'safe: Add `map_location="cuda" if torch.cuda.is_available() else "cpu"`');
  });

  it('use torch.accelerator only if torch has it', () => {
    const load = 'import torch\nstate = torch.load("a.pt")\n';
    const isNamed = (torchVersion: string) =>
      fixesFor(load, { torchVersion }).some((fix) => fix.includes('accelerator'));
    assert.deepEqual(['1.13.1', '2.5.1+cu121', '2.6.0', '2.10.0', '3.0.0a0'].map(isNamed), [
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('for a hint are only suggestions', () => {
    const text = 'import torch\ndef load(path):\n    if torch.cuda.is_available():\n        return torch.load(path)\n';
    assert.ok(fixesFor(text).every((fix) => fix.startsWith('suggestion: ')));
  });

  it('for .cuda() state the variable that they define', () => {
    assert.deepEqual(fixesFor('import torch\nx = torch.zeros(1).cuda()\n'), [
      'safe: Define `device` and replace `.cuda()` with `.to(device)`',
    ]);
  });

  it('for .cuda(index) are omitted, because the index may be anything', () => {
    assert.deepEqual(fixesFor('import torch\ndef move(x, rank):\n    return x.cuda(rank)\n'), []);
  });

  it('for one of several GPUs suggest any GPU', () => {
    assert.deepEqual(fixesFor('import torch\ndevice = torch.device("cuda:1")\n'), [
      'suggestion: Replace with `"cuda" if torch.cuda.is_available() else "cpu"`',
    ]);
    const guarded = 'import torch\ndevice = torch.device("cuda:1" if torch.cuda.is_available() else "cpu")\n';
    assert.deepEqual(fixesFor(guarded)[0], 'suggestion: Replace `"cuda:1"` with `"cuda"`');
  });

  it('for devices that work together are omitted', () => {
    const text = 'import torch\nfirst = torch.device("cuda:0")\nsecond = torch.device("cuda:1")\n';
    assert.deepEqual(checkProgram(parseProgram(script('train.py', text)), rules)[1]?.fixes(), []);
  });

  it("for a Keras load depend on the interpreter's backend", () => {
    const text = 'import keras\nmodel = keras.saving.load_model("a.keras")\nmodel.predict([1])\n';
    assert.deepEqual(fixesFor(text), [
      'safe: Enable memory growth on all GPUs',
      'suggestion: Load inside `with tf.device("/CPU:0"):`',
      'suggestion: Add `compile=False`',
    ]);
    assert.deepEqual(fixesFor(text, { kerasBackend: 'torch' }), [
      'safe: Add a check for a GPU',
      'suggestion: Add `compile=False`',
    ]);
    const trained = text.replace('predict', 'fit');
    assert.ok(!fixesFor(trained).some((fix) => fix.includes('compile')));
  });

  it('are omitted if a name means something else or the text is broken', () => {
    assert.deepEqual(fixesFor('torch = build()\nx = torch.model.cuda()\n'), []);
    assert.deepEqual(fixesFor('import torch\ndef f(x):\n    return [x.to("cuda"), (\n'), []);
  });
});

describe('fixing all at once', () => {
  it('counts the fixed findings', () => {
    const text = 'import torch\na = torch.load("a.pt").cuda()\nb = torch.load("b.pt").cuda()\nc = a.to("cuda:0")\n';
    assert.equal(applyFixes(script('train.py', text)).fixed, 5);
  });

  it('writes shared code once', () => {
    const program = parseProgram(script('train.py', 'import torch\nx = f(y.cuda()).cuda()\n'));
    const { edits, fixedFindings } = compose(checkProgram(program, rules));
    assert.equal(fixedFindings.length, 2);
    assert.equal(edits.filter(({ newText }) => newText.includes('is_available')).length, 1);
  });

  it('defers a second definition at the same place to the next round', () => {
    const text = [
      'import tensorflow as tf',
      'import torch',
      'from tensorflow import keras',
      'model = keras.models.load_model("a.keras")',
      'x = torch.zeros(1).cuda()',
      '',
    ].join('\n');
    const once = fixed(text) ?? '';
    assert.equal(once.split('set_memory_growth').length, 2);
    assert.equal(once.split('device = torch.device').length, 2);
    assert.match(once, /^x = torch\.zeros\(1\)\.to\(device\)$/m);
  });

  it('fixes only selected findings', () => {
    const source = script('train.py', 'import torch\nx = torch.load("a.pt")\ntorch.save(model, "m.pt")\n');
    const { source: after } = applyFixes(source, {}, ({ code }) => code === 'GPU101');
    assert.equal(
      after.cells[0]?.text,
      'import torch\nx = torch.load("a.pt", map_location="cpu")\ntorch.save(model, "m.pt")\n',
    );
  });

  it("respects the project's guards", () => {
    const source = script('train.py', 'import torch\ndef f(x):\n    if fast_machine:\n        return x.cuda()\n');
    const guardNames = {
      decorators: new Set<string>(),
      functions: new Set<string>(),
      variables: new Set(['fast_machine']),
    };
    assert.equal(applyFixes(source, { guardNames }).fixed, 0);
    assert.equal(applyFixes(source).fixed, 1);
  });
});
