import { environmentRules } from '../environment/rules/index.ts';
import type { Rule } from '../rules/engine/contract.ts';
import { rules } from '../rules/index.ts';

/** What is known of a rule without judging anything. */
export type RuleMetadata = Omit<Rule, 'check'>;

/** Every rule, on Python and on environment files, by code. */
export const allRules: readonly RuleMetadata[] = [...rules, ...environmentRules];
