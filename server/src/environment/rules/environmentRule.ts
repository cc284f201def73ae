import type { Knowledge, Observation, RuleMetadata } from '../../rules/engine/contract.ts';
import type { EnvironmentFile, Installation } from '../environmentFile.ts';

/** A rule for environment files. It checks one installation at a time. */
export interface EnvironmentRule extends RuleMetadata {
  /** `known` has the facts about the machine, if it was read. */
  check(
    installation: Installation,
    report: (observation: Observation) => void,
    file: EnvironmentFile,
    known?: Knowledge,
  ): void;
}
