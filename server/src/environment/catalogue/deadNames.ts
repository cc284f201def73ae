import { readData } from '../../dataFiles.ts';

/** A name that is not, or no longer, what it is taken for. */
export interface DeadName {
  readonly name: string;
  readonly manager: 'pip' | 'conda';
  /** It is meant where this version would be let through; always, without it. */
  readonly when?: string;
  /** Goes on after the name. */
  readonly why: string;
  readonly instead?: string;
  /** True where the other name brings the same. */
  readonly same?: boolean;
  /** True for what still works. */
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
