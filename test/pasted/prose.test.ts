/**
 * Machines that people describe in prose: reported facts are known; wishes, examples and facts about other machines are
 * not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { plainText } from '../../server/src/explain/reading/plainText.ts';
import { factsOfText } from '../../server/src/pasted/factsOfText.ts';
import { type Fact, knownValue, type Package, type StackFacts } from '../../server/src/stack/facts/facts.ts';

const read = (text: string): StackFacts | undefined => factsOfText(plainText(text));

/** All reported facts, such as "torch 1.7.1+cu110"; nothing for a text without a machine. */
function reportedIn(text: string): string {
  const facts = read(text);
  if (facts === undefined) return '';
  const {
    os,
    interpreter,
    gpus,
    otherAccelerators,
    driver,
    toolkits,
    frameworks,
    packages,
    variables,
    runtime,
    loadedCudnn,
  } = facts;
  const python = knownValue(interpreter)?.version;
  const installed: Fact<Package | null>[] = [
    frameworks.torch,
    frameworks.tensorflow,
    frameworks.jax,
    frameworks.keras,
    frameworks.torchvision,
    frameworks.onnxruntime,
  ];
  const see = [runtime.torch, runtime.tensorflow].flatMap((fact) => knownValue(fact)?.available ?? []);
  return [
    knownValue(os)?.family,
    python && `python ${python}`,
    ...installed.map((fact) => knownValue(fact)).map((build) => build && `${build.name} ${build.version}`),
    ...(knownValue(packages) ?? []).map(({ name, version }) => `${name} ${version}`),
    ...(knownValue(gpus) ?? []).map(({ name }) => name),
    ...(knownValue(otherAccelerators) ?? []).flatMap(({ devices }) => devices.map(({ name }) => name)),
    knownValue(driver) && `driver ${knownValue(driver)}`,
    ...(knownValue(toolkits) ?? []).map(({ version }) => `CUDA ${version}`),
    knownValue(loadedCudnn.tensorflow) && `cuDNN ${knownValue(loadedCudnn.tensorflow)?.version}`,
    ...see.map((available) => `sees ${available ? 'GPUs' : 'no GPU'}`),
    ...Object.entries(knownValue(variables) ?? {}).map(([name, value]) => `${name}=${value}`),
  ]
    .filter(Boolean)
    .join(', ');
}

