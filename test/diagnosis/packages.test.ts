/** Requirements of packages with GPU code: each is reported if it is missing and not reported if it is met. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { gpuPackageFiles, saysNeeds } from '../../server/src/published/gpuPackages.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { type Description, describedMachine, verdictsOn } from '../stack/describedMachine.ts';

const RTX3090: Description = { gpus: ['NVIDIA GeForce RTX 3090 8.6'], driverCuda: '12.4', toolkit: '12.4.1' };
const T4: Description = { ...RTX3090, gpus: ['Tesla T4 7.5'] };
const P100: Description = { ...RTX3090, gpus: ['Tesla P100-PCIE-16GB 6.0'] };
const BLACKWELL: Description = {
  ...RTX3090,
  gpus: ['NVIDIA GeForce RTX 5090 12.0'],
  driver: '570.86.10',
  driverCuda: '12.8',
};

const code = (...files: string[]): Pick<Description, 'inPackages'> => ({
  inPackages: Object.fromEntries(files.map((file) => [file, null])),
});

/** Metadata of DeepSpeed 0.15.0's Windows wheel on PyPI. */
const DEEPSPEED_WHEEL = `version='0.15.0'
git_hash='55b4cae8'
git_branch='HEAD'
installed_ops={'async_io': False, 'fused_adam': 1, 'cpu_adam': 1, 'ragged_device_ops': False, 'transformer': 1}
accelerator_name='cuda'
torch_info={'version': '2.3', 'bf16_support': True, 'cuda_version': '12.1', 'nccl_version': '0.0', 'hip_version': '0.0'}
`;
const deepspeed = (torch: string, said: string): Description => ({
  ...RTX3090,
  torch,
  packages: ['deepspeed==0.15.0'],
  inPackages: { 'deepspeed/git_version_info_installed.py': said },
});
const installedFrom = (dist: string, url: string): Pick<Description, 'inPackages'> => ({
  inPackages: { [`${dist}.dist-info/direct_url.json`]: JSON.stringify({ archive_info: {}, url }) },
});
const FLASH_WHEEL =
  'https://github.com/Dao-AILab/flash-attention/releases/download/v2.7.4.post1/flash_attn-2.7.4.post1%2Bcu12torch2.6cxx11abiFALSE-cp310-cp310-linux_x86_64.whl';

type Case = readonly [about: string, machine: Description, verdicts: readonly string[]];

