/** Facts from pasted reports: reported facts are known, all others are unknown, and nothing else is concluded. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/root.ts';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { explainErrors } from '../../server/src/explain/explain.ts';
import { machineOf } from '../../server/src/explain/machineOf.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { plainText } from '../../server/src/explain/reading/plainText.ts';
import { factsOfText } from '../../server/src/pasted/factsOfText.ts';
import { asOf } from '../../server/src/published/releases/releaseData.ts';
import {
  everyFact,
  type FrameworkBuild,
  isUnknown,
  knownValue,
  type StackFacts,
} from '../../server/src/stack/facts/facts.ts';
import { factsFromJson } from '../../server/src/stack/facts/factsFromJson.ts';
import { verdictsOn } from '../stack/describedMachine.ts';

const FOLDER = path.join(root, 'test', 'pasted', 'reports');

const report = (name: string): string => readFileSync(path.join(FOLDER, `${name}.txt`), 'utf8');
const verdictsIn = (text: string): string[] => {
  const facts = read(text);
  return facts ? judgeStack(facts).map(({ id }) => id) : [];
};
const read = (text: string): StackFacts | undefined => factsOfText(plainText(text));

/** The facts in a report, in short form. A property that is absent is not reported. */
interface Reported {
  os?: string;
  wsl?: 1 | 2 | null;
  python?: string;
  conda?: true;
  /** A Jetson's model and its Linux for Tegra release. */
  board?: string;
  /** Names with compute capability. */
  gpus?: readonly string[];
  driver?: string;
  driverCuda?: string;
  toolkit?: string;
  /** Frameworks as "torch 2.5.1+cu124 cuda 12.4"; null if known not to be installed. */
  builds?: Record<string, string | null>;
  packages?: readonly string[];
  /** Torch's own report on the GPUs. */
  available?: boolean;
  verdicts?: readonly string[];
}

