/** Errors on recorded machines: the machine confirms one cause and rules out others. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explainCase } from '../cases/explainCase.ts';

interface Expected {
  /** Undefined if the machine confirms none. */
  readonly confirmed?: string;
  readonly ruledOut?: readonly string[];
  /** The evidence of the confirmed cause. */
  readonly evidence?: RegExp;
  readonly remedy?: RegExp;
  /** Causes that must not be shown here. */
  readonly never?: RegExp;
}

const NO_KERNEL = 'torch: RuntimeError: CUDA error: no kernel image is available for execution on the device';
const NOT_COMPILED = 'AssertionError: Torch not compiled with CUDA enabled';

const SITUATIONS: readonly (readonly [machine: string, text: string, expected: Expected])[] = [
  [
    'rtx3090-cpu-torch',
    NOT_COMPILED,
    {
      confirmed: 'build-for-cpu',
      ruledOut: ['cuda-on-mac'],
      evidence: /torch 2\.9\.0\+cpu is built for the CPU only and cannot use the RTX 3090/,
      remedy: /^Install torch 2\.9\.0 for CUDA 12\.8/,
      never: /cu126/,
    },
  ],
  ['everything-installed', NOT_COMPILED, { ruledOut: ['build-for-cpu', 'cuda-on-mac'] }],
  [
    'docker-without-gpus',
    'RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU',
    {
      confirmed: 'container-without-driver',
      ruledOut: ['wsl-driver', 'cuda-build-beside-amd'],
      evidence: /This container \(Docker\) was started without the host's GPUs/,
      remedy: /GPUs/,
    },
  ],
  [
    'blackwell-with-old-wheel',
    NO_KERNEL,
    {
      confirmed: 'gpu-newer-than-build',
      ruledOut: ['gpu-older-than-build', 'jetson-with-server-wheel', 'amd-without-code'],
      evidence: /RTX 5090 is too new for torch 2\.5\.1\+cu124, which has code for compute capability 5\.0 to 9\.0/,
      remedy: /^Install torch 2\.7\.1 for CUDA 12\.8/,
      never: /tensorflow|Kepler/i,
    },
  ],
  [
    'gtx1080-with-cuda13',
    NO_KERNEL,
    {
      confirmed: 'gpu-older-than-build',
      ruledOut: ['gpu-newer-than-build'],
      evidence: /GTX 1080 is too old for torch 2\.11\.0\+cu130/,
      remedy: /for CUDA 12\.6/,
      never: /Kepler|cu128/,
    },
  ],
  [
    'flash-attn-on-turing',
    `from flash_attn import flash_attn_func\n${NO_KERNEL}`,
    {
      confirmed: 'extension-built-elsewhere',
      ruledOut: ['gpu-newer-than-build', 'gpu-older-than-build'],
      evidence:
        /flash-attn 2\.7\.4\.post1 needs a GPU with compute capability 8\.0 or newer and does not run on the T4/,
      never: /TORCH_CUDA_ARCH_LIST/,
    },
  ],
  [
    'visible-devices-missing',
    'RuntimeError: CUDA error: invalid device ordinal',
    {
      confirmed: 'gpus-hidden',
      ruledOut: ['mig-hides-devices'],
      evidence: /CUDA_VISIBLE_DEVICES="0,4,1" names "4", which does not exist/,
    },
  ],
  [
    'memory-full',
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB.',
    { confirmed: 'memory-taken-by-others', evidence: /24102 of 24576 MiB/ },
  ],
  [
    'cudnn-on-library-path',
    'RuntimeError: cuDNN version incompatibility: PyTorch was compiled against (9, 10, 2) but found runtime version (9, 1, 0).',
    { confirmed: 'library-path-shadows', evidence: /cuDNN 9\.5\.1 on LD_LIBRARY_PATH/ },
  ],
  [
    'tensorflow-without-cuda-libraries',
    'W tensorflow/core/common_runtime/gpu/gpu_device.cc:2348] Cannot dlopen some GPU libraries.',
    {
      confirmed: 'libraries-missing',
      ruledOut: ['on-windows'],
      evidence: /tensorflow 2\.19\.1 needs CUDA 12 and cuDNN 9/,
      never: /install[^\n]* torch/,
    },
  ],
  [
    'rtx3090-cpu-torch',
    'I tensorflow/core/common_runtime/gpu Could not find cuda drivers on your machine, GPU will not be used.',
    {
      // The torch next to it is a CPU build, which does not matter for TensorFlow.
      ruledOut: ['no-driver', 'no-gpu-here', 'container-without-gpu', 'on-windows'],
      never: /download\.pytorch\.org/,
    },
  ],
  [
    'driver-library-mismatch',
    'Failed to initialize NVML: Driver/library version mismatch',
    {
      confirmed: 'updated-without-restart',
      ruledOut: ['wsl-library-shadowed', 'compat-library'],
      evidence: /loaded kernel module have different versions, as after an update/,
      remedy: /^Restart the machine/,
    },
  ],
  [
    'h100-without-fabric-manager',
    'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized',
    { confirmed: 'fabric-manager', evidence: /6 NVSwitches connect the GPUs/, remedy: /570\.133\.20/ },
  ],
  [
    'torchvision-of-older-release',
    'RuntimeError: operator torchvision::nms does not exist',
    { confirmed: 'other-release', evidence: /torchvision 0\.22\.1 does not match torch 2\.9\.0/ },
  ],
  [
    'driver-too-old',
    'RuntimeError: The NVIDIA driver on your system is too old (found version 11040).',
    {
      confirmed: 'driver-too-old',
      evidence: /driver 470\.256\.02 is too old for torch 2\.3\.1\+cu121, which needs 525\.60\.13/,
      remedy: /525\.60\.13 or newer/,
    },
  ],
];

