import { type Gpu, knownValue } from '../../stack/facts/facts.ts';
import { listOf, shortGpuName } from '../../stack/facts/gpuName.ts';
import { visibleGpus } from '../../stack/facts/usableGpus.ts';
import { inGibibytes } from '../../stack/live/gpuLoad.ts';
import type { Judge, Judgement } from '../diagnosis.ts';

/** A CUDA program sees only one MIG instance, the first, however many GPUs are listed. */
export const migShowsOneInstance: Judge = {
  id: 'mig-shows-one-instance',
  judge(facts) {
    const gpus = knownValue(facts.gpus) ?? [];
    const split = gpus.filter(({ mig }) => mig);
    const value = knownValue(facts.variables)?.CUDA_VISIBLE_DEVICES;
    const named = value === undefined ? gpus.length : value.split(',').length;
    if (split.length === 0 || gpus.length < 2 || named < 2 || value?.includes('MIG-')) return [];
    const instance = split.flatMap(({ migInstances }) => migInstances)[0];
    return [
      {
        severity: value === undefined ? 'information' : 'warning',
        finding: `MIG splits ${split.length === gpus.length ? 'the GPUs' : 'some GPUs'}, so a CUDA program sees one instance of one GPU, not ${named} GPUs ("device >= 0 && device < num_gpus").`,
        why: [
          { fact: `MIG is enabled on GPU ${split.map(({ index }) => index).join(', ')}`, source: facts.gpus.source },
          ...(value === undefined ? [] : [{ fact: `CUDA_VISIBLE_DEVICES="${value}"`, source: facts.variables.source }]),
        ],
        remedies: () => [
          {
            do: 'set',
            title: 'Select one instance for each process',
            variable: 'CUDA_VISIBLE_DEVICES',
            value: instance?.uuid ?? 'MIG-UUID',
          },
          {
            do: 'run',
            title: 'If you need whole GPUs, disable MIG, as root and while nothing uses them',
            command: 'sudo nvidia-smi -mig 0',
          },
        ],
      },
    ];
  },
};

/** A mode that an administrator sets for each GPU: only one process at a time, or none. */
export const gpuInExclusiveMode: Judge = {
  id: 'gpu-in-exclusive-mode',
  judge(facts) {
    const gpus = knownValue(facts.gpus) ?? [];
    return (['Prohibited', 'Exclusive_Process'] as const).flatMap((mode): Judgement[] => {
      const indexes = gpus.filter(({ computeMode }) => computeMode === mode).map(({ index }) => `${index}`);
      if (indexes.length === 0) return [];
      const isClosed = mode === 'Prohibited';
      const [named, are, them] = indexes.length > 1 ? ['GPUs', 'are', 'them'] : ['GPU', 'is', 'it'];
      const allow = indexes.length > 1 ? 'each allow' : 'allows';
      return [
        {
          severity: isClosed ? 'warning' : 'information',
          finding: isClosed
            ? `${named} ${listOf(indexes)} ${are} in "Prohibited" mode: no program can compute on ${them}.`
            : `${named} ${listOf(indexes)} ${allow} one process at a time: a second one fails ("devices are busy or unavailable"), even if it only touches "cuda:0".`,
          why: [{ fact: `compute mode ${mode}`, source: facts.gpus.source }],
          remedies: () => [
            ...(isClosed
              ? []
              : [
                  {
                    do: 'advise' as const,
                    title: 'Call torch.cuda.set_device(local_rank) before any other use of CUDA',
                  },
                ]),
            {
              do: 'run',
              title: `Open ${them} to all processes, as root`,
              command: `sudo nvidia-smi -i ${indexes.join(',')} -c DEFAULT`,
            },
          ],
        },
      ];
    });
  },
};

/** The number of GPUs at which initializing them takes long when no program uses them. */
const MANY = 4;

/** A driver that shuts down a server's GPUs whenever no program uses them. */
export const persistenceModeOff: Judge = {
  id: 'persistence-mode-off',
  judge(facts) {
    const gpus = knownValue(facts.gpus) ?? [];
    // In a scheduler's job, others use the remaining GPUs, and the user cannot change this.
    const variables = knownValue(facts.variables);
    const isJob = variables === undefined || variables.CUDA_VISIBLE_DEVICES !== undefined;
    const shared = isJob || knownValue(facts.wsl) || knownValue(facts.container);
    const isServer = gpus.length >= MANY && gpus.every(({ name }) => !/GeForce|RTX|Quadro|TITAN/i.test(name));
    if (shared || !isServer || !gpus.every(({ persistence }) => persistence === false)) return [];
    return [
      {
        severity: 'information',
        finding: `The driver releases the ${gpus.length} GPUs whenever no program uses them, so the next CUDA program takes many seconds to start.`,
        why: [{ fact: 'persistence mode is off for all of them', source: facts.gpus.source }],
        remedies: () => [
          { do: 'run', title: 'Enable persistence mode, as root', command: 'sudo nvidia-smi -pm 1' },
          {
            do: 'run',
            title: 'Enable it whenever the machine starts',
            command: 'sudo systemctl enable --now nvidia-persistenced',
          },
        ],
      },
    ];
  },
};

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
        remedies: () => [
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
