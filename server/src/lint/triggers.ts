import { triggerTest } from '../rules/engine/triggers.ts';
import { rules } from '../rules/index.ts';

/** False for text on which no rule can report; names of the project's own loaders may be added. */
export const hasTrigger = triggerTest(new Set(rules.flatMap(({ listener }) => listener.selectors)));
