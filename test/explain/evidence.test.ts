import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explainErrors } from '../../server/src/explain/explain.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import type { StackFacts } from '../../server/src/stack/facts/facts.ts';
import { nothingYet } from '../../server/src/stack/facts/nothingYet.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { describedMachine } from '../stack/describedMachine.ts';

/** Returns the causes of the first message in order, with their standing. */
function causesOf(text: string, packages?: Readonly<Record<string, string>>): string[] {
  const facts = packages && factsOf(packages);
  const [first] = explainErrors(readPaste(text), { facts });
  return (first?.causes ?? []).map(({ id, standing }) => `${id}: ${standing}`);
}

/** Only the installed packages are known. */
function factsOf(packages: Readonly<Record<string, string>>): StackFacts {
  const installed = Object.entries(packages).map(([name, version]) => ({ name, version, folder: '/site-packages' }));
  const none = { value: null, source: 'the folder of packages' };
  return {
    ...nothingYet(),
    packages: { value: installed, source: 'the folder of packages' },
    frameworks: { torch: none, tensorflow: none, jax: none, onnxruntime: none },
    gpus: { value: [], source: 'nvidia-smi' },
    variables: { value: {}, source: 'the environment' },
  } as unknown as StackFacts;
}

describe('an explanation for one framework', () => {
  const commands = (text: string, facts?: StackFacts) => {
    const [first] = explainErrors(readPaste(text), { facts });
    return (first?.remedies ?? []).map(({ command, code }) => command ?? code ?? '').join('\n');
  };
  const ofTorch = 'RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED';
  const ofTensorflow = 'tensorflow.python.framework.errors_impl.InternalError: CUDNN_STATUS_NOT_INITIALIZED';
  const ofNobody = 'CUDNN_STATUS_NOT_INITIALIZED';

  test('applies to failures of that framework', () => {
    assert.match(commands(ofTensorflow), /TF_FORCE_GPU_ALLOW_GROWTH/);
    assert.doesNotMatch(commands(ofTensorflow), /install[^\n]* torch/);
    assert.match(commands(ofTorch), /--force-reinstall torch/);
    assert.doesNotMatch(commands(ofTorch), /tensorflow|TF_|jax/);
  });

  test('applies if the framework is installed and the text names none', async () => {
    const withTorch = await readStack(
      describedMachine({ gpus: ['NVIDIA GeForce RTX 3090 8.6'], torch: '2.6.0+cu124' }),
    );
    assert.match(commands(ofNobody), /TF_FORCE_GPU_ALLOW_GROWTH/);
    assert.match(commands(ofNobody, withTorch), /\.venv\/bin\/python -m pip install --force-reinstall --no-deps torch/);
    assert.doesNotMatch(commands(ofNobody, withTorch), /tensorflow|TF_|jax/);
  });

  test('applies to the framework of the lines around the error, not to one in a list far below', () => {
    const list = `${'some line of a log\n'.repeat(200)}Package Version\ntensorflow 2.15.0\n`;
    assert.doesNotMatch(commands(`${ofTorch}\n${list}`), /TF_/);
    assert.match(commands(`import torch, tensorflow\n${ofTorch}`), /TF_/);
  });
});

describe('the numbers in an out-of-memory message', () => {
  const before21 = (allocated: string, free: string, reserved: string) =>
    `RuntimeError: CUDA out of memory. Tried to allocate 512.00 MiB (GPU 0; 15.75 GiB total capacity; ${allocated} already allocated; ${free} free; ${reserved} reserved in total by PyTorch)`;

  test('show that other programs hold the memory', () => {
    assert.equal(causesOf(before21('4.00 GiB', '216.19 MiB', '4.50 GiB'))[0], 'memory-taken-by-others: confirmed');
    assert.equal(
      causesOf(
        'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 23.69 GiB of which 12.94 MiB is free. Process 4242 has 12.00 GiB memory in use. Including non-PyTorch memory, this process has 11.60 GiB memory in use. Of the allocated memory 11.00 GiB is allocated by PyTorch, and 100.00 MiB is reserved by PyTorch but unallocated.',
      )[0],
      'memory-taken-by-others: confirmed',
    );
  });

  test('show that the program itself does not fit', () => {
    assert.equal(causesOf(before21('14.00 GiB', '216.19 MiB', '14.50 GiB'))[0], 'does-not-fit: confirmed');
    assert.equal(
      causesOf(
        'RuntimeError: CUDA out of memory. Tried to allocate 85.00 MiB (GPU 0; 4.00 GiB total capacity; 3.04 GiB already allocated; 9.21 MiB free; 15.31 MiB cached)',
      )[0],
      'does-not-fit: confirmed',
    );
  });

  test('show that much is reserved but unused', () => {
    assert.ok(causesOf(before21('9.00 GiB', '216.19 MiB', '14.50 GiB')).includes('fragmentation: confirmed'));
  });

  test('prove nothing if they are missing', () => {
    assert.equal(
      causesOf('RuntimeError: CUDA error: out of memory').find((cause) => cause.endsWith('confirmed')),
      undefined,
    );
  });
});

