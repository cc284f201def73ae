/** Facts that the release tables add to a message, and messages to which they add none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extensionParts } from '../../server/src/explain/parts/extensions.ts';
import { releaseParts, tensorflowParts, torchParts } from '../../server/src/explain/parts/releases.ts';
import { torchPairParts } from '../../server/src/explain/parts/torchPins.ts';

test('the newest Python of a release and the tag of its build', () => {
  assert.deepEqual(releaseParts({ package: 'torch', wanted: '==1.11.0+cu113' }), { python: '3.10', tag: 'cu113' });
  assert.deepEqual(releaseParts({ package: 'torchvision', wanted: '==0.13.1' }), { python: '3.10' });
  assert.deepEqual(releaseParts({ package: 'tensorflow-gpu', wanted: '==2.10.0' }), { python: '3.10' });
  assert.deepEqual(releaseParts({ package: 'torch', wanted: '>=1.11' }), {});
  assert.deepEqual(releaseParts({ package: 'numpy', wanted: '==1.26.0' }), {});
});

test('the CUDA releases that compile for an architecture', () => {
  assert.deepEqual(releaseParts({ architecture: 'compute_75' }), { since: '10.0', older: '7.0' });
  assert.deepEqual(releaseParts({ architecture: 'compute_75' }, '8.0'), { since: '10.0', older: '6.1' });
  assert.deepEqual(releaseParts({ architecture: 'sm_30' }), { since: '8.0', until: '10.2' });
  assert.deepEqual(releaseParts({ architecture: 'compute_61' }), { since: '8.0', until: '12.9' });
  assert.deepEqual(releaseParts({ architecture: 'compute_121a' }), { since: '12.9', older: '8.6' });
  assert.deepEqual(releaseParts({ architecture: '8.6+PTX' }), { since: '11.1', older: '8.0' });
  assert.deepEqual(releaseParts({ architecture: 'native' }), {});
  assert.deepEqual(releaseParts({ architecture: 'compute_999' }), {});
});

test("the torch builds for a toolkit's CUDA, of the same major version", () => {
  assert.deepEqual(releaseParts({ torch: '11.7' }), { tag: 'cu117' });
  assert.deepEqual(releaseParts({ toolkit: '12.2' }), { toolkitTag: 'cu121' });
  assert.deepEqual(releaseParts({ toolkit: '10.1' }), { toolkitTag: 'cu101' });
  assert.deepEqual(releaseParts({ toolkit: '7.5' }), {});
  // Here it is not CUDA.
  assert.deepEqual(releaseParts({ torch: '2.0.1+cu118' }), {});
});

test('the distribution that contains a module', () => {
  assert.equal(extensionParts({ module: 'selective_scan_fn' }, '', undefined).distribution, 'mamba-ssm');
  assert.equal(extensionParts({ module: 'flash_attn_2_cuda' }, '', undefined).distribution, 'flash-attn');
  assert.equal(extensionParts({ module: 'sgl_kernel' }, '', undefined).distribution, 'sgl-kernel');
});

test('the torch build in a text, for wheel URLs', () => {
  assert.deepEqual(torchParts('torch==1.12.1+cu116', undefined), {
    torchBuild: '1.12.1+cu116',
    dglWheels: 'cu116/repo.html',
  });
  assert.deepEqual(torchParts('pytorch = 1.9, cuda = 11.1, torch==1.9.0+cu111', undefined), {
    torchBuild: '1.9.0+cu111',
    dgl: 'dgl-cu111',
    dglWheels: 'repo.html',
  });
  assert.deepEqual(torchParts('torch 2.4.0+cu121', undefined), {
    torchBuild: '2.4.0+cu121',
    dglWheels: 'torch-2.4/cu121/repo.html',
  });
  assert.deepEqual(torchParts('torch==2.8.0+cu126', undefined), { torchBuild: '2.8.0+cu126' });
  // Two builds, or no CUDA build.
  assert.deepEqual(torchParts('torch==1.12.1+cu116, later torch==1.13.0+cu117', undefined), {});
  assert.deepEqual(torchParts('torch==1.12.1+cpu', undefined), {});
});

test('the tf_keras for a TensorFlow, from the first release that has one', () => {
  const pinOf = (text: string) => tensorflowParts(text, undefined).tfKerasPin;
  assert.equal(pinOf('TensorFlow Version: 2.16.1'), '~=2.16.0');
  assert.equal(pinOf('tensorflow==2.14.0'), undefined);
  assert.equal(pinOf('tensorflow==1.15.0'), undefined);
  assert.equal(pinOf('tensorflow==2.16.1 and tensorflow==2.18.0'), undefined);
});

test("the conda command for torch from PyTorch's channel, while it existed", () => {
  const cudaOf = (text: string) => torchPairParts(text, undefined).pairCuda;
  assert.equal(cudaOf('torch==1.12.1'), undefined);
  assert.equal(cudaOf('torch==2.2.1 pytorch-cuda=12.1'), '12.1');
  assert.equal(cudaOf('torch==2.2.1'), undefined);
  assert.equal(cudaOf('torch==2.7.1 pytorch-cuda=12.1'), undefined);
});
