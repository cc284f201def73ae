import { knownValue } from '../facts.ts';
import { nameGpus } from '../gpuName.ts';
import { installFittingTorch } from './torchInstallation.ts';
import type { Judge } from './verdict.ts';
import { usableGpus } from './visibility.ts';

export const cpuOnlyTorch: Judge = {
  id: 'cpu-only-torch',
  judge(facts) {
    const torch = knownValue(facts.frameworks.torch);
    const gpus = usableGpus(facts);
    if (torch?.target !== 'cpu' || !gpus?.length) return [];
    const { tensorflow, jax } = facts.frameworks;
    // A torch for the CPU beside JAX or TensorFlow on the GPU is how Keras advises to install them.
    const other = [tensorflow, jax].some((fact) => knownValue(fact)?.target === 'cuda');
    const driver = knownValue(facts.driver);
    const remedies = installFittingTorch(facts);
    return [
      {
        severity: other ? 'information' : 'warning',
        finding: `torch ${torch.version} is built for the CPU only and cannot use the ${nameGpus(gpus)}.`,
        why: [
          { fact: `torch ${torch.version} is built without CUDA`, source: facts.frameworks.torch.source },
          {
            fact: `${nameGpus(gpus)} works${driver === undefined ? '' : ` with driver ${driver}`}`,
            source: facts.gpus.source,
          },
        ],
        remedies:
          remedies.length > 0
            ? remedies
            : [{ title: 'No wheel of torch is known to fit this driver and GPU: update the NVIDIA driver first' }],
      },
    ];
  },
};
