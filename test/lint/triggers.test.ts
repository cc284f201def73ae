import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasTrigger } from '../../server/src/lint/triggers.ts';
import { codeOf } from '../../server/src/rules/engine/code.ts';
import { verdictFixtures } from '../rules/fixtures.ts';

test('every fixture with findings has a trigger', () => {
  for (const { rule, name, source, expected } of verdictFixtures()) {
    if (source.kind === 'notebook' || expected.length === 0) continue;
    // The comments state the expected verdicts and may contain any word.
    const text = source.cells[0]?.text.replace(/#:.*$/gm, '') ?? '';
    assert.ok(hasTrigger(text), `${rule}/${name}`);
  }
});

test('every name that a rule can report is a trigger', () => {
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
    'x.to(  # the second one\n    1)\n',
    'x.to("/GPU"  # any\n     ":0")\n',
    'x = (torch.cuda.  # now\n     current_device())\n',
    'device = "cuda" if name == "cuda" else "cpu"\n',
    'x = torch.zeros(3)\nx.to(device)  # moved\n',
    'self.x = (  # new\n    torch\n    .zeros(3)\n)\nself.x.to(device); y()\n',
    'x: Tensor = y = torch.ones(3)\nx.half()\n',
    'x, y = a(), torch.ones(3)\ny.float()\n',
    'if (x := torch.ones(3)): x.cpu()\n',
    'from torch import ones as new\nx = new(3)\nx.to(a(")"))\n',
    'new = torch.ones\nx = new(3)\nx.to(\n    device\n)\n',
    'x, y = [a(1, 2),\n torch.ones(3)]\ny.float()\n',
    'x, y = z = (a, torch.ones(3))\ny.float()\n',
    'x, y = (\n    a(")"),\n    torch.ones(3),\n)\ny.float()\n',
    'made = torch.ones\nnew = made\nx, y = new(3), new(4)\nx.to(device)\n',
    'loader = DataLoader(data)\nfor i, (x, y) in enumerate(loader):\n    x.to(device)\n',
    'loader = DataLoader(data)\nfor x, y in loader:\n    x.to(device)\n',
    'from transformers import AutoModel\nAutoModel.from_pretrained("folder")\n',
    'from transformers import TrainingArguments as A\nA("out", fp16=True)\n',
    '# gpu-doctor: ignore\n',
    'for kind in ["cpu", "cuda"]: x.to(kind)\n',
    'if a: y = [x.to(kind) for kind in ("cpu", "cuda")]\n',
    'for kind in "cpu", "cuda": x.to(kind)\n',
    'x = {"device": "cuda"}\n',
    'x = {"cuda", "cpu"}\n',
    'torch_module = getattr(torch.cuda, name)\n',
    'from keras.saving import load_model\n',
    'f"""Use {x.to("cuda")} or\n"""\n',
  ])
    assert.ok(hasTrigger(text), text);
  assert.ok(hasTrigger('restore(path)\n', ['restore']));
});

test('comments, docstrings and other words are not triggers', () => {
  for (const text of [
    '"""Loads on cuda:0."""\nimport torch\n',
    "def f():\n    r'''load\n    cuda'''\n    return 1\n",
    'x = 1  # cuda\n',
    'model.load_state_dict(state)\nmodel.save_pretrained(path)\n',
    'x.to(device)\ny = x.to(x.dtype)\n',
    'def f(rank=0):\n    x.to(rank)\n',
    'reload(x)\n',
    'net = Net(torch.ones(3))\nnet.to(device)\n',
    'x = torch.ones(3)\nf(\n    x.to(device), y\n)\n',
    'x, y = prepare(model, torch.ones(3))\nx.to(device)\n',
    'new = Model\nx = new(torch.ones(3))\nx.to(device)\n',
    'loader = DataLoader(data)\nfor x in net.parameters():\n    net.to(device)\n',
    'for x in DataLoader.list():\n    y.to(device)\n',
    'class Net(Base): pass\nNet.from_pretrained("folder")\n',
    'from transformers import TrainingArguments\nTrainingArguments("out", bf16=True)\n',
    'from torch import load_all as load, Tensor\nx: Tensor = load(f)\n',
    'use_cuda = torch.cuda.is_available()\nif use_cuda:\n    torch.cuda.empty_cache()\n',
    'class GPUStats:\n    num_gpus = 0\n',
    'offload_to_cpu(gpu=gpu)\n',
    'if x.device.type == "cuda" or kind != "cuda": pass\n',
    'if kind in ["xpu", "cuda"] or kind not in ("cuda",): pass\n',
    'if hasattr(torch.backends, "cuda") and name.startswith("cuda"): pass\n',
    'x = {"cuda": 1, "cpu": 2}\ny = {\n    ("cuda", 8): [1],\n    ("cuda", None): [2],\n}\n',
    'class Net(Base):\n    def cuda(self): return torch.version.cuda\n',
    'module = getattr(torch, kind(), torch.cuda)\n',
    'load_model = Net.read(path)\n',
    'f"""Use it with:\n{code}.to("cuda")\n"""\n',
    'Net.from_pretrained("folder", device_map={"": "cpu", "head": kind}, layers=2)\nkinds = 2\n',
    'kind = "MULTI_GPU"\nname = "fbd_cuda"\nplace = "gpu"\n',
  ])
    assert.ok(!hasTrigger(text), text);
  assert.ok(!hasTrigger('restored(path)\n', ['restore']));
});