describe('errors on a machine', () => {
  for (const [machine, text, { confirmed, ruledOut = [], evidence, remedy, never }] of SITUATIONS)
    test(`${machine}: ${text.split('\n').at(-1)?.slice(0, 60)}`, async () => {
      const [first] = await explainCase({ text, machine });
      assert.ok(first);
      const [cause] = first.causes;
      const reported = first.causes.map(({ id }) => id);
      assert.equal(cause?.standing === 'confirmed' ? cause.id : undefined, confirmed, JSON.stringify(first.causes));
      for (const id of ruledOut) assert.ok(!reported.includes(id), `${id} is not ruled out of ${reported}`);
      if (evidence) assert.match(cause?.evidence.join(' ') ?? '', evidence);
      if (remedy) assert.match(first.remedies[0]?.title ?? '', remedy);
      if (never) assert.doesNotMatch(JSON.stringify([first.remedies, first.questions]), never);
    });
});

describe('a version that a message prints as one number', () => {
  test('is written in the usual form', async () => {
    const [old] = await explainCase({ text: 'The NVIDIA driver on your system is too old (found version 11040).' });
    assert.match(old?.meaning ?? '', /CUDA up to 11\.4,/);
    const [cudnn] = await explainCase({
      text: 'Found cuDNN version 8700, but JAX was built against version 90100, which is newer.',
    });
    assert.match(cudnn?.meaning ?? '', /built with cuDNN 9\.1\.0, and the loader found 8\.7\.0/);
    assert.ok(cudnn?.remedies.some(({ command }) => command?.includes('nvidia-cudnn-cu12==9.*')));
  });

  test('decides which build is offered', async () => {
    const commands = async (found: number) => {
      const text = `The NVIDIA driver on your system is too old (found version ${found}).`;
      const [first] = await explainCase({ text });
      return first?.remedies.map(({ command }) => command ?? '').join() ?? '';
    };
    assert.match(await commands(11040), /cu118/);
    assert.doesNotMatch(await commands(11040), /cu126/);
    assert.match(await commands(12020), /cu126/);
    assert.doesNotMatch(await commands(10020), /index-url/);
  });
});