/** Installed packages and the diagnoses on them; none if everything fits. */
const CASES: readonly Case[] = [
  // DeepSpeed, whose compiled operators record their torch and CUDA
  ['DeepSpeed operators for another torch', deepspeed('2.5.1+cu121', DEEPSPEED_WHEEL), ['packages-clash']],
  [
    'for another CUDA of the family',
    { ...deepspeed('2.3.1+cu118', DEEPSPEED_WHEEL), toolkit: '11.8.0' },
    ['built-for-other-torch'],
  ],
  ['for the installed torch', deepspeed('2.3.1+cu121', DEEPSPEED_WHEEL), []],
  [
    'no compiled operators, installed with any torch',
    deepspeed('2.5.1+cu124', DEEPSPEED_WHEEL.replaceAll(': 1', ': False')),
    [],
  ],
  // A wheel installed by its URL, whose version has no tag
  [
    'flash-attn from a wheel for another torch',
    {
      ...RTX3090,
      torch: '2.5.1+cu124',
      packages: ['flash-attn==2.7.4.post1'],
      ...installedFrom('flash_attn-2.7.4.post1', FLASH_WHEEL),
    },
    ['packages-clash'],
  ],
  [
    'flash-attn from the wheel for this torch',
    {
      ...RTX3090,
      torch: '2.6.0+cu124',
      packages: ['flash-attn==2.7.4.post1'],
      ...installedFrom('flash_attn-2.7.4.post1', FLASH_WHEEL),
    },
    [],
  ],
  [
    'flash-attn 2.8.2 has no wheel for torch 2.8',
    { ...RTX3090, torch: '2.8.0+cu126', packages: ['flash-attn==2.8.2'] },
    ['built-for-other-torch'],
  ],
  ['flash-attn 2.8.3 has one', { ...RTX3090, torch: '2.8.0+cu126', packages: ['flash-attn==2.8.3'] }, []],
  // Apex: PyPI's is another project
  [
    'the apex on PyPI',
    { ...RTX3090, torch: '2.6.0+cu124', packages: ['apex==0.9.10.dev0'], ...code('apex/__init__.py') },
    ['known-fault'],
  ],
  [
    "NVIDIA's apex with its code",
    {
      ...RTX3090,
      torch: '2.6.0+cu124',
      packages: ['apex==0.1'],
      ...code('apex/__init__.py', 'amp_C.cpython-310-x86_64-linux-gnu.so'),
    },
    [],
  ],
  [
    "NVIDIA's apex without it",
    { ...RTX3090, torch: '2.6.0+cu124', packages: ['apex==0.1'], ...code('apex/__init__.py') },
    ['package-without-gpu-code'],
  ],
  // ExLlama: PyPI only has its source
  [
    "PyPI's exllamav2 without a toolkit",
    { ...RTX3090, toolkit: undefined, torch: '2.3.1+cu121', packages: ['exllamav2==0.1.9'] },
    ['toolkit-missing'],
  ],
  [
    'a wheel from its releases',
    { ...RTX3090, toolkit: undefined, torch: '2.3.1+cu121', packages: ['exllamav2==0.1.9+cu121.torch2.3.1'] },
    [],
  ],
  [
    'exllamav3 for another torch',
    { ...RTX3090, torch: '2.7.0+cu128', packages: ['exllamav3==0.0.6+cu128.torch2.8.0'] },
    ['packages-clash'],
  ],
  // TensorRT
  ['TensorRT 10 on Pascal', { ...P100, packages: ['tensorrt-cu12==10.3.0'] }, ['package-without-this-gpu']],
  ['TensorRT 10 on Turing', { ...T4, packages: ['tensorrt-cu12==10.3.0'] }, []],
  ['TensorRT 10.7 for CUDA 11 on Turing', { ...T4, packages: ['tensorrt-cu11==10.7.0'] }, []],
  // diffusers
  [
    'diffusers with a torch below its minimum',
    { ...RTX3090, torch: '2.5.1+cu124', packages: ['diffusers==0.42.1'] },
    ['packages-clash'],
  ],
  ['diffusers with its minimum torch', { ...RTX3090, torch: '2.6.0+cu124', packages: ['diffusers==0.42.1'] }, []],
  ['diffusers before it had a minimum', { ...RTX3090, torch: '2.5.1+cu124', packages: ['diffusers==0.38.0'] }, []],
  // bitsandbytes
  [
    "bitsandbytes has libraries for several CUDA versions, but not for torch's",
    {
      ...RTX3090,
      torch: '2.6.0+cu126',
      packages: ['bitsandbytes==0.43.1'],
      ...code('bitsandbytes/libbitsandbytes_cuda121.so', 'bitsandbytes/libbitsandbytes_cuda124_nocublaslt.so'),
    },
    ['package-without-gpu-code'],
  ],
  [
    "bitsandbytes has one for torch's CUDA",
    {
      ...RTX3090,
      torch: '2.6.0+cu124',
      packages: ['bitsandbytes==0.43.1'],
      ...code('bitsandbytes/libbitsandbytes_cuda121.so', 'bitsandbytes/libbitsandbytes_cuda124.so'),
    },
    [],
  ],
  // The libraries in bitsandbytes' wheels on PyPI, and those that its cextension.py loads.
  [
    'bitsandbytes 0.49 only loads the library of that CUDA',
    {
      ...RTX3090,
      torch: '2.10.0+cu128',
      packages: ['bitsandbytes==0.49.2'],
      ...code('bitsandbytes/libbitsandbytes_cuda126.so', 'bitsandbytes/libbitsandbytes_cuda130.so'),
    },
    ['package-without-gpu-code'],
  ],
  [
    'bitsandbytes since 0.50 loads another one of the same family',
    {
      ...RTX3090,
      torch: '2.10.0+cu128',
      packages: ['bitsandbytes==0.50.2'],
      ...code('bitsandbytes/libbitsandbytes_cuda126.so', 'bitsandbytes/libbitsandbytes_cuda130.so'),
    },
    [],
  ],
  [
    'bitsandbytes since 0.50 has none of that family',
    {
      ...RTX3090,
      torch: '2.10.0+cu128',
      packages: ['bitsandbytes==0.50.2'],
      ...code('bitsandbytes/libbitsandbytes_cuda130.so', 'bitsandbytes/libbitsandbytes_cuda132.so'),
    },
    ['package-without-gpu-code'],
  ],
  // Compilers
  [
    'a toolkit that supports GPUs before and after this one',
    {
      gpus: ['NVIDIA B300 10.3'],
      driver: '580.65.06',
      driverCuda: '13.0',
      toolkit: '12.8.1',
      torch: '2.9.1+cu128',
      ...code('torch/__init__.py'),
    },
    ['toolkit-older-than-gpu'],
  ],
  [
    'a toolkit that supports it',
    {
      gpus: ['NVIDIA B300 10.3'],
      driver: '580.65.06',
      driverCuda: '13.0',
      toolkit: '12.9.1',
      torch: '2.9.1+cu128',
      ...code('torch/__init__.py'),
    },
    [],
  ],
  // llama.cpp
  [
    'llama-cpp-python was built for the CPU',
    {
      ...RTX3090,
      packages: ['llama-cpp-python==0.3.8'],
      ...code('llama_cpp/lib/libggml-cpu.so', 'llama_cpp/lib/libllama.so'),
    },
    ['package-without-gpu-code'],
  ],
  [
    'llama-cpp-python was built for CUDA',
    {
      ...RTX3090,
      packages: ['llama-cpp-python==0.3.8'],
      ...code('llama_cpp/lib/libggml-cpu.so', 'llama_cpp/lib/libggml-cuda.so'),
    },
    [],
  ],
  [
    'llama-cpp-python was built for Vulkan',
    { ...RTX3090, packages: ['llama-cpp-python==0.3.8'], ...code('llama_cpp/lib/libggml-vulkan.so') },
    [],
  ],
  [
    'llama-cpp-python for the CPU, without a GPU',
    { packages: ['llama-cpp-python==0.3.8'], ...code('llama_cpp/lib/libllama.so') },
    [],
  ],
  // OpenMMLab
  [
    'mmcv without its operators',
    { ...RTX3090, torch: '2.1.0+cu121', packages: ['mmcv==2.1.0'], ...code('mmcv/__init__.py', 'mmcv/ops/nms.py') },
    ['package-without-gpu-code'],
  ],
  [
    'mmcv with them',
    {
      ...RTX3090,
      torch: '2.1.0+cu121',
      packages: ['mmcv==2.1.0'],
      ...code('mmcv/_ext.cpython-310-x86_64-linux-gnu.so'),
    },
    [],
  ],
  [
    'mmdet with a newer mmcv',
    { ...RTX3090, torch: '2.4.0+cu121', packages: ['mmcv==2.2.0', 'mmdet==3.3.0'] },
    ['packages-clash'],
  ],
  ['mmdet with its mmcv', { ...RTX3090, torch: '2.1.0+cu121', packages: ['mmcv==2.1.0', 'mmdet==3.3.0'] }, []],
  ['both OpenMMLab packages', { ...RTX3090, packages: ['mmcv==2.0.0', 'mmcv-full==1.7.2'] }, ['packages-overwrite']],
  ['both Faiss packages', { ...RTX3090, packages: ['faiss-gpu==1.7.2', 'faiss-cpu==1.8.0'] }, ['packages-overwrite']],
  [
    'both PaddlePaddle packages',
    { ...RTX3090, packages: ['paddlepaddle-gpu==2.6.2', 'paddlepaddle==2.6.2'] },
    ['packages-overwrite'],
  ],
  [
    'both ONNX Runtime packages',
    { ...RTX3090, packages: ['onnxruntime-gpu==1.20.1', 'onnxruntime==1.20.1'] },
    ['onnxruntime-overwritten'],
  ],
  ['one PaddlePaddle package', { ...RTX3090, packages: ['paddlepaddle-gpu==2.6.2'] }, []],
  // Extensions of torch
  [
    'detectron2 without its code',
    { ...RTX3090, torch: '2.4.0+cu121', packages: ['detectron2==0.6'], ...code('detectron2/__init__.py') },
    ['package-without-gpu-code'],
  ],
  [
    'detectron2 with it',
    {
      ...RTX3090,
      torch: '2.4.0+cu121',
      packages: ['detectron2==0.6'],
      ...code('detectron2/_C.cpython-310-x86_64-linux-gnu.so'),
    },
    [],
  ],
  ['an editable detectron2', { ...RTX3090, torch: '2.4.0+cu121', packages: ['detectron2==0.6'] }, []],
  [
    'torch-scatter for the CPU',
    { ...RTX3090, torch: '2.4.0+cu121', packages: ['torch-scatter==2.1.2'], ...code('torch_scatter/_scatter_cpu.so') },
    ['package-without-gpu-code'],
  ],
  [
    'torch-scatter for CPU and GPU',
    {
      ...RTX3090,
      torch: '2.4.0+cu121',
      packages: ['torch-scatter==2.1.2'],
      ...code('torch_scatter/_scatter_cpu.so', 'torch_scatter/_scatter_cuda.so'),
    },
    [],
  ],
  [
    'torch-scatter with a CPU build of torch',
    { torch: '2.4.0+cpu', packages: ['torch-scatter==2.1.2'], ...code('torch_scatter/_scatter_cpu.so') },
    [],
  ],
  [
    'apex without fused code',
    { ...RTX3090, torch: '2.4.0+cu121', packages: ['apex==0.1'], ...code('apex/__init__.py') },
    ['package-without-gpu-code'],
  ],
  [
    'apex with it',
    {
      ...RTX3090,
      torch: '2.4.0+cu121',
      packages: ['apex==0.1'],
      ...code('apex/__init__.py', 'amp_C.cpython-310-x86_64-linux-gnu.so'),
    },
    [],
  ],
  [
    'auto-gptq for an older torch',
    { ...RTX3090, torch: '2.4.0+cu121', packages: ['auto-gptq==0.7.1'] },
    ['built-for-other-torch'],
  ],
  ['auto-gptq for this torch', { ...RTX3090, torch: '2.2.1+cu121', packages: ['auto-gptq==0.7.1'] }, []],
  [
    'exllamav2 for an older torch',
    { ...RTX3090, torch: '2.6.0+cu124', packages: ['exllamav2==0.2.1+cu121.torch2.4.0'] },
    ['packages-clash'],
  ],
  [
    'exllamav2 for this torch',
    { ...RTX3090, torch: '2.4.0+cu121', packages: ['exllamav2==0.2.1+cu121.torch2.4.0'] },
    [],
  ],
  // Companions of torch
  [
    'torchcodec for another torch',
    { ...RTX3090, torch: '2.9.0+cu126', packages: ['torchcodec==0.7.0'] },
    ['packages-clash'],
  ],
  [
    'torchcodec for newer torches',
    { ...RTX3090, torch: '2.9.0+cu126', packages: ['torchcodec==0.14.0'] },
    ['packages-clash'],
  ],
  [
    'torchcodec for this and newer torches',
    { ...RTX3090, torch: '2.12.0+cu126', packages: ['torchcodec==0.14.0'] },
    [],
  ],
  ['torchcodec for this torch', { ...RTX3090, torch: '2.8.0+cu126', packages: ['torchcodec==0.7.0'] }, []],
  ['triton for a newer torch', { ...RTX3090, torch: '2.4.1+cu121', packages: ['triton==3.2.0'] }, ['packages-clash']],
  ['triton for this torch', { ...RTX3090, torch: '2.4.1+cu121', packages: ['triton==3.0.0'] }, []],
  [
    'triton-windows for a newer torch',
    {
      ...RTX3090,
      platform: 'win32',
      driver: '551.61',
      torch: '2.6.0+cu124',
      packages: ['triton-windows==3.4.0.post20'],
    },
    ['packages-clash'],
  ],
  [
    'triton-windows for this torch',
    {
      ...RTX3090,
      platform: 'win32',
      driver: '551.61',
      torch: '2.6.0+cu124',
      packages: ['triton-windows==3.2.0.post19'],
    },
    [],
  ],
  [
    'triton on a GPU that it does not support',
    { ...P100, torch: '2.4.1+cu121', packages: ['triton==3.0.0'] },
    ['package-without-this-gpu'],
  ],
  [
    'two tritons',
    { ...RTX3090, torch: '2.4.1+cu121', packages: ['triton==3.0.0', 'pytorch-triton==3.0.0'] },
    ['packages-overwrite'],
  ],
  // CuPy
  [
    'two CuPys',
    { ...RTX3090, packages: ['cupy-cuda11x==12.0.0', 'cupy-cuda12x==13.3.0'] },
    ['packages-overwrite', 'package-without-library'],
  ],
  [
    'CuPy for CUDA 12 with a CUDA 11 toolkit',
    { ...RTX3090, toolkit: '11.8.0', packages: ['cupy-cuda12x==13.3.0'] },
    ['package-without-library'],
  ],
  ['CuPy for CUDA 12 with its toolkit', { ...RTX3090, packages: ['cupy-cuda12x==13.3.0'] }, []],
  [
    "CuPy 14 with only NVIDIA's wheels",
    { ...RTX3090, toolkit: undefined, packages: ['cupy-cuda12x==14.0.0', 'nvidia-cuda-runtime-cu12==12.4.127'] },
    [],
  ],
  [
    'CuPy for CUDA 11 on Blackwell',
    { ...BLACKWELL, toolkit: '11.8.0', packages: ['cupy-cuda11x==13.3.0'] },
    ['package-without-this-gpu'],
  ],
  [
    'CuPy for CUDA 13 with a driver for 12',
    { ...RTX3090, toolkit: '13.0.0', packages: ['cupy-cuda13x==13.6.0'] },
    ['driver-too-old'],
  ],
  // CTranslate2
  [
    'CTranslate2 for cuDNN 9 with a torch for 8, on Windows',
    {
      ...RTX3090,
      platform: 'win32',
      driver: '560.94',
      torch: '2.3.1+cu121',
      packages: ['ctranslate2==4.5.0'],
      ...code('torch/lib/cudnn64_8.dll'),
    },
    ['package-without-library'],
  ],
  [
    'CTranslate2 with a matching torch, on Windows',
    {
      ...RTX3090,
      platform: 'win32',
      driver: '560.94',
      torch: '2.4.1+cu121',
      packages: ['ctranslate2==4.5.0'],
      ...code('torch/lib/cudnn64_9.dll'),
    },
    [],
  ],
  // JAX
  [
    'a JAX plugin with an older cuDNN',
    {
      ...RTX3090,
      packages: ['jax==0.6.0', 'jaxlib==0.6.0', 'jax-cuda12-plugin==0.6.0', 'nvidia-cudnn-cu12==9.1.0.70'],
      ...code('nvidia/cudnn/lib/libcudnn.so.9'),
    },
    ['cudnn-older-than-build'],
  ],
  [
    'a JAX plugin with its cuDNN',
    {
      ...RTX3090,
      packages: ['jax==0.6.0', 'jaxlib==0.6.0', 'jax-cuda12-plugin==0.6.0', 'nvidia-cudnn-cu12==9.8.0.87'],
      ...code('nvidia/cudnn/lib/libcudnn.so.9'),
    },
    [],
  ],
  [
    'an extension for another Python',
    {
      ...RTX3090,
      torch: '2.4.0+cu121',
      packages: ['detectron2==0.6'],
      ...code('detectron2/_C.cpython-312-x86_64-linux-gnu.so'),
    },
    ['package-without-gpu-code'],
  ],
  [
    'flash-attn whose wheel for that torch is broken',
    { ...RTX3090, torch: '2.1.2+cu121', packages: ['flash-attn==2.5.8'] },
    ['packages-clash'],
  ],
  [
    'flash-attn of that release with another torch',
    { ...RTX3090, torch: '2.2.2+cu121', packages: ['flash-attn==2.5.8'] },
    [],
  ],
  ['a jaxlib that JAX accepts', { packages: ['jax==0.4.26 jaxlib>=0.4.14', 'jaxlib==0.4.26'] }, []],
  [
    'a jaxlib that JAX does not accept',
    { packages: ['jax==0.4.26 jaxlib<=0.4.26,>=0.4.24', 'jaxlib==0.4.28'] },
    ['requirement-not-met'],
  ],
  [
    'another xformers release than vLLM requires',
    {
      ...RTX3090,
      torch: '2.6.0+cu124',
      packages: ['vllm==0.8.5 torch==2.6.0 xformers==0.0.29.post2', 'xformers==0.0.29.post3'],
    },
    ['requirement-not-met'],
  ],
  [
    'the xformers that vLLM requires',
    {
      ...RTX3090,
      torch: '2.6.0+cu124',
      packages: ['vllm==0.8.5 torch==2.6.0 xformers==0.0.29.post2', 'xformers==0.0.29.post2'],
    },
    [],
  ],
  [
    'vLLM for CUDA 13 with a torch for 12',
    { ...RTX3090, torch: '2.13.0+cu126', packages: ['vllm==0.30.0 torch==2.13.0'] },
    ['built-for-other-torch'],
  ],
  [
    'vLLM for CUDA 12 with a torch for 12',
    { ...RTX3090, torch: '2.10.0+cu126', packages: ['vllm==0.19.1 torch==2.10.0'] },
    [],
  ],
  [
    'vLLM from its own index with a torch for 12',
    { ...RTX3090, torch: '2.13.0+cu129', packages: ['vllm==0.30.0+cu129 torch==2.13.0'] },
    [],
  ],
  // SGLang
  [
    'another kernel release than SGLang requires',
    { ...RTX3090, packages: ['sglang==0.5.9 sgl-kernel==0.3.21', 'sgl-kernel==0.3.20'] },
    ['requirement-not-met'],
  ],
  [
    'kernels under their new name',
    { ...RTX3090, packages: ['sglang==0.5.10 sglang-kernel==0.4.1', 'sglang-kernel==0.4.2'] },
    ['requirement-not-met'],
  ],
  [
    'the kernels that SGLang requires',
    { ...RTX3090, packages: ['sglang==0.5.10 sglang-kernel==0.4.1', 'sglang-kernel==0.4.1'] },
    [],
  ],
  ['SGLang on Pascal', { ...P100, packages: ['sglang==0.5.10'] }, ['package-without-this-gpu']],
  // TensorRT
  [
    'TensorRT for CUDA 13 with a driver for 12',
    { ...RTX3090, packages: ['tensorrt-cu13==10.14.1'] },
    ['driver-too-old'],
  ],
  ['TensorRT for CUDA 12', { ...RTX3090, packages: ['tensorrt-cu12==10.7.0'] }, []],
  ['TensorRT on Pascal', { ...P100, packages: ['tensorrt-cu12==10.7.0'] }, ['package-without-this-gpu']],
  // Compilers
  [
    'DeepSpeed without a toolkit',
    { ...RTX3090, toolkit: undefined, torch: '2.6.0+cu124', packages: ['deepspeed==0.16.2'] },
    ['toolkit-missing'],
  ],
  ['DeepSpeed with one', { ...RTX3090, torch: '2.6.0+cu124', packages: ['deepspeed==0.16.2'] }, []],
  [
    'DeepSpeed with a toolkit for another CUDA',
    { ...RTX3090, toolkit: '11.8.0', torch: '2.6.0+cu124', packages: ['deepspeed==0.16.2'] },
    ['toolkit-of-other-cuda'],
  ],
  // NumPy 2
  ['ONNX Runtime compiled with NumPy 1', { packages: ['numpy==2.1.0', 'onnxruntime==1.17.0'] }, ['packages-clash']],
  ['ONNX Runtime compiled with NumPy 2', { packages: ['numpy==2.1.0', 'onnxruntime==1.20.0'] }, []],
  ['OpenCV compiled with NumPy 1', { packages: ['numpy==2.1.0', 'opencv-python==4.9.0.80'] }, ['packages-clash']],
  ['OpenCV compiled with NumPy 2', { packages: ['numpy==2.1.0', 'opencv-python==4.11.0.86'] }, []],
  // Minimum versions of frameworks
  [
    'transformers with a torch below its minimum',
    { ...T4, torch: '1.13.1+cu117', toolkit: '11.7.0', packages: ['transformers==4.49.0'] },
    ['packages-clash'],
  ],
  [
    'transformers 5 with a torch below its minimum',
    { ...T4, torch: '2.5.1+cu124', packages: ['transformers==5.23.0', 'numpy==1.26.4'] },
    ['packages-clash'],
  ],
  [
    'transformers 5 with its minimum torch',
    { ...T4, torch: '2.6.0+cu124', packages: ['transformers==5.23.0', 'numpy==1.26.4'] },
    [],
  ],
  [
    'diffusers with a torch below its minimum',
    { ...T4, torch: '2.3.1+cu121', packages: ['diffusers==0.35.1', 'numpy==1.26.4'] },
    ['packages-clash'],
  ],
  [
    'diffusers with its minimum torch',
    { ...T4, torch: '2.4.1+cu121', packages: ['diffusers==0.35.1', 'numpy==1.26.4'] },
    [],
  ],
  [
    'transformers with its minimum torch',
    { ...T4, torch: '2.1.2+cu121', packages: ['transformers==4.49.0', 'numpy==1.26.4'] },
    [],
  ],
  // Each of the others, once with a conflict and once without.
  ...[
    ['causal-conv1d==1.5.0', 'causal_conv1d/__init__.py', 'causal_conv1d_cuda.cpython-310-x86_64-linux-gnu.so'],
    ['mamba-ssm==2.2.4', 'mamba_ssm/__init__.py', 'selective_scan_cuda.cpython-310-x86_64-linux-gnu.so'],
    ['pytorch3d==0.7.8', 'pytorch3d/__init__.py', 'pytorch3d/_C.cpython-310-x86_64-linux-gnu.so'],
    ['torch-cluster==1.6.3', 'torch_cluster/_knn_cpu.so', 'torch_cluster/_knn_cuda.so'],
    ['torch-sparse==0.6.18', 'torch_sparse/_spmm_cpu.so', 'torch_sparse/_spmm_cuda.so'],
    ['torch-spline-conv==1.2.2', 'torch_spline_conv/_basis_cpu.so', 'torch_spline_conv/_basis_cuda.so'],
  ].flatMap(([one = '', always = '', gpu = '']): Case[] => {
    const machine = { ...RTX3090, torch: '2.4.0+cu121', packages: [one] };
    return [
      [`${one} without its GPU code`, { ...machine, ...code(always) }, ['package-without-gpu-code']],
      [`${one} with it`, { ...machine, ...code(always, gpu) }, []],
    ];
  }),
  ...[
    ['natten==0.17.1+torch240cu121', '2.6.0+cu124', '2.4.0+cu121', 'packages-clash'],
    ['gptqmodel==1.4.0+cu121torch2.4', '2.6.0+cu124', '2.4.0+cu121', 'packages-clash'],
    ['autoawq==0.2.0+cu121', '2.1.0+cu118', '2.4.0+cu121', 'built-for-other-torch'],
    ['autoawq-kernels==0.0.6+cu121', '2.1.0+cu118', '2.4.0+cu121', 'built-for-other-torch'],
    ['pyg-lib==0.4.0+pt24cu121', '2.6.0+cu124', '2.4.0+cu121', 'packages-clash'],
    ['torchtext==0.17.2', '2.4.0+cu121', '2.2.2+cu121', 'packages-clash'],
    ['torchdata==0.7.0', '2.2.2+cu121', '2.1.0+cu121', 'packages-clash'],
  ].flatMap(([one = '', other = '', its = '', verdict = '']): Case[] => {
    const machine = (torch: string): Description => {
      const toolkit = torch.endsWith('cu118') ? '11.8.0' : '12.4.1';
      return { ...RTX3090, toolkit, torch, packages: [one, 'numpy==1.26.4'] };
    };
    return [
      [`${one} beside torch ${other}`, machine(other), [verdict]],
      [`${one} beside torch ${its}`, machine(its), []],
    ];
  }),
  ...['flashinfer-python==0.2.5', 'gsplat==1.4.0'].flatMap((one): Case[] => {
    const { toolkit, ...without } = RTX3090;
    const machine = { torch: '2.6.0+cu124', packages: [one] };
    return [
      [`${one} without a toolkit`, { ...without, ...machine }, ['toolkit-missing']],
      [`${one} with one`, { ...without, toolkit, ...machine }, []],
    ];
  }),
  ['h5py 3 with an old TensorFlow', { packages: ['h5py==3.1.0', 'tensorflow==2.3.0'] }, ['packages-clash']],
  ['h5py 2 with an old TensorFlow', { packages: ['h5py==2.10.0', 'tensorflow==2.3.0'] }, []],
  ['protobuf 4 with an old TensorFlow', { packages: ['protobuf==4.21.0', 'tensorflow==2.10.0'] }, ['packages-clash']],
  [
    'protobuf 4 with an old TensorFlow, which its metadata exclude',
    { packages: ['protobuf==4.21.0', 'tensorflow==2.10.0 protobuf<3.20'] },
    ['requirement-not-met'],
  ],
  [
    'TensorFlow Addons with Keras 3',
    { packages: ['tensorflow-addons==0.23.0', 'tensorflow==2.16.1', 'keras==3.3.0'] },
    ['packages-clash', 'packages-clash'],
  ],
  [
    'TensorFlow Addons with Keras 2',
    { packages: ['tensorflow-addons==0.23.0', 'tensorflow==2.14.0', 'keras==2.14.0'] },
    [],
  ],
  [
    'the hub without a function that old diffusers import',
    { packages: ['huggingface-hub==0.30.2', 'diffusers==0.21.4'] },
    ['packages-clash'],
  ],
  ['the hub with it', { packages: ['huggingface-hub==0.25.2', 'diffusers==0.21.4'] }, []],
  [
    'torchvision without a module that BasicSR and GFPGAN import',
    { torch: '2.3.0', packages: ['basicsr==1.4.2', 'gfpgan==1.3.8', 'torchvision==0.18.0'] },
    ['packages-clash', 'packages-clash'],
  ],
  ['torchvision with it', { torch: '2.1.2', packages: ['basicsr==1.4.2', 'torchvision==0.16.2'] }, []],
  ['JAX with an older jaxlib', { packages: ['jax==0.4.30', 'jaxlib==0.4.20'] }, ['packages-clash']],
  ['protobuf 3 with an old TensorFlow', { packages: ['protobuf==3.20.3', 'tensorflow==2.10.0'] }, []],
  [
    'SciPy without the names that an old JAX imports',
    { packages: ['scipy==1.13.0', 'jaxlib==0.4.25', 'jax==0.4.25'] },
    ['packages-clash'],
  ],
  ['SciPy with it', { packages: ['scipy==1.12.0', 'jaxlib==0.4.25', 'jax==0.4.25'] }, []],
  [
    'TensorRT 10 with TensorFlow 2.15',
    { packages: ['tensorrt==10.3.0', 'tensorflow==2.15.0', 'keras==2.15.0'] },
    ['packages-clash'],
  ],
  ['TensorRT 8 with TensorFlow 2.15', { packages: ['tensorrt==8.6.1', 'tensorflow==2.15.0', 'keras==2.15.0'] }, []],
  ['CuPy for CUDA 10.2 on Ampere', { ...RTX3090, packages: ['cupy-cuda102==9.6.0'] }, ['package-without-this-gpu']],
  ['CuPy for CUDA 10.2 on Turing', { ...T4, packages: ['cupy-cuda102==9.6.0'] }, []],
  [
    'TensorRT for CUDA 11 with an older driver',
    { ...T4, driver: '440.33.01', driverCuda: '10.2', packages: ['tensorrt-cu11==10.0.1'] },
    ['driver-too-old'],
  ],
];

