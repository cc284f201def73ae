import { environmentRules } from '../environment/rules/index.ts';
import type { RuleMetadata } from '../rules/engine/contract.ts';
import { rules } from '../rules/index.ts';

/** Every rule, on Python and on environment files, by code. */
export const allRules: readonly RuleMetadata[] = [...rules, ...environmentRules];