const REPORTED: Record<string, Reported> = {
  'collect-env-1.5': {
    os: 'linux',
    python: '3.6',
    gpus: ['Tesla P100-PCIE-16GB 6.0', 'Tesla P100-PCIE-16GB 6.0'],
    driver: '410.104',
    toolkit: '10.0.130',
    builds: { torch: 'torch 1.5.0 cuda 10.2', torchvision: 'torchvision 0.6.0' },
    packages: ['numpy 1.17.4'],
    available: false,
    verdicts: ['driver-too-old'],
  },
  'detectron2-of-conda': {
    os: 'linux',
    python: '3.9.16',
    gpus: ['NVIDIA A100-PCIE-40GB 8.0'],
    driver: '515.65.01',
    builds: { torch: 'torch 1.10.0', torchvision: 'torchvision 0.11.0' },
    packages: ['detectron2 0.6'],
    available: true,
  },
  'detectron2-without-extension': {
    os: 'linux',
    python: '3.8.16',
    gpus: ['NVIDIA T550 Laptop GPU 7.5'],
    driver: '525.105.17',
    toolkit: '10.1.243',
    builds: { torch: 'torch 1.9.0 cuda 11.1' },
    packages: ['detectron2 0.6'],
    available: true,
    verdicts: ['toolkit-of-other-cuda'],
  },
  'collect-env-driver-with-compat': {
    os: 'linux',
    wsl: null,
    python: '3.12.4',
    gpus: ['NVIDIA A10 8.6', 'NVIDIA A10 8.6'],
    driver: '470.129.06',
    toolkit: '12.2.140',
    builds: { torch: 'torch 2.4.0+cu121 cuda 12.1' },
    available: true,
  },
  'collect-env-2.5-wsl': {
    os: 'linux',
    wsl: 2,
    python: '3.12.3',
    gpus: ['NVIDIA GeForce RTX 5090 12.0'],
    driver: '572.16',
    builds: {
      torch: 'torch 2.5.1+cu124 cuda 12.4',
      torchvision: 'torchvision 0.20.1+cu124 cuda 12.4',
      torchaudio: 'torchaudio 2.5.1+cu124 cuda 12.4',
    },
    packages: ['numpy 2.1.2', 'triton 3.1.0'],
    available: true,
    verdicts: ['gpu-newer-than-build'],
  },
  'collect-env-conda-windows': {
    os: 'windows',
    wsl: null,
    python: '3.9.13',
    conda: true,
    gpus: ['NVIDIA GeForce RTX 3060 Laptop GPU 8.6'],
    driver: '512.78',
    toolkit: '11.6.55',
    builds: { torch: 'torch 1.12.1 cpu', torchvision: 'torchvision 0.13.1a0' },
    packages: ['numpy 1.21.5'],
    available: false,
    verdicts: ['cpu-only-torch'],
  },
  'vllm-0.9': {
    os: 'linux',
    wsl: null,
    python: '3.12.10',
    gpus: ['NVIDIA H100 80GB HBM3 9.0', 'NVIDIA H100 80GB HBM3 9.0'],
    driver: '550.90.07',
    toolkit: '12.8.93',
    builds: { torch: 'torch 2.7.0+cu128 cuda 12.8', torchvision: 'torchvision 0.22.0+cu128 cuda 12.8' },
    packages: [],
    available: true,
  },
  'nvidia-smi-windows': {
    os: 'windows',
    wsl: null,
    gpus: ['GeForce GTX 105... 6.1'],
    driver: '461.72',
    driverCuda: '11.2',
  },
  'nvidia-smi-580': {
    os: 'linux',
    gpus: ['NVIDIA A100-SXM4-80GB 8.0', 'NVIDIA A100-SXM4-80GB 8.0'],
    driver: '580.65.06',
    driverCuda: '13.0',
    verdicts: ['gpu-in-exclusive-mode', 'gpu-memory-nearly-full'],
  },
  'nvidia-smi-mismatch': { os: 'linux', verdicts: ['driver-library-mismatch'] },
  'pip-list': {
    os: 'linux',
    builds: {
      torch: 'torch 2.2.0 cuda 12.1',
      torchvision: 'torchvision 0.16.0',
      torchaudio: null,
      tensorflow: null,
      keras: null,
      tfKeras: null,
      jax: null,
      onnxruntime: null,
    },
    packages: [
      'accelerate 0.22.0',
      'diffusers 0.23.1',
      'flash-attn 2.3.3',
      'numpy 2.0.1',
      'transformers 4.36.0',
      'xformers 0.0.22.post7',
    ],
    verdicts: ['torchvision-of-other-release', 'packages-clash', 'packages-clash', 'built-for-other-torch'],
  },
  'conda-list': {
    os: 'linux',
    python: '3.8.13',
    conda: true,
    builds: { torch: 'torch 1.11.0 cuda 11.3', torchvision: 'torchvision 0.12.0' },
    packages: ['timm 0.6.12', 'numpy 1.22.3'],
  },
  'transformers-env': {
    os: 'linux',
    wsl: 1,
    python: '3.9.13',
    builds: { torch: 'torch 2.0.1+cu117 cuda 11.7' },
    packages: ['transformers 4.31.0', 'huggingface-hub 0.16.4', 'safetensors 0.3.1', 'accelerate 0.21.0'],
    available: false,
    verdicts: ['wsl-1'],
  },
  'accelerate-env': {
    os: 'windows',
    wsl: null,
    python: '3.10.11',
    gpus: ['NVIDIA GeForce RTX 4090 8.9'],
    builds: { torch: 'torch 2.5.1+cu121 cuda 12.1' },
    packages: ['accelerate 1.2.1', 'numpy 1.26.4'],
  },
  'tensorflow-form-2023': {
    os: 'windows',
    wsl: null,
    python: '3.11.2',
    toolkit: '11.8',
    builds: { tensorflow: 'tensorflow 2.12.0' },
    verdicts: ['tensorflow-on-windows'],
  },
  'tensorflow-form-git-version': {
    os: 'windows',
    wsl: null,
    python: '3.10.10',
    gpus: ['GTX 1050 Ti 6.1'],
    toolkit: '11.8',
    builds: { tensorflow: 'tensorflow 2.12.0' },
    verdicts: ['tensorflow-on-windows'],
  },
  'tensorflow-log-after-update': {
    driver: '384.90.0',
    verdicts: ['driver-library-mismatch'],
  },
  // Another driver branch may belong to an image's cuda-compat.
  'tensorflow-log-other-branch': { driver: '470.182.3' },
  'tensorflow-form-windows-without-gpu': {
    os: 'windows',
    wsl: null,
    python: '3.11',
    toolkit: '12.3',
    builds: { tensorflow: 'tensorflow 2.16' },
    verdicts: ['tensorflow-on-windows'],
  },
  'tensorflow-form-other-cuda': {
    os: 'linux',
    python: '3.8.10',
    gpus: ['GTX 1050 Ti 6.1'],
    toolkit: '12.0',
    builds: { tensorflow: 'tensorflow 2.13.0' },
    verdicts: ['tensorflow-without-cuda'],
  },
  // TensorFlow found its CUDA, regardless of the form.
  'tensorflow-form-that-works': {
    os: 'linux',
    python: '3.8.10',
    gpus: ['NVIDIA GeForce GTX 1050 Ti 6.1'],
    toolkit: '12.0',
    builds: { tensorflow: 'tensorflow 2.13.0 cuda 11.8' },
  },
  'tensorflow-form': {
    os: 'linux',
    python: '3.8.5',
    gpus: ['GeForce RTX 3090 8.6'],
    toolkit: '10.1',
    builds: { tensorflow: 'tensorflow 2.3.1 cuda 10.1' },
    verdicts: ['gpu-newer-than-build'],
  },
  'jax-environment': {
    os: 'linux',
    wsl: null,
    python: '3.11.7',
    gpus: ['NVIDIA L4 8.9'],
    driver: '550.54.15',
    driverCuda: '12.4',
    builds: { jax: 'jax 0.4.26' },
    packages: ['jaxlib 0.4.23', 'numpy 1.26.4'],
  },
  'ds-report': {
    os: 'linux',
    python: '3.10',
    toolkit: '12.1',
    builds: { torch: 'torch 1.13.1+cu117 cuda 11.7' },
    packages: ['deepspeed 0.8.3'],
    verdicts: ['toolkit-of-other-cuda'],
  },
  'xformers-info': {
    gpus: ['NVIDIA GeForce RTX 3090 8.6'],
    builds: { torch: 'torch 2.0.1+cu118 cuda 11.8' },
    packages: ['xformers 0.0.16'],
    verdicts: ['packages-clash'],
  },
  bitsandbytes: {
    os: 'linux',
    wsl: null,
    python: '3.11.11',
    builds: { torch: 'torch 2.6.0+cu126 cuda 12.6' },
    packages: ['bitsandbytes 0.45.5'],
  },
  openmmlab: {
    os: 'linux',
    python: '3.8.8',
    gpus: ['GeForce RTX 3090 8.6', 'GeForce RTX 3090 8.6'],
    toolkit: '10.0.130',
    builds: { torch: 'torch 1.7.1 cuda 11.0', torchvision: 'torchvision 0.8.2' },
    packages: ['mmcv-full 1.2.7'],
    available: true,
    verdicts: ['built-for-other-torch', 'toolkit-of-other-cuda', 'toolkit-older-than-gpu'],
  },
  detectron2: {
    os: 'linux',
    python: '3.7.10',
    gpus: ['Tesla T4 7.5'],
    builds: { torch: 'torch 1.8.0+cu101 cuda 10.1', torchvision: 'torchvision 0.9.0+cu101 cuda 10.1' },
    packages: ['detectron2 0.4'],
    available: true,
  },
  lightning: {
    os: 'linux',
    python: '3.9.16',
    gpus: ['NVIDIA GeForce RTX 4090 8.9', 'NVIDIA GeForce RTX 4090 8.9'],
    builds: { torch: 'torch 1.13.1 cuda 11.7', torchvision: 'torchvision 0.14.1' },
    packages: ['pytorch-lightning 2.0.1'],
    available: true,
  },
  ultralytics: {
    python: '3.10.6',
    gpus: ['NVIDIA GeForce RTX 3060 8.6', 'NVIDIA GeForce RTX 3060 8.6'],
    builds: { torch: 'torch 2.0.0+cu117 cuda 11.7' },
  },
  comfyui: {
    os: 'windows',
    wsl: null,
    python: '3.12.7',
    gpus: ['NVIDIA GeForce RTX 5080 12.0'],
    builds: { torch: 'torch 2.6.0+cu124 cuda 12.4' },
    packages: ['xformers 0.0.29.post2'],
    verdicts: ['gpu-newer-than-build'],
  },
  'openmmlab-without-cuda': {
    os: 'linux',
    python: '3.7.9',
    gpus: ['Tesla V100S-PCIE-32GB 7.0'],
    toolkit: '10.2.89',
    builds: { torch: 'torch 1.7.1 cuda 10.2' },
    packages: ['mmcv-full 1.2.6'],
    available: true,
    verdicts: ['package-without-gpu-code'],
  },
  'yolo-checks': {
    os: 'windows',
    wsl: null,
    python: '3.11.0',
    builds: { torch: 'torch 2.1.0 cpu', torchvision: 'torchvision 0.16.0' },
    packages: ['numpy 1.26.1'],
    verdicts: ['cpu-only-torch'],
  },
  form: {
    os: 'linux',
    python: '3.11.7',
    gpus: ['RTX 3090 8.6'],
    builds: { torch: 'torch 1.10.0 cuda 10.2' },
    packages: ['flash-attn 2.5.9.post1'],
    verdicts: ['gpu-newer-than-build'],
  },
  'comfyui-report': {
    os: 'windows',
    wsl: null,
    python: '3.12.9',
    gpus: ['NVIDIA GeForce RTX 5070 Ti 12.0'],
    builds: { torch: 'torch 2.6.0+cu126 cuda 12.6' },
    verdicts: ['gpu-newer-than-build'],
  },
  'pip-show': {
    os: 'windows',
    wsl: null,
    builds: { torch: 'torch 2.4.0+cu121 cuda 12.1', torchvision: 'torchvision 0.20.1+cu124 cuda 12.4' },
    packages: [],
    verdicts: ['torchvision-of-other-release'],
  },
  'xformers-warning': {
    os: 'windows',
    wsl: null,
    python: '3.10.11',
    builds: { torch: 'torch 2.5.1+cpu cpu' },
    verdicts: ['cpu-only-torch'],
  },
  'session-and-form': {
    os: 'windows',
    wsl: null,
    gpus: ['NVIDIA GeForce RTX 5080 12.0'],
    driver: '581.15',
    builds: { torch: 'torch 2.11.0 cpu' },
    verdicts: ['cpu-only-torch'],
  },
  'form-of-a-jetson': {
    os: 'linux',
    wsl: null,
    board: 'Jetson Orin Nano 36.4',
    builds: { torch: 'torch 2.6.0+cpu cpu' },
    verdicts: ['cpu-only-torch'],
  },
  'form-beside-a-jetson': {
    os: 'linux',
    gpus: ['RTX 4090 8.9'],
    builds: { torch: 'torch 2.6.0+cpu cpu' },
    verdicts: ['cpu-only-torch'],
  },
};