describe('the architectures in a message', () => {
  const of = (own: string) =>
    `The GPU with CUDA capability sm_${own} is not compatible with the current PyTorch installation.\nThe current PyTorch install supports CUDA capabilities sm_50 sm_70 sm_90.\nRuntimeError: CUDA error: no kernel image is available for execution on the device`;

  test('show whether the GPU or the build is older', () => {
    assert.equal(causesOf(of('120'))[0], 'gpu-newer-than-build: confirmed');
    assert.equal(causesOf(of('37'))[0], 'gpu-older-than-build: confirmed');
    assert.ok(!causesOf(of('37')).some((each) => each.startsWith('gpu-newer-than-build')));
  });
});

describe('a name that a package lacks', () => {
  const missing = (name: string, module: string) => `ImportError: cannot import name '${name}' from '${module}'`;

  test('was added later or removed', () => {
    assert.equal(
      causesOf(missing('Qwen2_5_VLForConditionalGeneration', 'transformers'))[0],
      'release-before-the-name: confirmed',
    );
    assert.equal(causesOf(missing('cached_download', 'huggingface_hub'))[0], 'release-after-the-name: confirmed');
    assert.equal(causesOf(missing('something_own', 'huggingface_hub'))[0], 'releases-apart: possible');
  });

  test('is compared with the installed release', () => {
    const text = missing('Qwen2_5_VLForConditionalGeneration', 'transformers');
    assert.equal(causesOf(text, { transformers: '4.40.0' })[0], 'release-before-the-name: confirmed');
    // It has the name, so this is not the cause.
    assert.equal(causesOf(text, { transformers: '4.57.1' })[0], 'releases-apart: possible');
    assert.equal(
      causesOf(missing('cached_download', 'huggingface_hub'), { 'huggingface-hub': '0.20.0' })[0],
      'releases-apart: possible',
    );
  });
});

test('two GPUs in one message are a distributed model, a GPU and the CPU are not', () => {
  const between = (one: string, other: string) =>
    `RuntimeError: Expected all tensors to be on the same device, but found at least two devices, ${one} and ${other}!`;
  assert.equal(causesOf(between('cuda:1', 'cuda:0'))[0], 'spread-over-gpus: confirmed');
  assert.notEqual(causesOf(between('cuda:0', 'cpu'))[0], 'spread-over-gpus: confirmed');
});

test('the contents of a checkpoint decide whether trusting it is recommended', () => {
  const advice = (name: string) => {
    const [first] = explainErrors(
      readPaste(`WeightsUnpickler error: Unsupported global: GLOBAL ${name} was not an allowed global by default.`),
    );
    const { causes = [], remedies = [] } = first ?? {};
    return [causes[0]?.id, ...remedies.map(({ command, code }) => command ?? code)].join('\n');
  };
  assert.match(advice('posix.system'), /^code-in-the-file\ngpu-doctor inspect/);
  assert.doesNotMatch(advice('builtins.eval'), /torch\.load|add_safe_globals|TORCH_FORCE/);
  assert.match(advice('argparse.Namespace'), /^more-than-weights\n[\s\S]*gpu-doctor inspect/);
  assert.match(advice('models.yolo.Model'), /add_safe_globals\(\[models\.yolo\.Model\]\)/);
  // Layers call objects from their state: allowing them would allow everything.
  assert.doesNotMatch(advice('torch.nn.modules.linear.Linear'), /add_safe_globals/);
  assert.doesNotMatch(advice('torch.optim.sgd.SGD'), /add_safe_globals/);
  // Sound files contain it, and allowing it would allow everything.
  assert.match(advice('functools.partial'), /^more-than-weights\ntorch\.load\(path, weights_only=False\)/);
  assert.doesNotMatch(advice('functools.partial'), /add_safe_globals/);
  assert.doesNotMatch(advice('getattr'), /add_safe_globals|harmless/);
  assert.doesNotMatch(advice('eval'), /torch\.load|add_safe_globals/);
  assert.doesNotMatch(advice('ListConfig'), /builtins/);
});

