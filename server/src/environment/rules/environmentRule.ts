import type { Observation, RuleMetadata } from '../../rules/engine/contract.ts';
import type { EnvironmentFile, Installation } from '../environmentFile.ts';

/** A rule on files that describe an environment. It judges one installation at a time. */
export interface EnvironmentRule extends RuleMetadata {
  check(installation: Installation, report: (observation: Observation) => void, file: EnvironmentFile): void;
}
