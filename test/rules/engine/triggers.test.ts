import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeBytes } from '../../../server/src/rules/engine/codeBytes.ts';
import { hasTrigger } from '../../../server/src/rules/engine/triggers.ts';
import { verdictFixtures } from '../fixtures.ts';

const isTriggered = (text: string, more?: string[]) => hasTrigger(Buffer.from(text), more);

test('every fixture in which something is found has a trigger', () => {
  for (const { rule, name, source, expected } of verdictFixtures()) {
    if (source.kind === 'notebook' || expected.length === 0) continue;
    // The comments say what is expected, and may hold any word.
    const text = source.cells[0]?.text.replace(/#:.*$/gm, '') ?? '';
    assert.ok(isTriggered(text), `${rule}/${name}`);
  }
});

test('what a rule can report on is a trigger', () => {
  for (const text of [
    'x = "cuda:1"\n',
    'with tf.device("/Gpu:0"): pass\n',
    'from torch import load\n',
    'torch_load = getattr(torch, "load")\n',
    'torch.save(model, path)\n',
    'x.to(1)\n',
    'x.to(\n    0,\n)\n',
    'x.to(device=0)\n',
    'rank: int = 0\nx.to(rank)\n',
    'self.rank, size = 1, 2\nx.to(self.rank)\n',
    'pipeline("text-generation", device=0)\n',
    'Trainer(devices=[0, 1])\n',
    'nn.DataParallel(model, [0])\n',
    'f"""{x.to(0)}"""\n',
    '"""Doc."""; x.cuda()\n',
    '# gpu-doctor: ignore\n',
  ])
    assert.ok(isTriggered(text), text);
  assert.ok(isTriggered('restore(path)\n', ['restore']));
});

test('comments, docstrings and other words are no triggers', () => {
  for (const text of [
    '"""Loads on cuda:0."""\nimport torch\n',
    "def f():\n    r'''load\n    cuda'''\n    return 1\n",
    'x = 1  # cuda\n',
    'model.load_state_dict(state)\nmodel.save_pretrained(path)\n',
    'x.to(device)\ny = x.to(x.dtype)\n',
    'def f(rank=0):\n    x.to(rank)\n',
    'reload(x)\n',
  ])
    assert.ok(!isTriggered(text), text);
  assert.ok(!isTriggered('restored(path)\n', ['restore']));
});

test('code is what is left without remarks', () => {
  const cases: [text: string, code: string][] = [
    ['a = "#"  # b\n', 'a = "#"     \n'],
    ['"a"\n"b" # c\nx = "d"\n', '   \n       \nx = "d"\n'],
    ['f(\n"a"\n)\n', 'f(\n"a"\n)\n'],
    ['"a" "b"\n', '"a" "b"\n'],
    ['"a".join(x)\n', '"a".join(x)\n'],
    ['x = \\\n"a"\n', 'x = \\\n"a"\n'],
    ['"""a\n\\"""b"""\r\nx\r\n', '             \r\nx\r\n'],
    ["x = 'it\\'s' # y\r'z'\r", "x = 'it\\'s'    \r   \r"],
    ['"""never closed # x\ncuda\n', '"""never closed    \ncuda\n'],
    ['s = "not closed # x\ncuda\n', 's = "not closed    \ncuda\n'],
    ['b"a"\n', 'b   \n'],
  ];
  for (const [text, code] of cases) assert.equal(codeBytes(Buffer.from(text)).toString(), code, text);
});
