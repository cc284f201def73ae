import { knownValue } from '../facts/facts.ts';
import { listOf } from '../facts/gpuName.ts';
import { installedFrameworks } from '../facts/installed.ts';
import { pretendingToBe } from '../plan/installTorch.ts';
import { codeOfRocm, firstRocmFor } from '../releases/rocmReleases.ts';
import type { Judge } from './verdict.ts';

/** Wheels for ROCm hold code for a dozen of AMD's GPUs, and for no other. */
export const gpuWithoutRocmCode: Judge = {
  id: 'gpu-without-rocm-code',
  judge(facts) {
    const torch = installedFrameworks(facts).find(({ framework }) => framework === 'torch');
    const amd = knownValue(facts.otherAccelerators)?.find(({ vendor }) => vendor === 'amd');
    const isPublished = /\+rocm[\d.]+$/.test(torch?.build.version ?? '');
    const code = torch?.build.rocm && isPublished ? codeOfRocm(torch.build.rocm) : undefined;
    const overridden = knownValue(facts.variables)?.HSA_OVERRIDE_GFX_VERSION !== undefined;
    if (torch === undefined || amd === undefined || code === undefined || overridden) return [];
    const architectures = amd.devices.map(({ architecture }) => architecture ?? '');
    const [first] = architectures;
    if (!first || architectures.some((each) => each === '' || code.includes(each))) return [];
    const newer = firstRocmFor(first);
    return [
      {
        severity: 'warning',
        finding: `${torch.title} holds no code for the ${listOf([...new Set(architectures)])} of AMD: it sees none, or fails with "invalid device function".`,
        why: [
          { fact: `${first} is there`, source: amd.sign },
          {
            fact: `PyTorch's wheels for ROCm ${torch.build.rocm} hold code for ${code.join(', ')}`,
            source: torch.source,
          },
        ],
        remedies: [
          ...pretendingToBe(facts, first),
          ...(newer === undefined
            ? [{ title: 'Use the CPU: PyTorch publishes no code for this GPU' }]
            : [{ title: `Install a torch for ROCm ${newer} or newer (https://pytorch.org/get-started/locally/)` }]),
        ],
      },
    ];
  },
};
