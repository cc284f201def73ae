import type { Action } from '../../commands/action.ts';
import { calling, shellOf } from '../../commands/shells.ts';
import { isUnknown, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { gpusAreThere } from '../../stack/facts/gpuName.ts';
import { installedFrameworks } from '../../stack/facts/installed.ts';
import { onChip, usableGpus } from '../../stack/facts/usableGpus.ts';
import { gpuFailureIn } from '../../stack/runtime/gpuFailures.ts';
import type { Judge } from '../diagnosis.ts';
import { installFittingTorch } from '../remedies/installTorch.ts';
import { buildForOtherBoard } from './board.ts';
import { cudnnOfOtherMajor, cudnnOlderThanBuild, cudnnShadowed, cudnnWithoutGpu } from './cudnn.ts';
import { cudaLibraryMissing, fabricManagerNotRunning } from './driver.ts';
import { driverTooOld, forwardCompatibilityOnGeforce } from './driverVersion.ts';
import { gpuNewerThanBuild, gpuOlderThanBuild } from './gpuCode.ts';
import { hiddenInstallation } from './installedTwice.ts';
import { libraryPathShadows } from './libraries.ts';
import { onnxruntimeWithoutCuda, tensorflowWithoutCuda } from './missingLibraries.ts';
import { jaxPluginOfOtherRelease } from './releases.ts';
import { packagesClash } from './requirements.ts';
import { migShowsOneInstance } from './sharing.ts';
import { nvidiaUvmMissing } from './visibility.ts';
import { wslLinuxDriver } from './wsl.ts';

/** Diagnoses that explain why a framework sees no GPU. */
const EXPLANATIONS: readonly Judge[] = [
  cudaLibraryMissing,
  driverTooOld,
  forwardCompatibilityOnGeforce,
  gpuOlderThanBuild,
  tensorflowWithoutCuda,
  onnxruntimeWithoutCuda,
  jaxPluginOfOtherRelease,
  wslLinuxDriver,
  nvidiaUvmMissing,
  fabricManagerNotRunning,
];

/** Diagnoses that explain why a framework does not start. */
const REASONS: readonly Judge[] = [
  buildForOtherBoard,
  hiddenInstallation,
  packagesClash,
  migShowsOneInstance,
  libraryPathShadows,
];

function isExplained(facts: StackFacts): boolean {
  return REASONS.some(({ judge }) => judge(facts).some(({ severity }) => severity !== 'information'));
}

/** The framework was run and sees no GPU, although all files are compatible. */
export const frameworkSeesNoGpu: Judge = {
  id: 'framework-sees-no-gpu',
  judge(facts) {
    const gpus = usableGpus(facts);
    if (!gpus?.length || EXPLANATIONS.some(({ judge }) => judge(facts).length > 0)) return [];
    return installedFrameworks(facts).flatMap(({ framework, build, title, source }) => {
      const runtime = facts.runtime[framework];
      const said = knownValue(runtime);
      if (build.target !== 'cuda' || !said || said.devices.length > 0) return [];
      return [
        {
          framework,
          severity: 'warning' as const,
          finding: `${title} sees no GPU, although ${gpusAreThere(gpus)}.`,
          why: [
            { fact: said.failure ?? 'it lists no device and gives no reason', source: runtime.source },
            { fact: gpusAreThere(gpus), source: facts.gpus.source },
            { fact: `${title} is built for CUDA`, source },
          ],
          remedies: () => remediesFor(facts, said.failure ?? ''),
        },
      ];
    });
  },
};

/** Remedies that the message catalogue has for the framework's message. */
function remediesFor(facts: StackFacts, failure: string): Action[] {
  const ownKernel = knownValue(facts.os)?.family === 'linux' && !knownValue(facts.container) && !knownValue(facts.wsl);
  const { remedies = [] } = gpuFailureIn(failure)?.unchecked ?? {};
  const known = remedies.filter(({ when }) => when === undefined || (when === 'on-linux' && ownKernel));
  if (known.length === 0) {
    const fitting = onChip(facts) ? installFittingTorch(facts) : [];
    if (fitting.length > 0) return fitting;
    return [
      {
        do: 'advise',
        title: 'Restart the program, then the machine; the page explains the messages',
      },
    ];
  }
  return known.map(({ title, command }) =>
    command === undefined ? { do: 'advise', title } : { do: 'run', title, command },
  );
}

/** The framework's state is unknown: its `import` failed or hung. */
export const frameworkDoesNotImport: Judge = {
  id: 'framework-does-not-import',
  judge: (facts) =>
    installedFrameworks(facts).flatMap(({ framework, title, source }) => {
      const fact = facts.runtime[framework];
      if (!isUnknown(fact) || !['failed', 'timedOut'].includes(fact.cause)) return [];
      const late = fact.cause === 'timedOut';
      return [
        {
          framework,
          severity: late ? ('warning' as const) : ('error' as const),
          finding: late
            ? `${title} took too long to list its GPUs and was stopped.`
            : `${title} fails when it lists its GPUs.`,
          why: [
            { fact: fact.unknown, source: fact.source },
            { fact: `${title} is installed`, source },
          ],
          remedies: () =>
            isExplained(facts)
              ? []
              : [
                  {
                    do: 'run' as const,
                    title: 'Import it in a terminal, which may show more details',
                    command: `${calling(knownValue(facts.interpreter)?.path ?? 'python', shellOf(facts))} -c "import ${framework}"`,
                    isCheck: true as const,
                  },
                ],
        },
      ];
    }),
};

/** The framework can use the GPU, but has reported a problem with it. */
export const frameworkReportsTrouble: Judge = {
  id: 'framework-reports-trouble',
  judge: (facts) =>
    installedFrameworks(facts).flatMap(({ framework, title, source }) => {
      const runtime = facts.runtime[framework];
      const said = knownValue(runtime);
      if (!said?.failure || said.devices.length === 0 || isAccountedFor(facts)) return [];
      const isError = /(^|\s)\w*Error\b/.test(said.failure);
      return [
        {
          framework,
          severity: isError ? ('warning' as const) : ('information' as const),
          finding: `${title} sees the GPU and ${isError ? 'reports an error' : 'warns'}: ${firstSentence(said.failure)}`,
          why: [
            { fact: said.failure, source: runtime.source },
            { fact: `${title} is installed`, source },
          ],
          remedies: () => [],
        },
      ];
    }),
};

/** Diagnoses that report the same problem in more detail. */
const CAUSES: readonly Judge[] = [
  gpuOlderThanBuild,
  gpuNewerThanBuild,
  cudnnOfOtherMajor,
  cudnnOlderThanBuild,
  cudnnShadowed,
  cudnnWithoutGpu,
];

function isAccountedFor(facts: StackFacts): boolean {
  return CAUSES.some(({ judge }) => judge(facts).length > 0);
}

function firstSentence(text: string): string {
  const sentence = text.split(/(?<=[.!?])\s|;\s/)[0] ?? text;
  const short = sentence.length > 160 ? `${sentence.slice(0, 160)}…` : sentence;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
