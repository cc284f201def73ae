import type { Knowledge, Observation, RuleMetadata } from '../../rules/engine/contract.ts';
import type { EnvironmentFile, Installation } from '../environmentFile.ts';

/** A rule on files that describe an environment. It judges one installation at a time. */
export interface EnvironmentRule extends RuleMetadata {
  /** True for a rule that judges nothing without facts of a machine. */
  readonly isAboutMachine?: true;
  /** `known`: what is known of the machine, where it was looked at. */
  check(
    installation: Installation,
    report: (observation: Observation) => void,
    file: EnvironmentFile,
    known?: Knowledge,
  ): void;
}