const REPORTED: readonly (readonly [how: string, text: string, told: string])[] = [
  [
    'in one line',
    'Ubuntu 20.04, RTX 3090, CUDA 11.1, torch 1.7.1+cu110, Python 3.8, driver 455.23',
    'linux, python 3.8, torch 1.7.1+cu110, RTX 3090, driver 455.23',
  ],
  [
    'in one line with labels',
    'I. device: rtx 3090, driver version: 515.86.01, cuda version: 11.7, python version=3.8.16',
    'python 3.8.16, RTX 3090, driver 515.86.01',
  ],
  [
    'with the CUDA next to the framework and nothing about the machine',
    'tensorflow-gpu 1.13.1, CUDA 10.0, cuDNN 7.4',
    'tensorflow 1.13.1, CUDA 10.0, cuDNN 7.4',
  ],
  [
    'in the sentence after the author mentions himself',
    'My pytorch does not use the GPU. It is a GTX 1080 with driver 390.77, and torch 1.13.',
    'torch 1.13, GTX 1080, driver 390.77',
  ],
  [
    "and not the documentation's requirements",
    'I have torch 1.13 here. The documentation says that torch 2.0 needs driver 450.80.',
    'torch 1.13',
  ],
  [
    'one below the other without labels',
    'Config:\n```\nUbuntu 20.04\nNvidia RTX 3060\nPython 3.8\nNvidia driver 515\nCuda 11.7\n```',
    'linux, python 3.8, Nvidia RTX 3060, driver 515',
  ],
  [
    "in PyTorch's old form",
    '## Environment\n\n - PyTorch Version (e.g., 1.0): 1.4.0\n - OS (e.g., Linux): ArchLinux x86_64\n - How you installed PyTorch (`conda`, `pip`, source): source\n - Python version: 3.8\n - GPU models and configuration:',
    'linux, python 3.8, torch 1.4.0',
  ],
  [
    "in TensorFlow's form",
    '**System information**\n- OS Platform and Distribution (e.g., Linux Ubuntu 16.04):  windows 10\n- TensorFlow version (use command below): 2.7.0\n- Python version: 3.9.8\n- CUDA/cuDNN version:  cuda11.5/cudnn8.3\n- GPU model and memory:  RTX3060TI 8G',
    'windows, python 3.9.8, tensorflow 2.7.0, RTX 3060 Ti, CUDA 11.5, cuDNN 8.3',
  ],
  [
    'in bold',
    '**PyTorch version**: 1.7.1\n**OS**: CentOS 7\n**Python version**: 3.6',
    'linux, python 3.6, torch 1.7.1',
  ],
  [
    'below headings',
    '### PyTorch version\n\n1.7.1\n\n### OS\n\nWindows 10\n\n### GPU\n\n_No response_',
    'windows, torch 1.7.1',
  ],
  [
    'by a custom program',
    'python_version:       3.10.0\ntorch_version:        1.13.1+cpu\nplatform:             win32\n',
    'windows, python 3.10.0, torch 1.13.1+cpu',
  ],
  [
    'in a sentence',
    'My system is Ubuntu 16.04 ,NVIDIA driver 384.111 cuda9.1 and GTX 1080 ti.',
    'linux, GTX 1080 Ti, driver 384.111',
  ],
  [
    'in several sentences',
    'I am using CUDA version 10.0 and torch version 1.5.0. I have 2 GTX 1070 GPUs.',
    'torch 1.5.0, GTX 1070',
  ],
  [
    'next to attempted fixes',
    'I run it with Python 3.9.7, tensorflow 2.5 (tried also with 2.7) on my GeForce 960m.',
    'python 3.9.7, tensorflow 2.5, GTX 960M',
  ],
  [
    'in one Python command',
    'PS C:\\Users\\me> python -c "import torch; print(torch.__version__, torch.cuda.is_available())"\n2.1.0+cpu False\n',
    'windows, torch 2.1.0+cpu, sees no GPU',
  ],
  [
    'in several Python statements',
    '```python\nimport torch\nprint(torch.__version__)\nprint(torch.version.cuda)\nprint(torch.cuda.is_available())\nprint(torch.cuda.get_device_name(0))\n```\nOutput:\n```\n1.12.1+cu113\n11.3\nTrue\nNVIDIA A100-SXM4-40GB\n```',
    'torch 1.12.1+cu113, NVIDIA A100-SXM4-40GB, sees GPUs',
  ],
  [
    'in Python before and after an update; the result without a GPU counts',
    '>>> print(torch.__version__)\n1.0.0\n>>> torch.cuda.is_available()\nTrue\n>>> exit()\nthen I updated:\n>>> print(torch.__version__)\n1.2.0\n>>> torch.cuda.is_available()\nFalse\n',
    'torch 1.2.0, sees no GPU',
  ],
  [
    'in Python before and after a fix; the result without a GPU counts',
    '>>> torch.__version__\n1.13.1\n>>> torch.cuda.is_available()\nFalse\n>>> torch.__version__\n2.0.1\n>>> torch.cuda.is_available()\nTrue\n',
    'torch 1.13.1, sees no GPU',
  ],
  [
    'by the arguments of pip before torch was imported',
    '$ pip install torch===1.3.0 torchvision===0.4.1 -f https://download.pytorch.org/whl/torch_stable.html\n$ python3\nPython 3.7.5 (default, Oct 25 2019, 15:51:11)\n[GCC 7.3.0] :: Anaconda, Inc. on linux\n>>> import torch\n\nnvidia driver is 410.48',
    'linux, python 3.7.5, torch 1.3.0, driver 410.48',
  ],
  [
    'by the arguments of a failed pip',
    '$ pip install torch==1.3.0\nERROR: No matching distribution found for torch==1.3.0\n$ python3\nPython 3.12.1 (main, Oct 25 2024, 15:51:11)\n[GCC 7.3.0] on linux\n>>> import torch\n',
    'linux, python 3.12.1',
  ],
  [
    'by the arguments of pip, repeated',
    'pip install torch==2.0.1\npip install torch==2.1.0\n>>> import torch\n[pip3] numpy==1.26.4\nDriver: 535.54\nGPU: RTX 3090',
    'RTX 3090, driver 535.54',
  ],
  [
    'by the build in quotation marks of an interface',
    'I have an RTX 2060 6Gb, the System Info says "2.0.0+cpu Autocast half".\nOS: Win10 Pro x64',
    'windows, torch 2.0.0+cpu, RTX 2060',
  ],
  [
    'by the build of another package in quotation marks',
    'I have an RTX 2060 6Gb, torchvision says "0.15.1+cpu".',
    'RTX 2060',
  ],
  ['in fragments without a subject', 'the version torch is 2.0.1\ncuda is 11.8', 'torch 2.0.1'],
  [
    'by the last part of collect_env',
    'Versions of relevant libraries:\n[pip3] numpy==2.2.6\n[pip3] torch==2.10.0.dev20250929+rocm7.0\n[pip3] torchvision==0.25.0.dev20250930+rocm7.0\n',
    'torch 2.10.0.dev20250929+rocm7.0, torchvision 0.25.0.dev20250930+rocm7.0, numpy 2.2.6',
  ],
  ['with a server GPU', 'I am using a Tesla K40m, installed pytorch 1.3 with conda.', 'torch 1.3, Tesla K40m'],
  [
    'by the image of its container',
    'docker run --gpus all -it pytorch/pytorch:1.6.0-cuda10.1-cudnn7-devel bash\nGPU: RTX 3080',
    'linux, torch 1.6.0, RTX 3080',
  ],
  [
    'by an image with another torch installed',
    'FROM pytorch/pytorch:1.6.0-cuda10.1-cudnn7-devel\nGPU: RTX 3080\ntorch: 1.9.0',
    'linux, torch 1.9.0, RTX 3080',
  ],
  [
    'by two images',
    'pytorch/pytorch:1.6.0-cuda10.1-cudnn7-devel fails, pytorch/pytorch:1.9.0-cuda11.1-cudnn8-devel as well\nGPU: RTX 3080\nDriver: 455.32',
    'RTX 3080, driver 455.32',
  ],
  ['by a cloud instance type', 'I use an AWS g4dn.xlarge with torch 1.5.0', 'torch 1.5.0, Tesla T4'],
  ['by two instance types', 'My torch 1.5.0 works on a p3.2xlarge and fails on a g4dn.xlarge', 'torch 1.5.0'],
  [
    'by a requested nvidia-smi table',
    'name, driver_version, memory.total [MiB]\nNVIDIA A100-SXM4-80GB, 450.142.00, 81251 MiB\nNVIDIA A100-SXM4-80GB, 450.142.00, 81251 MiB\n',
    'NVIDIA A100-SXM4-80GB, NVIDIA A100-SXM4-80GB, driver 450.142.00',
  ],
  [
    'by a table header without a table',
    'name, driver_version\nwhat is meant by these, and by torch 1.5.0?\nMy GPU is an RTX 3080.',
    'RTX 3080',
  ],
  [
    "by NVIDIA's sample",
    'Device 0: "GeForce GTX 1080 Ti"\n  CUDA Driver Version / Runtime Version          10.1 / 10.0\n  CUDA Capability Major/Minor version number:    6.1\n',
    'GeForce GTX 1080 Ti',
  ],
  [
    "by torch's build information",
    ">>> torch.__version__\n'1.10.0'\n>>> torch.cuda.get_arch_list()\n['sm_37', 'sm_50', 'sm_60', 'sm_70']\n>>> torch.cuda.get_device_capability()\n(8, 6)\n",
    'torch 1.10.0, GPU',
  ],
  [
    "by TensorFlow's answers",
    ">>> import tensorflow as tf\n>>> tf.__version__\n'2.10.0'\n>>> tf.config.list_physical_devices('GPU')\n[]\n",
    'tensorflow 2.10.0, sees no GPU',
  ],
  [
    "by Python's startup message",
    'Python 3.7.5 (default, Oct 25 2019, 15:51:11)\n[GCC 7.3.0] :: Anaconda, Inc. on linux\n>>> import torch\n',
    'linux, python 3.7.5',
  ],
  [
    'by pip, which finds it installed',
    'Requirement already satisfied: torch>=1.7.0 in /home/u/lib/python3.10/site-packages (from -r requirements.txt (line 4)) (1.13.1)\nRequirement already satisfied: torchvision>=0.8.1 in /home/u/lib/python3.10/site-packages (0.14.1)\n',
    'linux, python 3.10, torch 1.13.1, torchvision 0.14.1',
  ],
  [
    'by the kernel',
    'NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.57.02  Tue Jul 13 16:14:05 UTC 2021\n',
    'linux, driver 470.57.02',
  ],
  [
    "by Debian's list",
    'ii  nvidia-driver-390    390.48-0ubuntu3    amd64    NVIDIA driver metapackage\n',
    'linux, driver 390.48',
  ],
  [
    'by the first line of YOLOv5',
    'YOLOv5 v4.0-21-gb26a2f6 torch 1.7.0+cu101 CUDA:0 (Tesla T4, 15079.75MB)',
    'torch 1.7.0+cu101, Tesla T4',
  ],
  [
    'with variables',
    'torch: 1.9.0\nPython: 3.8\n$ echo $LD_LIBRARY_PATH\n/usr/local/cuda-11.2/lib64\n$ CUDA_VISIBLE_DEVICES=1 python train.py\n',
    'linux, python 3.8, torch 1.9.0, LD_LIBRARY_PATH=/usr/local/cuda-11.2/lib64, CUDA_VISIBLE_DEVICES=1',
  ],
  [
    "by the first line of Stable Diffusion's web interface",
    'Python 3.8.10 (tags/v3.8.10:3d8993a, May  3 2021, 11:48:03) [MSC v.1928 64 bit (AMD64)]\nCommit hash: be1596ce\n',
    'windows, python 3.8.10',
  ],
  [
    "in ONNX Runtime's form",
    '- OS Platform and Distribution: Ubuntu 20.04\n- ONNX Runtime version: 1.10.0\n- ONNX version: 1.10.2\n- Python version: 3.7\n',
    'linux, python 3.7, onnxruntime 1.10.0, onnx 1.10.2',
  ],
  [
    'by the builds of a list',
    'Ubuntu20.04\nGTX3080\n# Name                    Version                   Build  Channel\ncertifi                   2021.5.30        py37h89c1867_0    conda-forge\ncudatoolkit               11.0.221             h6bb024c_0    anaconda\n',
    'linux, python 3.7, RTX 3080',
  ],
  [
    'by lsb_release and nvcc',
    'python --version\nPython 3.6.9\nDescription:\tUbuntu 18.04.4 LTS\nnvcc version 11.6.55\n',
    'linux, python 3.6.9, CUDA 11.6.55',
  ],
  [
    'after the problem',
    "I can't compile it, my environment is pytorch 1.12 and my GPU (NVIDIA 4070 Super) idles.",
    'torch 1.12, RTX 4070 Super',
  ],
  [
    'with an AMD card',
    'I have an AMD rx6700xt on Ubuntu 22.04 with torch 2.4.1+cpu and it does not use my GPU.',
    'linux, torch 2.4.1+cpu, Radeon RX 6700 XT',
  ],
  [
    "with an NVIDIA card, and a friend's AMD card",
    "It works on my friend's RX 6800, but on my RTX 3060 with torch 2.4.1+cpu it fails.",
    'torch 2.4.1+cpu, RTX 3060',
  ],
  [
    'with two NVIDIA cards next to an AMD card',
    'Here are an RTX 3060, an RTX 3090 and an RX 6800, and torch 2.4.1+cpu sees none.',
    'torch 2.4.1+cpu',
  ],
  [
    'with a question about AMD cards',
    'I have torch 2.4.1+cpu. Does this support cards like the RX 6800?',
    'torch 2.4.1+cpu',
  ],
  [
    'and another machine below',
    'torch: 1.9.0\nPython: 3.8\nIt is the same on\ntorch: 1.13.1\nGPU: RTX 4090\n',
    'python 3.8, torch 1.9.0',
  ],
];