function reportedBy(facts: StackFacts): Reported {
  const { os, wsl, interpreter, gpus, driver, driverCuda, toolkits, packages, runtime } = facts;
  const builds = Object.entries(facts.frameworks).flatMap(([name, fact]) => {
    const build = knownValue<Partial<FrameworkBuild> | null>(fact);
    if (build === undefined) return [];
    const words = build && [build.name, build.version, build.target, build.cuda].filter(Boolean).join(' ');
    return [[name, words]];
  });
  const verdicts = judgeStack(facts).map(({ id }) => id);
  const python = knownValue(interpreter);
  const board = knownValue(facts.board);
  const reported = {
    board: board ? `${board.model} ${board.l4t}` : undefined,
    os: knownValue(os)?.family,
    wsl: knownValue(wsl),
    python: python?.version ?? undefined,
    conda: python?.environment === 'conda' ? true : undefined,
    gpus: knownValue(gpus)?.map(({ name, computeCapability }) => `${name} ${computeCapability}`),
    driver: knownValue(driver),
    driverCuda: knownValue(driverCuda),
    toolkit: knownValue(toolkits)?.[0]?.version,
    builds: builds.length > 0 ? Object.fromEntries(builds) : undefined,
    packages: knownValue(packages)?.map(({ name, version }) => `${name} ${version}`),
    available: knownValue(runtime.torch)?.available,
    verdicts: verdicts.length > 0 ? verdicts : undefined,
  };
  return Object.fromEntries(Object.entries(reported).filter(([, value]) => value !== undefined)) as Reported;
}