for (const [about, description, verdicts] of CASES) {
  test(about, async () => assert.deepEqual(await verdictsOn(description), verdicts));
}

test('every package with known requirements has a machine on which it is judged', () => {
  const tried = new Set(CASES.flatMap(([, { packages = [] }]) => packages.map((each) => each.split('==')[0])));
  // These have recorded machines.
  for (const name of ['torch', 'tensorflow', 'keras', 'cupy']) tried.add(name);
  assert.deepEqual(
    Object.entries(gpuPackageFiles()).flatMap(([name, file]) => (saysNeeds(file) && !tried.has(name) ? [name] : [])),
    [],
  );
});

test('a vLLM that the driver does not support is not kept with another torch', async () => {
  const machine = describedMachine({ ...RTX3090, torch: '2.13.0+cu130', packages: ['vllm==0.30.0 torch==2.13.0'] });
  const [verdict] = judgeStack(await readStack(machine));
  assert.equal(verdict?.id, 'driver-too-old');
  const commands = verdict?.remedies.flatMap(({ command }) => command ?? []) ?? [];
  assert.match(commands[0] ?? '', /install --upgrade "vllm>=0\.17\.0,<0\.20\.0"$/);
  assert.ok(commands.every((command) => !command.includes('torch')));
});

test('packages that the driver does not support are replaced', async () => {
  const remediesOf = async (description: Description) => {
    const [verdict] = judgeStack(await readStack(describedMachine({ ...RTX3090, ...description })));
    return verdict?.remedies.flatMap(({ command }) => command ?? []).join('\n') ?? '';
  };
  const jax = ['jax==0.8.1', 'jaxlib==0.8.1', 'jax-cuda13-plugin==0.8.1', 'jax-cuda13-pjrt==0.8.1'];
  assert.match(
    await remediesOf({ packages: jax }),
    /uninstall --yes jax-cuda13-plugin .*\n.*"jax\[cuda12\]==0\.8\.1"$/,
  );
  const info = "package_name = 'onnxruntime-gpu'\n__version__ = '1.31.1'\ncuda_version = '13.0'\n";
  const onnxruntime = {
    python: '3.12.4',
    packages: ['onnxruntime-gpu==1.31.1'],
    inPackages: { 'onnxruntime/capi/build_and_package_info.py': info },
  };
  assert.match(await remediesOf(onnxruntime), /"onnxruntime-gpu\[cuda,cudnn\]==1\.26\.\*"/);
  // If no cuDNN exists, one of another release does not help, and the installed one must be found.
  const whisper = await remediesOf({ packages: ['ctranslate2==4.8.5'] });
  assert.match(whisper, /"nvidia-cudnn-cu12==9\.\*" nvidia-cublas-cu12\nexport LD_LIBRARY_PATH=/);
  assert.doesNotMatch(whisper, /ctranslate2==/);
});

