/** Conditions confirm causes from facts and from what programs print, never from what a person writes around it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditions } from '../../server/src/explain/conditions/conditions.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';

const WORDS = [
  'I train on an RTX 5090 and it fails. A Tesla K80, a GTX 750 and a GTX 1080 work. A B200 or Blackwell card too.',
  'On a Radeon RX 580 (Polaris) it stops; on an RX 6800 XT with RDNA2 and gfx1030, a 7900 XTX, an RX 9070 XT, a Vega 64 and a Strix Halo gfx1151 it runs.',
  'I installed everything with uv pip install, before that with conda install pytorch cudatoolkit and conda install jax, in miniconda. I ran pip install torch.',
  'It is a Jetson with L4T, no, it is Arch Linux with pacman; my laptop runs Fedora and WSL 2 on Windows 11. The Mac M1 has none.',
  'We use Kubernetes, kubectl says that the pod has a GPU. I also tried Google Colab and Kaggle.',
  'My driver is 535.54, CUDA 12.2 and cuDNN 8.9, Python 3.8 and NumPy 2, JAX 0.4.20, Keras 3. I set CUDA_VISIBLE_DEVICES=1 and then cuda:1.',
  'I call load_model and from_config, wrap it in DataParallel, cuda:0 and cuda:1 are used. The wheel torch-2.1.0+cu118 is for rocm5.6.',
  'The ROCm driver works, rocminfo lists it. The driver is nvidia-legacy-390xx. Another program holds the memory.',
];

for (const words of WORDS)
  test(`no condition holds because someone writes "${words.slice(0, 40)}"`, () => {
    const { text } = readPaste(words);
    const situation = { text, message: '', parts: {}, frameworks: new Set<never>() };
    const held = Object.keys(conditions).filter((name) => conditions[name]?.(situation)?.holds);
    assert.deepEqual(held, []);
  });