test('the facts in each report are known, and no others', () => {
  assert.deepEqual(
    readdirSync(FOLDER).sort(),
    Object.keys(REPORTED)
      .map((name) => `${name}.txt`)
      .sort(),
  );
  for (const [name, reported] of Object.entries(REPORTED)) {
    const facts = read(report(name));
    assert.ok(facts, name);
    assert.deepEqual(reportedBy(facts), reported, name);
  }
});

const QUOTED: Record<string, (text: string) => string> = {
  'from Windows': (text) => text.replaceAll('\n', '\r\n'),
  'in a quotation': (text) => text.replace(/^/gm, '> '),
  'in a nested quotation': (text) => text.replace(/^/gm, '> > '),
  'between fences': (text) => `### Environment\n\n\`\`\`text\n${text}\n\`\`\`\n\nAny help?\n`,
  'folded away': (text) => `<details><summary>Environment</summary>\n\n<p>\n\n${text}\n</p></details>\n`,
  indented: (text) => text.replace(/^/gm, '    '),
  'below other words': (text) => `It worked with CUDA 11 before.\n\n${text}\n\nThanks in advance!\n`,
};

test('the facts do not depend on how the report was pasted', () => {
  for (const [name, reported] of Object.entries(REPORTED))
    for (const [how, quote] of Object.entries(QUOTED)) {
      const facts = read(quote(report(name)));
      assert.ok(facts, `${name} ${how}`);
      assert.deepEqual(reportedBy(facts), reported, `${name} ${how}`);
    }
});

test('a damaged report still has its other facts, and lost ones are not called missing', () => {
  for (const [name, reported] of Object.entries(REPORTED)) {
    const lines = report(name).split('\n');
    for (let end = 1; end < lines.length; end++) {
      const facts = read(lines.slice(0, end).join('\n'));
      if (facts === undefined) continue;
      const { builds = {}, gpus } = reportedBy(facts);
      const absent = Object.entries(builds).filter(([, build]) => build === null);
      for (const [framework] of absent) assert.equal(reported.builds?.[framework], null, `${name} up to line ${end}`);
      assert.notDeepEqual(gpus, [], `${name} up to line ${end}`);
    }
  }
});

test('unknown facts are marked, and all facts fit the schema', () => {
  const facts = read(report('nvidia-smi-580'));
  assert.ok(facts);
  assert.ok(everyFact(facts).some(isUnknown));
  for (const fact of everyFact(facts))
    assert.ok('value' in fact || /not in the text/.test((fact as { unknown: string }).unknown));
  for (const name of Object.keys(REPORTED))
    assert.ok('facts' in factsFromJson(JSON.parse(JSON.stringify(read(report(name))))), name);
});

test('commands do not name a conda environment if a post does not give its folder', () => {
  const facts = read(report('collect-env-conda-windows'));
  const commands = (facts ? judgeStack(facts) : []).flatMap(({ remedies }) =>
    remedies.map(({ command }) => command ?? ''),
  );
  assert.ok(
    commands.some((each) => each.startsWith('conda install -c ')),
    commands.join('\n'),
  );
  assert.ok(commands.every((each) => !each.includes('--prefix')));
});

test('the beginning of a report, repeated thousands of times, is read to its end', { timeout: 60_000 }, () => {
  const begun = ['* CUDA:\n  - GPU:\n    - x\n', 'CUDA used to build PyTorch: 1\nGPU models and configuration: \n'];
  for (const each of begun) assert.ok(factsOfText(each.repeat(20_000)));
});

test('words about versions are not a report', () => {
  for (const text of [
    'It needs CUDA 11.8 and PyTorch 2.1 or newer.',
    'RuntimeError: CUDA error: no kernel image is available for execution on the device',
    '  File "/usr/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1501, in _call_impl',
    'torch==2.1.0\nnumpy==1.26.0\ntransformers\n',
    'epoch 1\nloss 0.25\nacc 0.9\n',
    '',
  ])
    assert.equal(read(text), undefined, text);
});

test('a report about another machine is ignored', () => {
  const facts = read(
    `${report('collect-env-1.5')}\nI have the same on:\n${report('comfyui')}${report('nvidia-smi-580')}`,
  );
  assert.ok(facts);
  const { available: _, ...reported } = reportedBy(facts);
  const { available: __, ...alone } = REPORTED['collect-env-1.5'] ?? {};
  assert.deepEqual(reported, alone);
});

