import type { Need, Needs } from './needs.ts';

/** Other names of a package under which projects ask for it. */
const RENAMED: Readonly<Record<string, string>> = {
  pytorch: 'torch',
  'pytorch-gpu': 'torch',
  'tensorflow-gpu': 'tensorflow',
  'tensorflow-macos': 'tensorflow',
  'onnxruntime-gpu': 'onnxruntime',
  'onnxruntime-directml': 'onnxruntime',
};

/** What the chosen builds bring by themselves or replace. */
const BROUGHT =
  /^(nvidia-.*|pytorch-cuda|pytorch-mutex|cudatoolkit|cuda-.*|cudnn|cpuonly|triton|jaxlib|jax-cuda.*|tensorflow-metal|tensorflow-intel)$/;

/** Packages that compute with a framework, by the name of the framework. */
const FRAMEWORK_OF: readonly (readonly [framework: string, RegExp])[] = [
  [
    'torch',
    /^(torchvision|torchaudio|torchtext|torchmetrics|torch-.*|pyg-lib|pytorch-lightning|lightning|accelerate|diffusers|timm|ultralytics|sentence-transformers|peft|trl|bitsandbytes|deepspeed|vllm|sglang|xformers|flash-attn|openai-whisper|auto-gptq|autoawq|mamba-ssm|causal-conv1d|mmcv|torchcodec)$/,
  ],
  [
    'tensorflow',
    /^(tf-keras|tensorflow-hub|tensorflow-datasets|tensorflow-probability|tensorflow-text|keras-cv|keras-nlp)$/,
  ],
  ['jax', /^(flax|optax|orbax.*|equinox|dm-haiku)$/],
];

/** The needs under the names that are planned with, with the frameworks that they imply, and what was left out of them. */
export function completeNeeds(needs: Needs): { needs: Needs; leftOut: readonly string[] } {
  const found = new Map<string, Need>();
  const add = (need: Need) => {
    const name = RENAMED[need.name] ?? need.name;
    const before = found.get(name);
    found.set(name, before === undefined ? { ...need, name } : joined(before, need));
  };
  const brought = needs.packages.filter(({ name }) => BROUGHT.test(name));
  for (const need of needs.packages) if (!brought.includes(need)) add(need);
  const implied = (name: string, because: string) => {
    if (!found.has(name)) found.set(name, { name, extras: [], specifier: '', because: `needed by ${because}` });
  };
  for (const { name } of [...found.values()])
    for (const [framework, pattern] of FRAMEWORK_OF) if (pattern.test(name)) implied(framework, name);
  const backends = ['tensorflow', 'torch', 'jax'];
  const hasBackend = () => backends.some((name) => found.has(name));
  if (found.has('keras') && !hasBackend()) implied('tensorflow', 'keras');
  if (found.has('transformers') && !hasBackend()) implied('torch', 'transformers');
  const isBrought = hasBackend() || found.has('onnxruntime');
  if (!isBrought) for (const need of brought) add(need);
  return {
    needs: { ...needs, packages: [...found.values()] },
    leftOut: isBrought ? brought.map(({ name }) => name) : [],
  };
}

/** One need of what two places say about the same package. */
function joined(one: Need, other: Need): Need {
  const specifiers = new Set(
    [...one.specifier.split(','), ...other.specifier.split(',')].filter((each) => each !== ''),
  );
  return {
    ...one,
    extras: [...new Set([...one.extras, ...other.extras])],
    specifier: [...specifiers].join(','),
    because: one.because === other.because ? one.because : `${one.because}, ${other.because}`,
  };
}
