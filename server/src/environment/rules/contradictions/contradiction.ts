import type { EnvironmentRule } from '../environmentRule.ts';

/** One kind of contradiction, judged as a rule judges. */
export type Contradiction = EnvironmentRule['check'];
