import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { explainCase } from '../cases/explainCase.ts';

/** Descriptions of a framework that uses no GPU, without any program output about it. */
const DESCRIPTIONS = [
  "With TensorFlow 2.15 on Windows 11 tf.config.list_physical_devices('GPU') returns [].",
  "tf.config.list_physical_devices('GPU') gives me an empty list since the update.",
  'Keras is running on the CPU instead of the GPU.',
  'Tensorflow is using my CPU rather than my GPU, with tensorflow-gpu installed.',
  'My tensorflow only uses the CPU.',
  'pytorch can not find cuda on this laptop',
  "The RTX 3060 isn't detected by pytorch.",
  'tensorflow does not see my RTX 3060.',
  "My 3090 isn't used when I train with torch.",
  'torch.cuda.is_available() keeps printing False',
  '"torch.cuda.is_available()" outputs False in the notebook, and True in a terminal.',
  'torch cuda is_available false, RTX 4070',
  'torch.cuda.is_available() 返回 False',
  'pytorch 用不了 GPU',
  'tensorflow 无法使用 GPU',
  'jax.devices() only shows CpuDevice(id=0)',
  "jax.default_backend() returns 'cpu', and there is an A100.",
  'onnxruntime only lists CPUExecutionProvider, and onnxruntime-gpu is installed.',
  'tf.test.is_gpu_available() returns False',
  'tf.test.gpu_device_name() returns an empty string',
  'device_lib.list_local_devices() only lists the CPU',
  'print(device_lib.list_local_devices())\n[name: "/device:CPU:0"\ndevice_type: "CPU"\nmemory_limit: 268435456\n]',
  'Whisper runs on the CPU instead of the GPU here.',
  'GPU utilization stays at 0% while my pytorch model trains.',
  'YOLOv8 training uses only the CPU and ignores my RTX 3080.',
  'Training is slow: the GPU is idle and the CPU at 100 %, with tensorflow 2.10.',
  'ctranslate2.get_cuda_device_count() returns 0',
  'spacy.prefer_gpu() returns False',
  "gpus = tf.config.list_physical_devices('GPU')\nThis line returns an empty array.",
  'Only the CPU is detected by tensorflow 2.1.',
  'TensorFlow lists only the CPU, the driver is fine.',
  'How can I get tensorflow to use my GPU?',
  "tf.config.list_physical_devices()\n[PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU'), PhysicalDevice(name='/physical_device:XLA_GPU:0', device_type='XLA_GPU')]",
  'tf.config.experimental.set_memory_growth(gpus[0], True)\nIndexError: list index out of range',
];

/** Texts with the same words about something else. */
const OTHER_TOPICS = [
  'torch.einsum does not support int32 when using CUDA.',
  'assert len(tf.config.list_physical_devices("GPU")) == 0',
  'How can I force tensorflow not to use the GPU?',
  'How do I run this PyTorch model on CPU instead of GPU?',
  'I want to hide the GPU from tensorflow, so that only the CPU is used.',
  'The GPU is not used efficiently by PyTorch: the loader is the bottleneck, and its utilization jumps between 0% and 90%.',
  'My game does not use the GPU.',
  'How can I get tensorflow not to use my GPU?',
  'The profile of keras shows only the CPU time of each step.',
  "[PhysicalDevice(name='/physical_device:XLA_GPU:0', device_type='XLA_GPU'), PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]",
  'tf.config.experimental.set_memory_growth(gpus[0], True)\nvalue = row[0]',
  'ffmpeg cannot find the GPU encoder.',
  'Why is PyTorch slower on the GPU than on the CPU?',
  'The tests pass on the CPU but not on the GPU with torch 2.1.',
  'If there is no GPU, Keras uses only the CPU, and an epoch takes an hour.',
  'device = "cuda" if torch.cuda.is_available() else "cpu"',
  'PyTorch does not use the GPU memory that was freed.',
  "tf.config.list_physical_devices('GPU') returns [PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]",
  'print(device_lib.list_local_devices())\n[name: "/device:CPU:0"\ndevice_type: "CPU"\n, name: "/device:GPU:0"\ndevice_type: "GPU"\n]',
  'torch.cuda.is_available() returns True, and torch.cuda.device_count() returns 1.',
];

