import { readData } from '../../dataFiles.ts';

/** A package name that is misleading or retired. */
export interface DeadName {
  readonly name: string;
  readonly manager: 'pip' | 'conda';
  /** The entry applies if the requirement allows this version; if absent, it always applies. */
  readonly when?: string;
  /** The rest of the message, which follows the name. */
  readonly why: string;
  readonly instead?: string;
  /** True if the other name installs the same package. */
  readonly same?: boolean;
  /** True if the package still works. */
  readonly quiet?: boolean;
}

export interface DeadExtra extends Omit<DeadName, 'manager' | 'same' | 'quiet'> {
  /** A regular expression. */
  readonly extra: string;
}

interface DeadNames {
  readonly names: readonly DeadName[];
  readonly extras: readonly DeadExtra[];
}

let table: DeadNames | undefined;

export function deadNames(): DeadNames {
  table ??= readData<DeadNames>(import.meta.dirname, 'deadNames');
  return table;
}