test('reports about one machine complement each other: a full name from one, the memory from the other', () => {
  const facts = read(
    `${report('nvidia-smi-windows')}\nUltralytics YOLOv8.0.58 Python-3.9.1 torch-1.9.0+cpu CUDA:0 (GeForce GTX 1050 Ti, 4096MiB)`,
  );
  const [gpu] = (facts && knownValue(facts.gpus)) ?? [];
  assert.equal(gpu?.name, 'GeForce GTX 1050 Ti');
  assert.equal(gpu?.memoryUsed, 78);
});

test('conflicting versions that pip reports are installed, as they were after its last installation', () => {
  const conflict =
    'ERROR: torchvision 0.16.0+cu118 requires torch==2.1.0, but you have torch 2.2.0+cu118 which is incompatible.\n';
  assert.deepEqual(verdictsIn(conflict), ['torchvision-of-other-release']);
  assert.deepEqual(verdictsIn(conflict.replace('0.16.0', '0.17.0')), []);
  const before = "ERROR: xformers 0.0.18 requires torch==2.0.0, but you'll have torch 1.12.1 which is incompatible.\n";
  assert.deepEqual(verdictsIn(before), ['packages-clash']);
  assert.deepEqual(verdictsIn(`${conflict}Successfully installed torch-2.2.1 torchvision-0.17.1\n`), []);
  assert.equal(read('mypackage 1.0 requires patience, but you have none which is incompatible.'), undefined);
});

test('packages that pip and uv report as installed are known, and lists have precedence', () => {
  const uv = 'Installed 3 packages in 34ms\n + numpy==2.2.3\n + onnxruntime==1.20.1\n + onnxruntime-gpu==1.20.1\n';
  const reported = (text: string) => {
    const facts = read(text);
    return facts && { ...reportedBy(facts), os: undefined };
  };
  const smi = report('nvidia-smi-windows');
  assert.deepEqual(reported(`${uv}${smi}`)?.verdicts, ['onnxruntime-overwritten']);
  assert.deepEqual(reported(`${uv.replace(' + onnxruntime==1.20.1\n', '')}${smi}`)?.verdicts, undefined);
  const pip = 'Successfully installed filelock-3.29.0 torch-2.4.1 torchvision-0.19.1 typing-extensions-4.15.0\n';
  assert.equal(reported(pip)?.builds?.torchvision, 'torchvision 0.19.1');
  const list = 'Package Version\n------- -------\ntorch 2.6.0\ntorchvision 0.21.0\n';
  assert.equal(reported(`${pip}${list}`)?.builds?.torchvision, 'torchvision 0.21.0');
  assert.equal(
    reported('$ pip freeze\ntorch==2.0.1+cu118\ntorchvision==0.15.2+cu117\n')?.verdicts?.[0],
    'torchvision-of-other-build',
  );
  // A requested version is not an installed one.
  assert.equal(reported('torch==2.0.1+cu118\ntorchvision==0.15.2+cu117\n'), undefined);
  assert.equal(reported('+ torch==2.0.1+cu118\n- torch==2.0.0\n'), undefined);
});

test('commands of a tool that locks a project show how its packages are installed, unless pip is also used', () => {
  const installed = 'Installed 2 packages in 34ms\n + onnxruntime==1.20.1\n + onnxruntime-gpu==1.20.1\n';
  const commands = (text: string): (string | undefined)[] => {
    const facts = read(`${text}\n${installed}`);
    const [verdict] = facts ? judgeStack(facts) : [];
    return (verdict?.remedies ?? []).map(({ command }) => command);
  };
  assert.deepEqual(commands('ada@pc:~/app$ uv add onnxruntime onnxruntime-gpu'), [
    'uv remove onnxruntime',
    // PyPI no longer has 1.20.1, but it has others of that release.
    'uv add "onnxruntime-gpu==1.20.*" --reinstall-package onnxruntime-gpu',
  ]);
  assert.equal(commands('RUN poetry install')[0], 'poetry remove onnxruntime');
  const byPip = 'python -m pip uninstall --yes onnxruntime';
  for (const other of ['uv pip install onnxruntime-gpu', 'you can run uv sync', '$ uv sync\n$ pip install onnxruntime'])
    assert.equal(commands(other)[0], byPip, other);
});

test('a container whose torch sees no GPU, and without a driver, was started without a GPU', () => {
  const reported = (prompt: string, cuda = '12.1', driver = 'No CUDA') =>
    verdictsIn(
      `${prompt}\nPyTorch version: 2.4.0+cu121\nCUDA used to build PyTorch: ${cuda}\nOS: Ubuntu 20.04.6 LTS (x86_64)\nIs CUDA available: False\nGPU models and configuration: No CUDA\nNvidia driver version: ${driver}\n`,
    );
  assert.deepEqual(reported('root@3f2a9c81d0e4:/app# python3 collect_env.py'), ['container-without-gpu']);
  assert.deepEqual(reported('ada@pc:~$ python3 collect_env.py'), []);
  assert.deepEqual(reported('root@3f2a9c81d0e4:/app# python3 collect_env.py', '12.1', '535.104.05'), []);
});

test('Windows shells also show variables, and a negative number hides every GPU', () => {
  const form = 'GPU: RTX 4070\nDriver: 560.94\nOS: Windows 11\nPyTorch: 2.6.0+cu124\n';
  for (const shown of ['PS C:\\ai> echo $env:CUDA_VISIBLE_DEVICES', 'C:\\ai>echo %CUDA_VISIBLE_DEVICES%']) {
    assert.deepEqual(verdictsIn(`${form}${shown}\n-1\n`), ['gpus-hidden'], shown);
    assert.deepEqual(verdictsIn(`${form}${shown}\n0\n`), [], shown);
  }
});

