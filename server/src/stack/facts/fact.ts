/** What one fact is: known with its source and time, unknown with a reason, or still being read. */

/** Where a fact was read and when. */
export interface Provenance {
  /** A file, an environment variable or a command, as a person would look it up. */
  source: string;
  /** ISO 8601, UTC. */
  readAt: string;
}

export interface Known<T> extends Provenance {
  value: T;
}

/** Why a fact is unknown, for programs; `unknown` says the same in words. */
export type UnknownCause =
  /** The source does not exist: no such program, file or interpreter. */
  | 'absent'
  /** The operating system refused access, or nobody has allowed to start the program that would know. */
  | 'refused'
  /** The source did not answer within its time limit. */
  | 'timedOut'
  /** The source answered with an error of its own. */
  | 'failed'
  /** The source answered with something that is not what it should be. */
  | 'unreadable'
  /** The NVIDIA driver is not installed or not running. */
  | 'driverNotRunning'
  /** The NVIDIA libraries and the loaded kernel module are of different versions. */
  | 'driverMismatch'
  /** The question makes no sense here, or it rests on another fact that is unknown. */
  | 'notApplicable'
  /** Reading was called off before it was done. */
  | 'aborted'
  /** Nobody asked: the answer would take importing a framework. */
  | 'notAsked';

export interface Unknown extends Provenance {
  /** One sentence fragment without a full stop, such as "nvidia-smi not found". */
  unknown: string;
  cause: UnknownCause;
}

/** Not read yet. A finished read-out holds none. */
export interface Pending {
  pending: true;
  source: string;
}

export type Fact<T> = Known<T> | Unknown | Pending;

/** The fact's value, or undefined while it is pending or when it is unknown. */
export function knownValue<T>(fact: Fact<T>): T | undefined {
  return 'value' in fact ? fact.value : undefined;
}

export function isPending(fact: Fact<unknown>): fact is Pending {
  return 'pending' in fact;
}

export function isUnknown(fact: Fact<unknown>): fact is Unknown {
  return 'unknown' in fact;
}
