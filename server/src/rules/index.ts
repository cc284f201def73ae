import type { Rule } from './contract.ts';
import { torchLoadMapLocation } from './torchLoadMapLocation.ts';

/** Every rule, by code. Adding a rule adds its line here. */
export const rules: readonly Rule[] = [torchLoadMapLocation];