test('conda installed any build of a conda jaxlib', () => {
  const rows = (build: string) =>
    `# packages in environment at /home/ada/miniforge3/envs/jx:\njax        0.4.32    pyhd8ed1ab_0    conda-forge\njaxlib     0.4.32    ${build}    conda-forge\n`;
  const facts = read(rows('cpu_py312h4c3fbbb_0'));
  const [verdict] = facts ? judgeStack(facts) : [];
  assert.equal(verdict?.id, 'cpu-only-jax');
  assert.equal(
    verdict?.remedies[0]?.command,
    'conda install --prefix /home/ada/miniforge3/envs/jx -c conda-forge "jaxlib=*=*cuda*"',
  );
  assert.deepEqual(verdictsIn(rows('cuda126py312hd27b167_0')), []);
});

test('conda rows are recognized by their channels, as are packages that pip installed over them', () => {
  const rows =
    'jax                0.4.38    pypi_0    pypi\njax-cuda12-plugin  0.5.0     pypi_0    pypi\njaxlib             0.4.38    pypi_0    pypi\n';
  assert.deepEqual(verdictsIn(rows), ['jax-plugin-of-other-release']);
  assert.deepEqual(verdictsIn(rows.replace('0.5.0 ', '0.4.38')), []);
  const environment = `PyTorch version: 1.12.1
CUDA used to build PyTorch: 11.3
Is CUDA available: True
OS: Ubuntu 20.04.4 LTS (x86_64)
GPU models and configuration: GPU 0: Tesla V100-PCIE-32GB
Nvidia driver version: 470.57.02
[pip3] torch==1.12.1+cu113
[conda] pytorch    1.8.0     py3.8_cuda11.1_cudnn8.0.5_0    pytorch
[conda] torch      1.12.1    pypi_0    pypi
[conda] pytorch3d  0.6.2     py38_cu111_pyt180    pytorch3d
`;
  assert.deepEqual(verdictsIn(environment), ['installed-twice']);
  assert.deepEqual(verdictsIn(environment.replace(/.conda. pytorch {4}.*\n/, '')), []);
});

test('AMD GPUs are not mistaken for NVIDIA GPUs', () => {
  const reported = (gpu: string, torch = '2.6.0+cu124') =>
    verdictsIn(
      `PyTorch version: ${torch}\nCUDA used to build PyTorch: 12.4\nOS: Ubuntu 22.04.4 LTS (x86_64)\nIs CUDA available: False\nGPU models and configuration: ${gpu}\nNvidia driver version: Could not collect\n`,
    );
  assert.deepEqual(reported('AMD Radeon RX 6800 XT'), ['build-for-other-gpu']);
  // Integrated graphics, on which ROCm may not run.
  assert.deepEqual(reported('AMD Raven'), []);
});

test('Colab is recognized by its folders, but not by those that images also have', () => {
  const container = (text: string) => {
    const facts = read(`${report('nvidia-smi-580')}${text}`);
    return facts && knownValue(facts.container);
  };
  const frame = 'File "/usr/local/lib/python3.11/dist-packages/torch/cuda/__init__.py", line 1';
  assert.equal(container(frame), undefined);
  assert.equal(container(`${frame}\n<ipython-input-3-0c54302c25ea>`), 'Google Colab');
});

test('the table reports MIG, unless it is cut off', () => {
  const error = 'RuntimeError: device >= 0 && device < num_gpus INTERNAL ASSERT FAILED\n';
  const reported = (table: string) => {
    const facts = read(table);
    const gpus = (facts && knownValue(facts.gpus)) ?? [];
    const [first] = explainErrors(readPaste(error + table), facts && { facts, verdicts: judgeStack(facts) });
    return {
      mig: gpus.map(({ mig }) => mig),
      standing: first?.causes.find(({ id }) => id === 'mig-hides-devices')?.standing,
    };
  };
  const table = report('nvidia-smi-580');
  assert.deepEqual(reported(table), { mig: [false, false], standing: undefined });
  assert.deepEqual(reported(table.replaceAll('Disabled', ' Enabled')), { mig: [true, true], standing: 'confirmed' });
  assert.deepEqual(reported(table.slice(0, table.indexOf('Disabled'))), { mig: [null], standing: 'possible' });
});

test('the table of nvidia-smi shows the system: driver models mean Windows, a special tool means WSL', () => {
  const systemIn = (text: string) => {
    const facts = read(text);
    return [facts && knownValue(facts.os)?.family, facts && knownValue(facts.wsl)];
  };
  const table = (header: string, model: string) =>
    `| NVIDIA-SMI ${header} |\n|   0  NVIDIA GeForce RTX 3090   ${model} | 00000000:01:00.0  On | N/A |\n| 30% 54C P0 121W / 350W | 1642MiB / 24576MiB | 4% Default |\n`;
  const version = (tool: string, driver: string) => `${tool}   Driver Version: ${driver}   CUDA Version: 12.4`;
  assert.deepEqual(systemIn(table(version('550.54.14', '550.54.14'), 'On ')), ['linux', undefined]);
  assert.deepEqual(systemIn(table(version('550.60.01', '551.76'), 'On ')), ['linux', 2]);
  assert.deepEqual(systemIn(table(version('551.76', '551.76'), 'WDDM')), ['windows', null]);
  assert.deepEqual(systemIn(`| NVIDIA-SMI ${version('550.54.14', '550.54.14')} |`), [undefined, undefined]);
});