test('facts that people write about a machine are known, in any wording', () => {
  for (const [how, text, reported] of REPORTED) assert.equal(reportedIn(text), reported, how);
});

const QUIET: readonly (readonly [how: string, text: string])[] = [
  [
    'an empty form',
    '- OS Platform and Distribution (e.g., Linux Ubuntu 16.04):\n- TensorFlow version:\n- Python version:\n- CUDA/cuDNN version:\n- GPU model and memory:\n',
  ],
  ['a comment of the form', '<!-- e.g. PyTorch: 1.7.1, Python: 3.8, OS: Windows -->\n'],
  ['unchecked boxes', '- [ ] PyTorch: 1.7.1\n- [ ] Python: 3.8\n'],
  ["other people's machines", 'I saw in your README:\n\n- Python 3.6\n- PyTorch 0.4.1\n- CUDA 9.0\n'],
  ["a project's requirements", 'Requirements:\n- Python 3.8\n- PyTorch 1.9\n'],
  ['an environment to be created', 'dependencies:\n  - python=3.8\n  - pytorch=1.9\n  - cudatoolkit=11.1\n'],
  ['only a framework', 'tensorflow-gpu 1.13.1\n'],
  ['only a CUDA version', 'CUDA 10.0, cuDNN 7.4\n'],
  ['pins', 'torch==1.9.0\ntorchvision==0.10.0\n'],
  ['a wish', 'I want to use torch 1.9.0 with my old code. Should I install torch 2.0?'],
  [
    'several cases',
    '**Case 1**\n  **windows 10**\n   `nvidia-smi`  nvidia driver version 550.x  cuda 12.4\n**Case 2**\n **ubuntu 24.04**\n  `nvidia-smi`  nvidia driver version 565.x  cuda 12.7\n',
  ],
  ['a configuration that works elsewhere', 'It works with torch 1.9.0 and a GTX 1080 Ti on my old machine.'],
  ["torch's release notes", 'In PyTorch 2.6, we changed the default value of `weights_only` to True.'],
  ['configurations that work for others', 'I got this working using torch 2.7.0, it is up and running on my RTX 5090.'],
  ["an author's setup", 'In this repo we used pytorch 0.3 and python 3.6.'],
  [
    'a configuration that works since then',
    'I have solved it in a new environment with python 3.11 and pytorch 2.1.0.',
  ],
  ['two versions', 'I have torch 1.9.0 here, and I have torch 1.13.1 there.'],
  ['two versions of one package', 'My torch is 2.0.0 and 2.0.1, and Python is 3.7 on my laptop, and 3.9 on my PC.'],
  ["a message's requirements", 'For debugging consider passing CUDA_LAUNCH_BLOCKING=1.\n'],
  ['code', "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '2'\n"],
  ['a log that begins with an I', '2021-01-13 04:15:38: I tensorflow/core/platform: torch 1.9.0 my\n'],
  ["torch's description of itself", 'In PyTorch 2.6, we changed the default value of the `weights_only` argument.\n'],
];

