import { documentationPage } from '../documentation.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import type { DiagnosisSeverity, Judge, Verdict } from './diagnosis.ts';
import { buildForOtherBoard } from './judges/board.ts';
import {
  buildForOtherGpu,
  cpuOnlyJax,
  cpuOnlyTensorflow,
  cpuOnlyTorch,
  pythonTooNew,
  pythonUnderRosetta,
  tensorflowOnWindows,
} from './judges/builds.ts';
import { ptxNewerThanDriver, toolkitOlderThanGpu, xlaWithoutLibdevice } from './judges/compilers.ts';
import {
  containerLostGpus,
  containerToolkitTooOld,
  containerWithoutGpu,
  dockerDesktopWithoutGpu,
} from './judges/container.ts';
import { cudnnOfOtherMajor, cudnnOlderThanBuild, cudnnShadowed, cudnnWithoutGpu } from './judges/cudnn.ts';
import {
  cudaLibraryMissing,
  driverLibraryMismatch,
  driverNotRunning,
  fabricManagerNotRunning,
  gpuNotStarted,
} from './judges/driver.ts';
import { driverTooOld, forwardCompatibilityOnGeforce } from './judges/driverVersion.ts';
import { builtForOtherTorch, toolkitMissing } from './judges/extensions.ts';
import { cudaHomeMissing, knownFault, libraryLinkBroken } from './judges/faults.ts';
import { gpuNewerThanBuild, gpuOlderThanBuild, gpuWithoutRocmCode } from './judges/gpuCode.ts';
import {
  filesLost,
  hiddenInstallation,
  installedTwice,
  packagesOverwrite,
  wheelOfOtherPython,
} from './judges/installedTwice.ts';
import { kerasBackendMissing, kerasOfOtherRelease, kerasTooOld, tfKerasMissing } from './judges/keras.ts';
import { libraryPathShadows, nvidiaWheelsOlder, nvidiaWheelsOverwrite } from './judges/libraries.ts';
import { onnxruntimeOverwritten, onnxruntimeWithoutCuda, tensorflowWithoutCuda } from './judges/missingLibraries.ts';
import { nvidiaSmiFailing, nvidiaSmiMissing, nvidiaSmiNotPermitted } from './judges/nvidiaSmi.ts';
import { packageWithoutGpuCode } from './judges/packageCode.ts';
import { packageWithoutLibrary, packageWithoutThisGpu } from './judges/packages.ts';
import {
  jaxPluginOfOtherRelease,
  toolkitOfOtherCuda,
  torchvisionOfOtherBuild,
  torchvisionOfOtherRelease,
} from './judges/releases.ts';
import { packagesClash, requirementNotMet } from './judges/requirements.ts';
import { frameworkDoesNotImport, frameworkReportsTrouble, frameworkSeesNoGpu } from './judges/runtime.ts';
import { gpuInExclusiveMode, gpuMemoryNearlyFull, migShowsOneInstance, persistenceModeOff } from './judges/sharing.ts';
import {
  amdGpuNotPermitted,
  deviceOrder,
  gpusHidden,
  nvidiaUvmMissing,
  visibleDeviceMissing,
} from './judges/visibility.ts';
import { wslLinuxDriver, wslOfFirstVersion, wslWithoutDriver, wslWithoutLibcudaLink } from './judges/wsl.ts';
import { writeRemedies } from './remedies/writeRemedies.ts';

export type { DiagnosisSeverity, Verdict } from './diagnosis.ts';

/** All judges, in the order in which equally severe findings are shown. */
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
  filesLost,
  wheelOfOtherPython,
  packagesClash,
  requirementNotMet,
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

const ORDER: DiagnosisSeverity[] = ['error', 'warning', 'information'];

/** Judges a stack, worst diagnoses first. Unknown and pending facts cause no diagnosis. */
export function judgeStack(facts: StackFacts): Verdict[] {
  return judges
    .flatMap(({ id, judge }) =>
      judge(facts).map((judgement) => ({
        id,
        ...judgement,
        get remedies() {
          const remedies = writeRemedies(judgement.remedies(), facts);
          Object.defineProperty(this, 'remedies', { value: remedies, enumerable: true });
          return remedies;
        },
        page: documentationPage('stack', id),
      })),
    )
    .sort((left, right) => ORDER.indexOf(left.severity) - ORDER.indexOf(right.severity));
}
