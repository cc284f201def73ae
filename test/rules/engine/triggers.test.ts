import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../../../server/src/rules/engine/code.ts';
import { hasTrigger } from '../../../server/src/rules/engine/triggers.ts';
import { verdictFixtures } from '../fixtures.ts';

test('every fixture in which something is found has a trigger', () => {
  for (const { rule, name, source, expected } of verdictFixtures()) {
    if (source.kind === 'notebook' || expected.length === 0) continue;
    // The comments say what is expected, and may hold any word.
    const text = source.cells[0]?.text.replace(/#:.*$/gm, '') ?? '';
    assert.ok(hasTrigger(text), `${rule}/${name}`);
  }
});

test('what a rule can report on is a trigger', () => {
  for (const text of [
    'x = "cuda:1"\n',
    'with tf.device("/Gpu:0"): pass\n',
    'from torch import load\n',
    'torch_load = getattr(torch, "load")\n',
    'torch.save(model, path)\n',
    "torch.device('cuda')\n",
    'x.to("/GPU" ":0")\n',
    'x.to("cuda:" "1")\n',
    'x.cuda()\n',
    'move = x.cuda\nmove()\n',
    'torch.cuda.synchronize()\n',
    'torch.cuda\\\n.synchronize()\n',
    'torch.cuda. \\\n    current_device()\n',
    'gpu = torch.cuda\ngpu.synchronize()\n',
    'from torch import cuda as gpu\ngpu.synchronize()\n',
    'from torch.cuda import synchronize\n',
    'import torch.cuda as gpu\n',
    'x = torch.cuda.FloatTensor(2)\n',
    'x.type("torch.cuda.FloatTensor")\n',
    'os.environ["CUDA_VISIBLE_DEVICES"] = "0"\n',
    'os.environ.update(CUDA_VISIBLE_DEVICES="0")\n',
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
    assert.ok(hasTrigger(text), text);
  assert.ok(hasTrigger('restore(path)\n', ['restore']));
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
    'use_cuda = torch.cuda.is_available()\nif use_cuda:\n    torch.cuda.empty_cache()\n',
    'class GPUStats:\n    num_gpus = 0\n',
    'offload_to_cpu(gpu=gpu)\n',
  ])
    assert.ok(!hasTrigger(text), text);
  assert.ok(!hasTrigger('restored(path)\n', ['restore']));
});

test('code is what is left without remarks', () => {
  const cases: [text: string, code: string][] = [
    ['a = "#"  # b\n', 'a = "#"  \n'],
    ['"a b"\n"c" # d\nx = "e"\n', '""\n"c" \nx = "e"\n'],
    ['EXAMPLE = """\n>>> pipe.to("cuda")\n"""\n', 'EXAMPLE = ""\n'],
    ['raise ValueError("no \\"GPU\\" here" f"{x.cuda()} or there")\n', 'raise ValueError("" f"{x.cuda()} or there")\n'],
    ['"""a\n\\"""b"""\r\nx\r\n', '""\r\nx\r\n'],
    ['x = """a""" + """b\\\\""" + """c d\\\\\\""""\n', 'x = """a""" + """b\\\\""" + ""\n'],
    ["x = 'it\\'s' # y\r'z'\r", "x = 'it\\'s' \r'z'\r"],
    ['s = "not closed # x\ncuda\n', 's = "not closed \ncuda\n'],
    ['s = "goes on \\\r\nhere" + x("cuda")\n', 's = "" + x("cuda")\n'],
    ['b"a c"\n', 'b""\n'],
  ];
  for (const [text, code] of cases) assert.equal(codeOf(text), code, text);
});

test('where strings cannot be told from code, all of a text is code', () => {
  for (const text of [
    'x = 1  # a\n"""never closed # x\ncuda\n',
    'x = "a b"\ny = f"""{d["""a b"""]} # """\n',
    'f"{d["a b"]}"\n',
    'f"{\n"a"}" + y(cuda, "b")\n',
  ])
    assert.equal(codeOf(text), text, text);
  const formatted = 'rf"{{ {d[\'k\']:{w}} }}" f"{x:{y}}" f"{{" # a\n';
  assert.equal(codeOf(formatted), formatted.replace('# a', ''));
});

test('a long line is read once', () => {
  for (const text of [`x = [${'"a",'.repeat(500_000)}]`, `x = "${"\\'a".repeat(1_000_000)}"`])
    assert.equal(codeOf(text), text);
});
