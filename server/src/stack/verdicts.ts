import { documentationPage } from '../documentation.ts';
import type { StackFacts } from './facts/facts.ts';
import { possible } from './plan/possible.ts';
import { buildForOtherBoard } from './verdicts/board.ts';
import {
  buildForOtherGpu,
  cpuOnlyJax,
  cpuOnlyTensorflow,
  cpuOnlyTorch,
  pythonUnderRosetta,
  tensorflowOnWindows,
} from './verdicts/builds.ts';
import { packagesClash } from './verdicts/clashes.ts';
import { ptxNewerThanDriver, toolkitOlderThanGpu, xlaWithoutLibdevice } from './verdicts/compilers.ts';
import {
  containerLostGpus,
  containerToolkitTooOld,
  containerWithoutGpu,
  dockerDesktopWithoutGpu,
} from './verdicts/container.ts';
import { cudnnOfOtherMajor, cudnnOlderThanBuild, cudnnShadowed, cudnnWithoutGpu } from './verdicts/cudnn.ts';
import { cudaHomeMissing, libraryLinkBroken } from './verdicts/deadEnds.ts';
import { amdGpuNotPermitted, nvidiaUvmMissing } from './verdicts/deviceFiles.ts';
import { cudaLibraryMissing, driverLibraryMismatch, driverNotRunning, gpuNotStarted } from './verdicts/driver.ts';
import { driverTooOld, forwardCompatibilityOnGeforce } from './verdicts/driverVersion.ts';
import { builtForOtherTorch, toolkitMissing } from './verdicts/extensions.ts';
import { fabricManagerNotRunning } from './verdicts/fabric.ts';
import { knownFault } from './verdicts/faults.ts';
import { gpuNewerThanBuild, gpuOlderThanBuild } from './verdicts/gpuCode.ts';
import { hiddenInstallation } from './verdicts/hidden.ts';
import { installedTwice, packagesOverwrite } from './verdicts/installedTwice.ts';
import { kerasBackendMissing, kerasOfOtherRelease, kerasTooOld, tfKerasMissing } from './verdicts/keras.ts';
import { libraryPathShadows, nvidiaWheelsOlder, nvidiaWheelsOverwrite } from './verdicts/libraries.ts';
import { gpuMemoryNearlyFull } from './verdicts/memory.ts';
import { onnxruntimeOverwritten, onnxruntimeWithoutCuda, tensorflowWithoutCuda } from './verdicts/missingLibraries.ts';
import { nvidiaSmiFailing, nvidiaSmiMissing, nvidiaSmiNotPermitted } from './verdicts/nvidiaSmi.ts';
import { packageWithoutGpuCode } from './verdicts/packageCode.ts';
import { packageWithoutLibrary, packageWithoutThisGpu } from './verdicts/packages.ts';
import { pythonTooNew } from './verdicts/python.ts';
import {
  jaxPluginOfOtherRelease,
  toolkitOfOtherCuda,
  torchvisionOfOtherBuild,
  torchvisionOfOtherRelease,
} from './verdicts/releases.ts';
import { gpuWithoutRocmCode } from './verdicts/rocm.ts';
import { frameworkDoesNotImport, frameworkReportsTrouble, frameworkSeesNoGpu } from './verdicts/runtime.ts';
import { gpuInExclusiveMode, migShowsOneInstance, persistenceModeOff } from './verdicts/sharing.ts';
import type { Judge, Severity, Verdict } from './verdicts/verdict.ts';
import { deviceOrder, gpusHidden, visibleDeviceMissing } from './verdicts/visibility.ts';
import { wslLinuxDriver, wslOfFirstVersion, wslWithoutDriver, wslWithoutLibcudaLink } from './verdicts/wsl.ts';

export type { Remedy, Severity, Verdict } from './verdicts/verdict.ts';

/** Everything that can be wrong with a stack, in the order in which equally severe findings are shown. */
export const judges: readonly Judge[] = [
  driverLibraryMismatch,
  driverNotRunning,
  gpuNotStarted,
  nvidiaSmiFailing,
  nvidiaSmiNotPermitted,
  containerLostGpus,
  dockerDesktopWithoutGpu,
  containerWithoutGpu,
  containerToolkitTooOld,
  fabricManagerNotRunning,
  nvidiaUvmMissing,
  amdGpuNotPermitted,
  cudaLibraryMissing,
  forwardCompatibilityOnGeforce,
  wslLinuxDriver,
  wslWithoutDriver,
  wslOfFirstVersion,
  wslWithoutLibcudaLink,
  driverTooOld,
  buildForOtherBoard,
  hiddenInstallation,
  gpuOlderThanBuild,
  gpuNewerThanBuild,
  gpuWithoutRocmCode,
  gpusHidden,
  visibleDeviceMissing,
  migShowsOneInstance,
  gpuInExclusiveMode,
  cpuOnlyTorch,
  cpuOnlyTensorflow,
  cpuOnlyJax,
  buildForOtherGpu,
  pythonUnderRosetta,
  tensorflowOnWindows,
  tensorflowWithoutCuda,
  onnxruntimeOverwritten,
  onnxruntimeWithoutCuda,
  cudnnOfOtherMajor,
  cudnnOlderThanBuild,
  cudnnWithoutGpu,
  cudnnShadowed,
  libraryPathShadows,
  libraryLinkBroken,
  nvidiaWheelsOverwrite,
  nvidiaWheelsOlder,
  installedTwice,
  kerasBackendMissing,
  kerasTooOld,
  kerasOfOtherRelease,
  tfKerasMissing,
  torchvisionOfOtherBuild,
  torchvisionOfOtherRelease,
  jaxPluginOfOtherRelease,
  packagesClash,
  builtForOtherTorch,
  packagesOverwrite,
  packageWithoutGpuCode,
  packageWithoutThisGpu,
  packageWithoutLibrary,
  knownFault,
  frameworkDoesNotImport,
  frameworkSeesNoGpu,
  frameworkReportsTrouble,
  nvidiaSmiMissing,
  deviceOrder,
  toolkitOfOtherCuda,
  toolkitMissing,
  cudaHomeMissing,
  toolkitOlderThanGpu,
  ptxNewerThanDriver,
  xlaWithoutLibdevice,
  gpuMemoryNearlyFull,
  persistenceModeOff,
  pythonTooNew,
];

const ORDER: Severity[] = ['error', 'warning', 'information'];

/** What is wrong with this stack, worst first. Unknown and pending facts raise no verdict by their absence. */
export function judgeStack(facts: StackFacts): Verdict[] {
  return judges
    .flatMap(({ id, judge }) =>
      judge(facts).map((judgement) => ({
        id,
        ...judgement,
        remedies: possible(facts, judgement.remedies),
        page: documentationPage('stack', id),
      })),
    )
    .sort((left, right) => ORDER.indexOf(left.severity) - ORDER.indexOf(right.severity));
}