test("torch's warning names the GPU, the architectures of its build and the driver's CUDA", () => {
  const warned = `NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.
The current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90.
`;
  const form = 'PyTorch version: 2.2.2\nDriver version: 570.144\nImage: nvidia/cuda:12.4.1-devel-ubuntu22.04\n';
  assert.deepEqual(verdictsIn(warned + form), ['gpu-newer-than-build']);
  // Without the warning, neither the GPU nor the build's architectures are reported.
  assert.deepEqual(verdictsIn(form), []);
  const old = (found: string, torch: string) =>
    verdictsIn(
      `/root/venv/torch/cuda/__init__.py:83: UserWarning: CUDA initialization: The NVIDIA driver on your system is too old (found version ${found}).\nPyTorch version: ${torch}\nCUDA used to build PyTorch: ${torch.includes('cu102') ? '10.2' : '11.8'}\n`,
    );
  assert.deepEqual(old('9010', '1.12.1+cu102'), ['driver-too-old']);
  assert.deepEqual(old('10010', '2.1.0+cu118'), ['driver-too-old']);
  // Within a family the driver's number decides, which is not reported.
  assert.deepEqual(old('11040', '2.1.0+cu118'), []);
});

test("JAX's messages, the wheel that pip downloads and the kernel log are facts", () => {
  const jax = 'jax:    0.4.32\njaxlib: 0.4.32\nnumpy:  2.1.2\n';
  const without = 'An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed.\n';
  assert.deepEqual(verdictsIn(without + jax), ['cpu-only-jax']);
  assert.deepEqual(verdictsIn(jax), []);
  const pip = (size: string) =>
    `Downloading torch-2.4.0-cp310-cp310-manylinux2014_aarch64.whl (${size} MB)\nSuccessfully installed torch-2.4.0\n`;
  assert.deepEqual(verdictsIn(pip('89.8')), ['cpu-only-torch']);
  assert.deepEqual(verdictsIn(pip('912.4')), []);
  const cached = (size: string) => `Using cached torch-2.3.1-cp310-cp310-win_amd64.whl (${size} MB)\n`;
  assert.deepEqual(verdictsIn(cached('159.8')), ['cpu-only-torch']);
  assert.deepEqual(verdictsIn(cached('2423.5')), []);
  const log = (library: string, module: string) =>
    `kernel: NVRM: API mismatch: the client has the version ${library}, but#012NVRM: this kernel module has the version ${module}.  Please#012NVRM: make sure`;
  assert.deepEqual(verdictsIn(log('535.54.03', '530.30.02')), ['driver-library-mismatch']);
  // A restart does not help if libraries older than the module's are found.
  assert.deepEqual(verdictsIn(log('525.60.13', '530.30.02')), []);
});

test("a fault of one build is recognized by torch's own build information", () => {
  const env = (torch: string, cuda: string, gpu: string) =>
    verdictsIn(
      `PyTorch version: ${torch}\nCUDA used to build PyTorch: ${cuda}\nOS: Ubuntu 18.04.5 LTS (x86_64)\nGPU models and configuration: \nGPU 0: ${gpu}\nNvidia driver version: 460.39\n`,
    );
  assert.deepEqual(env('1.8.0', '10.2', 'GeForce RTX 2070 SUPER'), ['known-fault']);
  assert.deepEqual(env('1.8.1', '10.2', 'GeForce RTX 2070 SUPER'), []);
  assert.deepEqual(env('1.8.0', '10.2', 'Tesla V100-PCIE-16GB'), []);
});

test("xFormers' warning says what it was built for", () => {
  const warned = (version: string) =>
    verdictsIn(
      `WARNING[XFORMERS]: xFormers can't load C++/CUDA extensions. xFormers was built for:\n    PyTorch 2.3.0+cu121 with CUDA 1201 (you have 2.1.0+cu121)\n    Python  3.10.14 (you have 3.10.0)\n${version}`,
    );
  assert.deepEqual(warned('xFormers 0.0.26.post1\n'), ['packages-clash']);
  assert.deepEqual(warned(''), []);
});

test('vLLM in its own environment report is a package, and requirements for a newer GPU are recognized', () => {
  const env = (gpu: string) =>
    verdictsIn(
      `PyTorch version: 2.7.0+cu126\nCUDA used to build PyTorch: 12.6\nOS: Ubuntu 20.04.5 LTS (x86_64)\nGPU models and configuration: GPU 0: ${gpu}\n\n[pip3] torch==2.7.0\nvLLM Version: 0.9.1\n`,
    );
  assert.deepEqual(env('NVIDIA GeForce GTX 1080 Ti'), ['package-without-this-gpu']);
  assert.deepEqual(env('Tesla T4'), []);
});