test("other things, and other people's machines, are not treated as the author's machine", () => {
  for (const [how, text] of QUIET) assert.equal(reportedIn(text), '', how);
});

test('a variable with two values is unknown', () => {
  const form = 'torch: 1.9.0\nPython: 3.8\n';
  const set = (value: string) => `CUDA_VISIBLE_DEVICES=${value} python train.py\n`;
  assert.match(reportedIn(form + set('1')), /CUDA_VISIBLE_DEVICES=1/);
  assert.doesNotMatch(reportedIn(form + set('1') + set('0')), /CUDA_VISIBLE_DEVICES/);
});

test('a mentioned GPU does not give the number of GPUs', () => {
  const form = 'OS: Ubuntu 20.04\ntorch: 2.1.0+cu121\nGPU: RTX 3090\n$ CUDA_VISIBLE_DEVICES=1 python train.py\n';
  assert.deepEqual(judgeStack(read(form) as StackFacts), []);
  assert.match(reportedIn(form.replace('=1', '=0')), /CUDA_VISIBLE_DEVICES=0/);
});

test('a torch without a tag next to a CUDA that it has a build for may be that build', () => {
  const cudaOf = (cuda: string) => {
    const facts = read(`OS: Ubuntu 20.04\ntorch: 1.10.0\nGPU: RTX 3090\nCUDA: ${cuda}\n`);
    return facts && knownValue(facts.frameworks.torch)?.cuda;
  };
  assert.equal(cudaOf('12.2'), '10.2');
  assert.equal(cudaOf('11.3'), null);
});

test('a GPU that someone mentions is not assumed if a program says why it sees none', () => {
  const text = 'OS: Ubuntu 20.04\ntorch: 2.1.0+cu121\nGPU: RTX 3090\n';
  const failing =
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n";
  const verdicts = (written: string) => judgeStack(read(written) as StackFacts).map(({ id }) => id);
  assert.deepEqual(verdicts(text), []);
  assert.deepEqual(verdicts(text + failing), verdicts(`torch: 2.1.0+cu121\nOS: Ubuntu 20.04\n${failing}`));
});

test('each fact records whether a program printed it or a person wrote it', () => {
  const facts = read('I have torch 1.9.0.\nNVRM version: NVIDIA UNIX x86_64 Kernel Module  470.57.02  Tue Jul 13\n');
  assert.equal(facts?.driver.source, '/proc/driver/nvidia/version, in the text');
  assert.equal(facts?.frameworks.torch.source, 'what its author says, in the text');
});
