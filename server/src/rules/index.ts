import type { Rule } from './contract.ts';
import { hardcodedDeviceIndex } from './hardcodedDeviceIndex.ts';
import { kerasLoadModelUnguarded } from './kerasLoadModelUnguarded.ts';
import { torchLoadMapLocation } from './torchLoadMapLocation.ts';
import { unguardedCuda } from './unguardedCuda.ts';

/** Every rule, by code. Adding a rule adds its line here. */
export const rules: readonly Rule[] = [
  torchLoadMapLocation,
  hardcodedDeviceIndex,
  unguardedCuda,
  kerasLoadModelUnguarded,
];