test('names reached through an import are triggers', () => {
  for (const text of [
    'import torch\ntorch.load(f)\n',
    'import torch as th, json\nth . load(f)\n',
    'try: import torch.jit as j\nexcept ImportError: j = None\nj.load(f)\n',
    'from torch import (  # both\n    jit as j,\n    nn,\n)\nj.load(f)\n',
    'from torch \\\n    import nn, \\\n    save as keep\nkeep(x, f)\n',
    'from torch.serialization import load\n',
    'import torch.serialization as s\ns.load(f)\n',
    'import torch\nclass A:\n    library = torch\n    def f(self): self.library.load(f)\n',
    'import torch\npack = torch.jit\npack.load(f)\n',
    'from torch import jit\nj = jit if x else y\nj.load(f)\n',
    'import torch\nread = torch.load\n',
    'import torch\nread = torch.load if x else y\n',
    'import torch\nread = partial(torch.load, f)\n',
    'import numpy as np\ntry:\n    import torch as np\nexcept ImportError: pass\nnp.load(f)\n',
    'from .common import *\nload(f)\n',
    'from lightning.pytorch.utilities.cloud_io import load\n',
    'import tensorflow.compat.v1 as tf\ntf.saved_model.load(f)\n',
    'from safetensors import safe_open as so\n',
    'import safetensors.torch\nsafetensors.torch.load_file(f)\n',
    'class Net(Base): pass\nNet.load_from_checkpoint(f)\n',
  ])
    assert.ok(hasTrigger(text), text);
});

test("a name that only equals a library function's is not a trigger", () => {
  for (const text of [
    'import json\nimport torch\nx = torch.tensor(json.load(f))\n',
    'import torch\nimport triton.language as tl\ntl.load(p)\n',
    'from torch import Tensor, nn\ndef load(x: Tensor) -> nn.Module: return x\nload(y)\n',
    'import torch.nn as nn\nclass A(nn.Module):\n    def save(self): self.model.save(f)\n',
    'from lightning.fabric.utilities.load import _lazy_load as load\nload(f)\n',
    'from .torch import load\nload(f)\n',
    'names = ["torch"]\nload(names)\n',
  ])
    assert.ok(!hasTrigger(text), text);
});

test('code is the text without comments', () => {
  const cases: [text: string, code: string][] = [
    ['a = "#"  # b\n', 'a = "#"  \n'],
    ['"a b"\n"c" # d\nx = "e"\n', '""\n"c" \nx = "e"\n'],
    ['EXAMPLE = """\n>>> pipe.to("cuda")\n"""\n', 'EXAMPLE = ""\n'],
    ['raise ValueError("no \\"GPU\\" here" f"{x.cuda()} or there")\n', 'raise ValueError("" f"{x.cuda()}")\n'],
    ['f"""\n>>> pipe.to("cuda") {{x}}\n{a:{w}} {b["c"]}\n"""\n', 'f"{a:{w}}{b["c"]}"\n'],
    ['f"cuda:{i}" f"cuda:{i if x else 0}" f"cuda: {i}"\n', 'f"cuda:{i}" f"cuda:{i if x else 0}" f"{i}"\n'],
    ['"""a\n\\"""b"""\r\nx\r\n', '""\r\nx\r\n'],
    ['x = """a""" + """b\\\\""" + """c d\\\\\\""""\n', 'x = """a""" + """b\\\\""" + ""\n'],
    ["x = 'it\\'s' # y\r'z'\r", "x = 'it\\'s' \r'z'\r"],
    ['s = "not closed # x\ncuda\n', 's = "not closed \ncuda\n'],
    ['s = "goes on \\\r\nhere" + x("cuda")\n', 's = "" + x("cuda")\n'],
    ['b"a c"\n', 'b""\n'],
  ];
  for (const [text, code] of cases) assert.equal(codeOf(text), code, text);
});

test('a text in which strings cannot be recognized is treated as code', () => {
  for (const text of [
    'x = 1  # a\n"""never closed # x\ncuda\n',
    'x = "a b"\ny = f"""{d["""a b"""]} # """\n',
    'f"{d["a b"]}"\n',
    'f"{\n"a"}" + y(cuda, "b")\n',
  ])
    assert.equal(codeOf(text), text, text);
  const formatted = 'rf"{{{d[\'k\']:{w}}}}" f"{x:{y}}" f"{{" # a\n';
  assert.equal(codeOf(formatted), formatted.replace('# a', ''));
});

test('a long line is scanned once', () => {
  assert.ok(
    !hasTrigger(`x.to(${'# '.repeat(100_000)}\n  y)\nimport torch\ntorch.tensor(load(${'(torch.x, '.repeat(50_000)}`),
  );
  for (const text of [`x = [${'"a",'.repeat(500_000)}]`, `x = "${"\\'a".repeat(1_000_000)}"`])
    assert.equal(codeOf(text), text);
});
