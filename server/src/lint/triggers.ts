import { triggerTest } from '../rules/engine/triggers.ts';
import { rules } from '../rules/index.ts';

/** False for a text whose code no rule can report on; names of the project's own loaders may be given. */
export const hasTrigger = triggerTest(rules);
