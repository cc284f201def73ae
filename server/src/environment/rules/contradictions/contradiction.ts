import type { EnvironmentRule } from '../environmentRule.ts';

/** The check of one kind of contradiction. */
export type Contradiction = EnvironmentRule['check'];
