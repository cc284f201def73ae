import { type Gpu, knownValue } from '../../stack/facts/facts.ts';
import { shortGpuName } from '../../stack/facts/gpuName.ts';
import { visibleGpus } from '../../stack/facts/usableGpus.ts';
import { inGibibytes } from '../../stack/live/gpuLoad.ts';
import type { Judge } from '../diagnosis.ts';

/** If the share of free memory is lower, hardly any model fits. */
const NEARLY_FULL = 0.95;

export const gpuMemoryNearlyFull: Judge = {
  id: 'gpu-memory-nearly-full',
  judge(facts) {
    const full = visibleGpus(facts).filter(
      ({ memoryTotal, memoryUsed, mig }) =>
        // MIG instances have separate memory.
        !mig && memoryTotal !== null && memoryUsed !== null && memoryUsed >= memoryTotal * NEARLY_FULL,
    );
    if (full.length === 0) return [];
    const [first] = full as [Gpu];
    const others = (knownValue(facts.gpus) ?? []).filter((gpu) => !full.includes(gpu));
    return [
      {
        // It is normal for a training run to fill its GPU.
        severity: 'information',
        finding:
          full.length === 1
            ? `GPU ${first.index} has ${free(first)} of its ${gibibytes(first.memoryTotal)} free: a new program will soon run out of memory.`
            : `GPUs ${full.map(({ index }) => index).join(', ')} are nearly full: a new program will soon run out of memory there.`,
        why: full.map(({ index, name, memoryUsed, memoryTotal }) => ({
          fact: `GPU ${index} (${shortGpuName(name)}): ${gibibytes(memoryUsed)} of ${gibibytes(memoryTotal)} in use`,
          source: facts.gpus.source,
        })),
        remedies: [
          {
            do: 'run',
            title: 'See which programs use it',
            command: 'nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv',
            isCheck: true,
          },
          ...(others.length > 0
            ? [
                {
                  do: 'advise' as const,
                  title: `Use another GPU: ${others.map(({ index }) => index).join(', ')}`,
                },
              ]
            : []),
        ],
      },
    ];
  },
};

function free({ memoryTotal, memoryUsed }: Gpu): string {
  return gibibytes((memoryTotal ?? 0) - (memoryUsed ?? 0));
}

/** Converts MiB. */
function gibibytes(mebibytes: number | null): string {
  return `${inGibibytes(mebibytes ?? 0)} GiB`;
}
