/** Descriptions of problems without program output, and texts with the same words about something else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainCase } from '../cases/explainCase.ts';

const DESCRIPTIONS: readonly (readonly [text: string, message: string, cause: string])[] = [
  [
    'The Jupyter kernel dies when model.fit is called, tensorflow-gpu on Windows 10.',
    'kernel-died',
    'cudnn-of-windows',
  ],
  ['The kernel appears to have died when I import torch; anaconda on macOS.', 'kernel-died', 'two-openmp'],
  ['Kernel Restarting while I load the dataset into RAM for keras.', 'kernel-died', 'out-of-host-memory'],
  [
    'The first call of model.cuda() takes 5 minutes on my RTX 3090 with torch 1.4.',
    'first-call-slow',
    'gpu-newer-than-build',
  ],
  ['torch.zeros(1).cuda() is stuck for minutes the first time.', 'first-call-slow', 'gpu-newer-than-build'],
  [
    'DistributedDataParallel hangs at initialization, init_process_group never returns.',
    'training-hangs',
    'address-not-reached',
  ],
  ['Training with nn.DataParallel hangs on two RTX 4090.', 'training-hangs', 'gpus-without-direct-exchange'],
  ['DDP gets stuck at the end of the epoch in validation.', 'training-hangs', 'rank-does-not-arrive'],
  ['PyTorch uses only one GPU although I have 4 GPUs.', 'one-of-several-gpus-used', 'program-asks-for-one'],
  ['Only one of my two GPUs is used when training with Keras.', 'one-of-several-gpus-used', 'program-asks-for-one'],
  ['tensorflow allocates all GPU memory, how can that be limited?', 'memory-taken-at-once', 'reserves-by-default'],
  [
    'GPU memory is not released after del model and torch.cuda.empty_cache().',
    'memory-not-given-back',
    'still-referenced',
  ],
  ['keras clear_session() does not free GPU memory.', 'memory-not-given-back', 'kept-by-tensorflow'],
  ['The loss of my model becomes NaN with fp16 and not in fp32.', 'nan-in-half-precision', 'overflow-in-half'],
  ['YOLO training gives nan on my GTX 1660 Ti.', 'nan-in-half-precision', 'gtx-16-in-half'],
  ['The loss is nan on mps and fine on the CPU, torch 2.1.', 'nan-in-half-precision', 'fault-of-mps'],
  [
    'nvidia-smi shows CUDA Version 12.2 but nvcc --version shows 11.8. Which one does PyTorch use?',
    'cuda-versions-differ',
    'three-cudas',
  ],
  ['torch.cuda.is_available() is True but training is on the CPU.', 'seen-and-not-used', 'nothing-moved'],
  [
    'conda install pytorch installs the cpu version instead of that for the gpu.',
    'cpu-build-installed',
    'conda-took-cpu',
  ],
];

for (const [text, message, cause] of DESCRIPTIONS)
  test(`${message}, ${cause}: ${text.slice(0, 60)}`, async () => {
    const [first] = await explainCase({ text });
    assert.deepEqual([first?.id, first?.causes[0]?.id], [message, cause]);
  });

const OTHER_TOPICS = [
  'The kernel of the convolution has died out of fashion.',
  'Linux kernel crashes on boot since the last update.',
  'The first epoch takes 5 minutes, the others as long, in PyTorch.',
  'Does DDP ever hang when a rank fails? The documentation of torch says it does not hang.',
  'How can I use only one GPU of the four in tensorflow?',
  'My program does not release the lock after del model.',
  'The column has nan values after half of the rows.',
  'torch.cuda.is_available() is True and the model trains on the GPU.',
  'Different versions of nvcc produce different code.',
];

for (const text of OTHER_TOPICS)
  test(`no explanation for ${text.slice(0, 60)}`, async () => assert.deepEqual(await explainCase({ text }), []));