const idsIn = (text: string) => readPaste(text).messages.map(({ message }) => message.id);

for (const text of DESCRIPTIONS)
  test(`a framework sees no GPU: ${text.slice(0, 60)}`, () => assert.deepEqual(idsIn(text), ['gpu-not-seen']));

for (const text of OTHER_TOPICS)
  test(`no explanation for ${text.slice(0, 60)}`, () => assert.deepEqual(idsIn(text), []));

/** Facts about the machine in prose, and the cause that they confirm, if any. */
const MACHINES: readonly (readonly [text: string, confirmed: string | undefined])[] = [
  ['TensorFlow 2.15 does not see my RTX 3060 on Windows 11.', 'windows-has-none'],
  ['TensorFlow 2.10 does not see my RTX 3060 on Windows 11.', undefined],
  ['I ran pip install torch on Windows 10, and torch.cuda.is_available() returns False.', 'build-for-cpu'],
  [
    'I ran pip install torch --index-url https://download.pytorch.org/whl/cu121 on Windows 10, and torch.cuda.is_available() returns False.',
    undefined,
  ],
  ['I ran pip install torch on Ubuntu, and torch.cuda.is_available() returns False.', undefined],
  ['My pytorch does not use my GPU. It is a GTX 1080 with driver 390.77, and torch 1.13.', 'driver-too-old'],
  ['My pytorch does not use my GPU. It is a GTX 1080 with driver 470.82, and torch 1.13.', undefined],
  ['My torch 2.1 cannot see the RTX 2080 on Ubuntu 20.04, although nvidia-smi shows CUDA 11.4.', 'driver-too-old'],
  ['My torch 2.1 cannot see the RTX 2080 on Ubuntu 20.04, although nvidia-smi shows CUDA 12.4.', undefined],
  ['After pip install jax my jax.devices() only shows CpuDevice(id=0).', 'build-for-cpu'],
  ['After pip install "jax[cuda12]" my jax.devices() only shows CpuDevice(id=0).', undefined],
  ['onnxruntime only uses the CPU; onnxruntime and onnxruntime-gpu are installed.', 'build-for-cpu'],
  ['onnxruntime only uses the CPU; onnxruntime-gpu is installed.', undefined],
  ['After pip install tensorflow on Ubuntu 22.04 it does not see the GPU.', 'libraries-missing'],
  ['After pip install "tensorflow[and-cuda]" on Ubuntu 22.04 tensorflow does not see the GPU.', undefined],
  ['After pip install tensorflow with CUDA 12.3 on Ubuntu 22.04 tensorflow does not see the GPU.', undefined],
  [
    'My tensorflow 2.4 does not detect the GTX 1070. CUDA 10.1 and cuDNN 7.6 are installed, on Ubuntu 18.04.',
    'libraries-missing',
  ],
  ['My tensorflow 2.4 does not detect the GTX 1070. CUDA 11.0 and cuDNN 8.0 are installed.', undefined],
];

for (const [text, confirmed] of MACHINES)
  test(`${confirmed ?? 'nothing'} is confirmed by ${text.slice(0, 60)}`, async () => {
    const [{ id, causes } = assert.fail()] = await explainCase({ text });
    assert.equal(id, 'gpu-not-seen');
    assert.equal(causes.find(({ standing }) => standing === 'confirmed')?.id, confirmed);
  });

test("a driver that answers is not missing, unless it is a host's", async () => {
  const standingIn = async (text: string) =>
    (await explainCase({ text }))[0]?.causes.find(({ id }) => id === 'no-driver')?.standing;
  assert.equal(await standingIn('torch.cuda.is_available() is False, and nvidia-smi works.'), 'ruled-out');
  assert.equal(await standingIn('torch.cuda.is_available() is False, and nvidia-smi shows no devices.'), 'possible');
  assert.equal(
    await standingIn('In the container torch.cuda.is_available() is False, and on the host nvidia-smi works.'),
    'possible',
  );
});
