import { isUnknown, knownValue } from '../facts.ts';
import { nameGpus } from '../gpuName.ts';
import { wslLinuxDriver } from './container.ts';
import { cudaLibraryMissing, driverTooOld, forwardCompatibilityOnGeforce } from './driver.ts';
import { installedFrameworks } from './frameworks.ts';
import { gpuOlderThanBuild } from './gpuCode.ts';
import { usableGpus } from './gpus.ts';
import { onnxruntimeWithoutCuda, tensorflowWithoutCuda } from './missingLibraries.ts';
import { jaxPluginOfOtherRelease } from './releases.ts';
import type { Judge } from './verdict.ts';

/** Where one of these is given, it is the reason. */
const EXPLANATIONS: readonly Judge[] = [
  cudaLibraryMissing,
  driverTooOld,
  forwardCompatibilityOnGeforce,
  gpuOlderThanBuild,
  tensorflowWithoutCuda,
  onnxruntimeWithoutCuda,
  jaxPluginOfOtherRelease,
  wslLinuxDriver,
];

/** The framework was asked, and sees no GPU although all that files tell fits. */
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
          severity: 'warning' as const,
          finding: `${title} sees no GPU, although the ${nameGpus(gpus)} is there.`,
          why: [
            { fact: said.failure ?? 'it lists no device and says no more', source: runtime.source },
            { fact: `${nameGpus(gpus)} is there`, source: facts.gpus.source },
            { fact: `${title} is built for CUDA`, source },
          ],
          remedies: [
            {
              title: 'Load the module that CUDA needs beside the driver anew (Linux)',
              command: 'sudo modprobe -r nvidia_uvm && sudo modprobe nvidia_uvm',
            },
            { title: 'Restart the machine where that does not help' },
          ],
        },
      ];
    });
  },
};

/** Nothing is known of it: `import` failed, or never came back. */
export const frameworkDoesNotImport: Judge = {
  id: 'framework-does-not-import',
  judge: ({ runtime, frameworks }) =>
    (['torch', 'tensorflow', 'jax', 'onnxruntime'] as const).flatMap((framework) => {
      const fact = runtime[framework];
      const build = knownValue(frameworks[framework]);
      if (!build || !isUnknown(fact) || !['failed', 'timedOut'].includes(fact.cause)) return [];
      const late = fact.cause === 'timedOut';
      return [
        {
          severity: late ? ('warning' as const) : ('error' as const),
          finding: late
            ? `Asking ${build.name} ${build.version} for its GPUs took too long and was ended.`
            : `${build.name} ${build.version} fails when it is asked for its GPUs.`,
          why: [
            { fact: fact.unknown, source: fact.source },
            { fact: `${build.name} ${build.version} is installed`, source: frameworks[framework].source },
          ],
          remedies: [
            { title: 'Try it in a terminal, where it can say more', command: `python -c "import ${framework}"` },
          ],
        },
      ];
    }),
};