test('the recommended flash-attn has a wheel for the current torch', async () => {
  const machine = describedMachine({
    ...RTX3090,
    torch: '2.6.0+cu124',
    packages: ['flash-attn==2.6.3'],
    ...code('flash_attn_2_cuda.cpython-311-x86_64-linux-gnu.so'),
  });
  const [verdict] = judgeStack(await readStack(machine));
  assert.match(verdict?.remedies[0]?.command ?? '', /flash-attn==2\.7\.4\.post1/);
});

test('the recommended toolkit supports the GPU', async () => {
  const remedyFor = async (gpu: string, toolkit: string, torch: string) => {
    const machine = describedMachine({ ...RTX3090, gpus: [gpu], toolkit, torch, ...code('torch/__init__.py') });
    const verdicts = judgeStack(await readStack(machine));
    return verdicts.find(({ id }) => id === 'toolkit-older-than-gpu')?.remedies[0];
  };
  const ofTorch = await remedyFor('NVIDIA GeForce RTX 4090 8.9', '11.5.1', '2.1.2+cu121');
  assert.match(ofTorch?.command ?? '', /cuda-12\.1$/);
  const ofSameMajor = await remedyFor('NVIDIA GeForce RTX 3090 8.6', '11.0.3', '1.7.1+cu110');
  assert.match(ofSameMajor?.command ?? '', /cuda-11\.1$/);
  const ofOtherTorch = await remedyFor('GeForce RTX 2060 7.5', '9.2.148', '1.3.0+cu92');
  assert.match(ofOtherTorch?.title ?? '', /install a torch for CUDA 10\.0 or newer/);
});