test('TensorFlow up to 2.10 on Windows does not get the explanation that it lacks CUDA there', () => {
  const lacking = `C:\\Users\\ann> python train.py\nW tensorflow/stream_executor/platform/default/dso_loader.cc:55] Could not load dynamic library 'cudart64_101.dll'; dlerror: cudart64_101.dll not found\nI tensorflow/stream_executor/cuda/cudart_stub.cc:29] Ignore above cudart dlerror if you do not have a GPU set up on your machine.`;
  const said = explainErrors(readPaste(lacking)).map(({ id }) => id);
  assert.deepEqual(said, ['cuda-library-not-found']);
  assert.ok(!causesOf(lacking).some((each) => each.startsWith('library-path')));
});

test('a cause is not ruled out because a text does not mention it', () => {
  const lacking = 'python3 -c "import tensorflow"\nIllegal instruction (core dumped)';
  assert.ok(causesOf(`Jetson Nano\n${lacking}`).includes('openblas-on-jetson: possible'));
  assert.deepEqual(
    causesOf(lacking).filter((each) => each.endsWith('ruled-out')),
    [],
  );
});

test('a possible cause without its signs offers no remedy if another one has its signs', () => {
  const remedies = (folder: string) =>
    explainErrors(readPaste(`OSError: SavedModel file does not exist at: ${folder}/{saved_model.pbtxt|saved_model.pb}`))
      .flatMap((each) => each.remedies.map(({ command }) => command ?? ''))
      .join('\n');
  assert.doesNotMatch(remedies('/home/ada/model'), /rm -r/);
  assert.match(remedies('/tmp/tfhub_modules/53'), /rm -r/);
});

test("a libcuda and a kernel module of the same version in TensorFlow's output are not a mismatch", () => {
  const tells = (library: string, module: string) =>
    `tensorflow failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\nlibcuda reported version is: ${library}\nkernel reported version is: ${module}`;
  const said = (library: string, module: string) =>
    explainErrors(readPaste(tells(library, module))).map(({ id }) => id);
  assert.ok(!said('515.43.4', '515.43.4').includes('driver-mismatch'));
  assert.ok(said('515.43.4', '515.65.1').includes('driver-mismatch'));
});

test('a text is quoted in whole words, and a long location by its two ends', () => {
  const evidence = (text: string) => explainErrors(readPaste(text))[0]?.causes[0]?.evidence ?? [];
  const lightning =
    "unpickler.load()\nModuleNotFoundError: No module named 'pytorch_lightning.utilities.argparse_utils'";
  assert.deepEqual(evidence(`torch.load(path)\n${lightning}`), [
    `The text says "No module named 'pytorch_lightning.utilities.argparse_utils".`,
  ]);
  const [long = ''] = evidence(
    `  File "/env/site-packages/transformers/${'models/'.repeat(14)}auto.py", line 3, in <module>\n    from .utils import check\nImportError: cannot import name 'check' from 'transformers.utils' (/env/utils.py)`,
  );
  assert.match(long, /^The text says "site-packages\/transformers\/.* \.\.\. .* from 'transformers\."\.$/);
});

test('an attribute that a release added names that release and no other', () => {
  const commands = (attribute: string) =>
    explainErrors(readPaste(`torch\nAttributeError: 'Layer' object has no attribute '${attribute}'`))[0]?.remedies.map(
      ({ command }) => command,
    ) ?? [];
  assert.ok(commands('dynamic_img_pad').includes('pip install "timm<0.9.6"'));
  assert.deepEqual(commands('_non_persistent_buffers_set'), [null]);
});

test('a command names the requesting package only if pip knows that name', () => {
  const commands = (line: string) =>
    explainErrors(
      readPaste(`${line}\nImportError: cannot import name 'Conv' from 'keras.layers.convolutional'`),
    ).flatMap(({ remedies }) => remedies.map(({ command }) => command));
  assert.ok(
    commands('from tf_keras_vis.gradcam import Gradcam').includes('python -m pip install --upgrade tf-keras-vis'),
  );
  assert.ok(commands('from vis.utils import utils').includes('python -m pip install --upgrade keras-vis'));
  for (const unknown of ['import constructor', 'File "/lib/site-packages/mine/net.py", line 3'])
    assert.doesNotMatch(commands(unknown).join('\n'), /--upgrade (?!PACKAGE)/);
});
