import { backendSetTooLate } from './backendSetTooLate.ts';
import { checkpointDeviceMissing } from './checkpointDeviceMissing.ts';
import { checkpointExceedsGpuMemory } from './checkpointExceedsGpuMemory.ts';
import { checkpointPrefix } from './checkpointPrefix.ts';
import { checkpointWeightsOnly } from './checkpointWeightsOnly.ts';
import { checkpointWrongLoader } from './checkpointWrongLoader.ts';
import { cudaInWorker } from './cudaInWorker.ts';
import { cudaOnlyChoice } from './cudaOnlyChoice.ts';
import { cudaVisibleDevicesTooLate } from './cudaVisibleDevicesTooLate.ts';
import { deviceIndexOutOfRange } from './deviceIndexOutOfRange.ts';
import { devicesConfiguredTooLate } from './devicesConfiguredTooLate.ts';
import { droppedMove } from './droppedMove.ts';
import type { Rule } from './engine/rule.ts';
import { hardcodedDeviceIndex } from './hardcodedDeviceIndex.ts';
import { kerasFileVersion } from './kerasFileVersion.ts';
import { kerasLoadModelUnguarded } from './kerasLoadModelUnguarded.ts';
import { kerasUnsafeMode } from './kerasUnsafeMode.ts';
import { torchLoadMapLocation } from './torchLoadMapLocation.ts';
import { torchLoadWeightsOnly } from './torchLoadWeightsOnly.ts';
import { torchSaveWholeModule } from './torchSaveWholeModule.ts';
import { unguardedCuda } from './unguardedCuda.ts';

/** All rules, by code. A new rule needs a line here. */
export const rules: readonly Rule[] = [
  torchLoadMapLocation,
  torchLoadWeightsOnly,
  torchSaveWholeModule,
  checkpointPrefix,
  hardcodedDeviceIndex,
  unguardedCuda,
  cudaVisibleDevicesTooLate,
  deviceIndexOutOfRange,
  droppedMove,
  cudaInWorker,
  kerasLoadModelUnguarded,
  devicesConfiguredTooLate,
  backendSetTooLate,
  kerasUnsafeMode,
  cudaOnlyChoice,
  checkpointDeviceMissing,
  checkpointWrongLoader,
  checkpointWeightsOnly,
  kerasFileVersion,
  checkpointExceedsGpuMemory,
];
