import { codeOfRocm, newestRocmFor } from '../../published/releases/rocmReleases.ts';
import { knownValue } from '../../stack/facts/facts.ts';
import { listOf } from '../../stack/facts/gpuName.ts';
import { installedFrameworks } from '../../stack/facts/installed.ts';
import type { Judge } from '../diagnosis.ts';
import { installRocmWheels, pretendingToBe } from '../remedies/installTorch.ts';

/** ROCm wheels contain code for only a dozen of AMD's GPUs. */
export const gpuWithoutRocmCode: Judge = {
  id: 'gpu-without-rocm-code',
  judge(facts) {
    const torch = installedFrameworks(facts).find(({ framework }) => framework === 'torch');
    const amd = knownValue(facts.otherAccelerators)?.find(({ vendor }) => vendor === 'amd');
    const isPublished = /\+rocm[\d.]+$/.test(torch?.build.version ?? '');
    const code = torch?.build.rocm && isPublished ? codeOfRocm(torch.build.version, torch.build.rocm) : undefined;
    const overridden = knownValue(facts.variables)?.HSA_OVERRIDE_GFX_VERSION !== undefined;
    if (torch === undefined || amd === undefined || code === undefined || overridden) return [];
    const architectures = amd.devices.map(({ architecture }) => architecture ?? '');
    const [first] = architectures;
    if (!first || architectures.some((each) => each === '' || code.includes(each))) return [];
    const python = knownValue(facts.interpreter)?.version?.match(/^\d+\.\d+/)?.[0];
    const newest = newestRocmFor(first, python);
    return [
      {
        severity: 'warning',
        finding: `${torch.title} has no code for AMD's ${listOf([...new Set(architectures)])}: it sees no GPU, or fails with "invalid device function".`,
        why: [
          { fact: `${first} was found`, source: amd.sign },
          {
            fact: `PyTorch's wheels of that release for ROCm ${torch.build.rocm} have code for ${code.join(', ')}`,
            source: torch.source,
          },
        ],
        remedies: [
          ...pretendingToBe(first),
          ...(newest === undefined
            ? [
                {
                  do: 'advise' as const,
                  title: 'Use the CPU: PyTorch publishes no build for this GPU and Python version',
                },
              ]
            : [
                installRocmWheels(
                  facts,
                  `Install torch ${newest.torch} for ROCm ${newest.rocm}, which has code for it,`,
                  newest.torch,
                  newest.rocm,
                ),
              ]),
        ],
      },
    ];
  },
};
