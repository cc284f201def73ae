/** A fact: known with its source and time, unknown with a reason, or still being read. */

/** The source of a fact and the time when it was read. */
interface Provenance {
  /** A file, an environment variable or a command, in a form that people can look up. */
  source: string;
  /** ISO 8601, UTC. */
  readAt: string;
}

export interface KnownFact<T> extends Provenance {
  value: T;
}

/** The reason why a fact is unknown, for programs; `unknown` is its description. */
export type UnknownCause =
  /** The source does not exist: no such program, file or interpreter. */
  | 'absent'
  /** The operating system denied access, or the program that knows it may not be run. */
  | 'refused'
  /** The source did not answer within its time limit. */
  | 'timedOut'
  /** The source answered with an error of its own. */
  | 'failed'
  /** The source returned unexpected content. */
  | 'unreadable'
  /** The NVIDIA driver is not installed or not running. */
  | 'driverNotRunning'
  /** The NVIDIA libraries and the loaded kernel module are of different versions. */
  | 'driverMismatch'
  /** The question does not apply here, or it depends on another unknown fact. */
  | 'notApplicable'
  /** Reading was canceled before it finished. */
  | 'aborted'
  /** Not requested: the answer would require importing a framework. */
  | 'notAsked';

export interface UnknownFact extends Provenance {
  /** A sentence fragment without a period, such as "nvidia-smi not found". */
  unknown: string;
  cause: UnknownCause;
}

/** Not read yet. A finished read-out contains none. */
export interface Pending {
  pending: true;
  source: string;
}

export type Fact<T> = KnownFact<T> | UnknownFact | Pending;

/** Returns the fact's value, or undefined if it is pending or unknown. */
export function knownValue<T>(fact: Fact<T>): T | undefined {
  return 'value' in fact ? fact.value : undefined;
}

export function isPending(fact: Fact<unknown>): fact is Pending {
  return 'pending' in fact;
}

export function isUnknown(fact: Fact<unknown>): fact is UnknownFact {
  return 'unknown' in fact;
}
