/** What one file means to the other files of its project: small, plain data that depends on nothing but the file. */
import type { Evidence } from '../guards/evidence.ts';
import type { GpuUse, SavedDevice, SavedWrappings } from '../guards/projectView.ts';
import type { OtherPlace } from '../guards/reason.ts';

/** A place in the file. */
export type PlaceSummary = Omit<OtherPlace, 'path'>;

/** One use of a function, of this file or of another. */
export interface UseSummary {
  /** What is established there, the callers of the functions around it left aside. */
  readonly evidence: Evidence;
  /** The functions that it lies in, by qualified name. */
  readonly inside: readonly string[];
  readonly place: PlaceSummary;
}

/** One use of something that may be defined in another file of the project. */
export interface OutsideUse extends UseSummary {
  /** The dotted name as this file spells it: `engine.Engine`, `..utils.seed`. */
  readonly target: string;
  /** `value` where it is handed on, `method` for one of an object that the file makes. */
  readonly as: 'call' | 'value' | 'method';
  /** True where it runs whenever the function around it does. */
  readonly isCertain?: true;
  /** File names that a call is given, with the keyword or the position that they have. */
  readonly fileNames?: Readonly<Record<string, string>>;
}

export interface ExportSummary {
  readonly place: PlaceSummary;
  readonly whenTrue: Evidence;
  readonly whenFalse: Evidence;
  readonly literals: readonly (string | number)[];
}

/** A call that writes a checkpoint. */
export interface SaveSummary {
  readonly place: PlaceSummary;
  readonly device: SavedDevice;
  readonly wrappings?: SavedWrappings;
  /** The file's name; what is computed of it is `*`. */
  readonly fileName?: string;
  /** A parameter of the function around it that the file's name comes from, with its position. */
  readonly parameter?: { readonly function: string; readonly name: string; readonly position: number };
}

export interface FileSummary {
  /** The uses of the file's own functions in it, by qualified name. */
  readonly uses: Readonly<Record<string, readonly UseSummary[]>>;
  readonly outside: readonly OutsideUse[];
  /** Constants and functions of the top level that say something. */
  readonly exports: Readonly<Record<string, ExportSummary>>;
  readonly saves: readonly SaveSummary[];
  /** Classes of the top level that are models, and name no submodule as a wrapper does. */
  readonly models: readonly string[];
  /** Calls of Keras's `load_model` that run whenever the functions around them do. */
  readonly kerasLoads: readonly Pick<UseSummary, 'inside' | 'place'>[];
  readonly gpuUses: readonly GpuUse<PlaceSummary>[];
  readonly facts: readonly { readonly because: string; readonly place: PlaceSummary }[];
}