test('driver versions that TensorFlow prints reveal an update without a restart, but no CUDA', () => {
  const form = (reported: string) =>
    `OS Platform and Distribution: Ubuntu 20.04\nTensorFlow version: 2.6.0\nPython version: 3.7.3\nCUDA/cuDNN version: ${reported}\n`;
  const mismatch = 'kernel version 470.42.1 does not match DSO version 470.57.2 -- cannot find working devices';
  assert.deepEqual(verdictsIn(form(mismatch)), ['driver-library-mismatch']);
  // In a container they may be those of its image.
  assert.deepEqual(verdictsIn(`In a Docker container\n${form(mismatch)}`), []);
  const facts = read(form('libcuda reported version is: 450.142.0'));
  assert.ok(facts && isUnknown(facts.toolkits));
  // "8.1" is a cuDNN version, because no such CUDA existed; "8.0" may be either.
  const toolkitsIn = (reported: string) => {
    const found = read(form(reported));
    return found && knownValue(found.toolkits)?.map(({ version }) => version);
  };
  assert.equal(toolkitsIn('8.1'), undefined);
  assert.deepEqual(toolkitsIn('8.0'), ['8.0']);
});

test('a TensorFlow for a CUDA older than the GPU is replaced, instead of installing that CUDA', () => {
  const form = (gpu: string) =>
    read(
      `- OS Platform and Distribution (e.g., Linux Ubuntu 16.04): 16.04\n- TensorFlow installed from (source or binary): binary\n- TensorFlow version: 2.3\n- Python version: 3.8\n- CUDA/cuDNN version: 11.1/8.0.4\n- GPU model and memory: ${gpu}\n`,
    );
  const advised = (gpu: string) => {
    const facts = form(gpu);
    return facts && judgeStack(facts).find(({ id }) => id === 'tensorflow-without-cuda')?.remedies[0]?.title;
  };
  assert.match(advised('RTX 3090') ?? '', /^Use a TensorFlow for a CUDA version that supports the GPU/);
  assert.match(advised('GTX 1080 Ti') ?? '', /^Install CUDA 10\.1/);
});

test('on a Jetson whose torch sees no GPU, the build is replaced', () => {
  const advised = (gpu: string, platform: string) =>
    judgeStack(
      read(
        `PyTorch version: 2.9.0\nCUDA used to build PyTorch: 12.6\nOS: Ubuntu 22.04.5 LTS\nPython version: 3.10.19 (64-bit runtime)\nPython platform: Linux-${platform}-with-glibc2.35\nIs CUDA available: False\nGPU models and configuration: GPU 0: ${gpu}\n`,
      ) as StackFacts,
    ).find(({ id }) => id === 'framework-sees-no-gpu')?.remedies[0]?.title;
  assert.match(advised('Orin (nvgpu)', '5.15.136-tegra-aarch64') ?? '', /^Install NVIDIA's own build for this board/);
  assert.match(advised('Tesla T4', '5.15.136-generic-x86_64') ?? '', /^Restart the program/);
});

test('environments that a text compares are not treated as one with two torch versions', () => {
  const both = 'works:\npytorch 1.3.1 cuda100py37h53c1284_0\ndoes not:\npytorch 1.4.0 py3.7_cpu_0 [cpuonly] pytorch\n';
  assert.ok(!verdictsIn(both).includes('installed-twice'));
});

test('an error is judged by the machine in its text, unless it is this machine', async () => {
  const paste = readPaste(`RuntimeError: CUDA error: out of memory\n\n${report('collect-env-2.5-wsl')}`);
  const reported = read(report('collect-env-2.5-wsl'));
  assert.ok(reported);
  const own: StackFacts = { ...reported, driverCuda: { value: '12.8', source: 'nvidia-smi', readAt: '' } };
  assert.equal(await machineOf(paste, async () => own), own);
  const other: StackFacts = { ...own, driver: { value: '570.00', source: 'nvidia-smi', readAt: '' } };
  const judged = await machineOf(paste, async () => other);
  assert.deepEqual(judged && reportedBy(judged), REPORTED['collect-env-2.5-wsl']);
  assert.equal(await machineOf(readPaste('RuntimeError: CUDA error: out of memory'), async () => own), own);
  // Facts that are read in any case are judged as before.
  assert.ok(
    (await verdictsOn({ gpus: ['NVIDIA GeForce RTX 5090 12.0'], driver: '572.16', torch: '2.5.1+cu124' })).includes(
      'gpu-newer-than-build',
    ),
  );
});

test('facts of a build that a text omits are attributed to its publisher', () => {
  const sourceOf = (text: string) => {
    const facts = factsOfText(text);
    const torch = facts && knownValue(facts.frameworks.torch);
    return [torch?.cuda, torch?.targetFrom];
  };
  const system = 'OS: Ubuntu 22.04\nPython: 3.10\n';
  assert.deepEqual(sourceOf(`${system}torch: 2.6.0\nCUDA: 12.8\n`), [
    '12.4',
    `PyPI's wheels of torch 2.6.0, as of ${asOf('torchReleases')}`,
  ]);
  assert.deepEqual(sourceOf(`${system}torch: 2.6.0+cu126\nCUDA: 12.8\n`), ['12.6', undefined]);
});

test("conda's own Python is not mistaken for the environment's", () => {
  const versionOf = (text: string) => {
    const facts = factsOfText(text);
    return facts && knownValue(facts.interpreter)?.version;
  };
  const info = 'OS: Ubuntu 20.04\ntorch: 2.6.0\n    python version : 3.10.6.final.0\n';
  assert.equal(versionOf(info), null);
  assert.equal(versionOf(info.replace('.final.0', '')), '3.10.6');
});
