import type { Condition } from './condition.ts';
import { fileConditions } from './file.ts';
import { globalConditions } from './globals.ts';
import { gpuConditions } from './gpus.ts';
import { installedConditions } from './installed.ts';
import { kerasObjectConditions } from './kerasObjects.ts';
import { libraryConditions } from './libraries.ts';
import { memoryConditions } from './memory.ts';
import { namedGpuConditions } from './namedGpus.ts';
import { nameConditions } from './names.ts';
import { offeredConditions } from './offered.ts';
import { relationConditions } from './relations.ts';
import { saidConditions } from './saidOfMachine.ts';
import { systemConditions } from './system.ts';
import { textConditions } from './text.ts';
import { visibleDeviceConditions } from './visibleDevices.ts';
import { weightNameConditions } from './weightNames.ts';
import { weightSizeConditions } from './weightSizes.ts';

/** Every condition that the catalogue of messages may name. */
export const conditions: Readonly<Record<string, Condition>> = {
  ...gpuConditions,
  ...installedConditions,
  ...saidConditions,
  ...systemConditions,
  ...fileConditions,
  ...globalConditions,
  ...kerasObjectConditions,
  ...libraryConditions,
  ...memoryConditions,
  ...namedGpuConditions,
  ...nameConditions,
  ...offeredConditions,
  ...textConditions,
  ...relationConditions,
  ...visibleDeviceConditions,
  ...weightNameConditions,
  ...weightSizeConditions,
};
