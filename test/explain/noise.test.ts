import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { allCases } from '../cases/explainCase.ts';

/** Output of programs on many machines before anything fails, after which they continue. */
const NOISE = `
2023-03-01 10:00:00.123456: W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load dynamic library 'libcudart.so.11.0'; dlerror: libcudart.so.11.0: cannot open shared object file: No such file or directory
2023-03-01 10:00:00.123500: I tensorflow/stream_executor/cuda/cudart_stub.cc:29] Ignore above cudart dlerror if you do not have a GPU set up on your machine.
2024-03-01 10:00:00.123456: E external/local_xla/xla/stream_executor/cuda/cuda_dnn.cc:9261] Unable to register cuDNN factory: Attempting to register factory for plugin cuDNN when one has already been registered
2024-03-01 10:00:00.123456: W tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38] TF-TRT Warning: Could not find TensorRT
/opt/lib/python3.11/site-packages/torchvision/io/image.py:13: UserWarning: Failed to load image Python extension: 'libjpeg.so.62: cannot open shared object file: No such file or directory'
  warn(
/opt/lib/python3.11/site-packages/bitsandbytes/cextension.py:34: UserWarning: The installed version of bitsandbytes was compiled without GPU support.
The installed version of bitsandbytes was compiled without GPU support. 8-bit optimizers, 8-bit multiplication, and GPU quantization are unavailable.
\`flash-attn\` package not found, consider installing for better performance: No module named 'flash_attn'.
A matching Triton is not available, some optimizations will not be enabled.
Error caught was: No module named 'triton'
Warning:  apex was installed without --cpp_ext. Falling back to Python flatten and unflatten.
WARNING - CUDA extension not installed.
Some weights of BertModel were not initialized from the model checkpoint at bert-base and are newly initialized: ['pooler.dense.bias']
GPU available: False, used: False
`;

test('output before an error is not mistaken for its cause', async () => {
  const firstOf = (text: string) => readPaste(text).messages[0];
  const changed: string[] = [];
  for (const { id, text } of await allCases()) {
    // A text that names no framework would be attributed to one that is named here.
    if (!/torch|tensorflow|keras|jax|onnx|paddle|llama|vllm/i.test(text)) continue;
    const alone = firstOf(text);
    if (alone?.rank !== 'error') continue;
    const below = firstOf(`${NOISE}${text}`);
    if (below?.message !== alone.message) changed.push(`${id}: ${alone.message.id} became ${below?.message.id}`);
  }
  assert.deepEqual(changed, []);
});

test("torch's warning when CUDA starts explains the following error, except on a machine without a driver that loads a file", () => {
  const warning = (text: string) => `/opt/torch/cuda/__init__.py:129: UserWarning: CUDA initialization: ${text}\n`;
  const tooOld = warning('The NVIDIA driver on your system is too old (found version 11040).');
  const none = warning('Found no NVIDIA driver on your system.');
  const loading =
    'RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.\n';
  const firstOf = (text: string) => readPaste(text).messages[0]?.message.id;
  assert.equal(firstOf(`${tooOld}${loading}`), 'torch-driver-too-old');
  assert.equal(firstOf(`${none}${loading}`), 'checkpoint-of-missing-device');
  assert.equal(firstOf(`${none}RuntimeError: No CUDA GPUs are available\n`), 'no-cuda-gpus');
});
