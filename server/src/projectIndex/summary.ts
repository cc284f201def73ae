/**
 * Summaries: what a file means to the other files in its project, as small, plain data that depends only on the file.
 */
import type { Evidence } from '../guards/evidence.ts';
import type { GpuUse, KerasSetup, SavedDevice, SavedWrappings } from '../guards/projectView.ts';
import type { OtherPlace } from '../guards/reason.ts';

/** A place in the file. */
export type PlaceSummary = Omit<OtherPlace, 'path'>;

/** A use of a function of this file or another. */
export interface UseSummary {
  /** The evidence at the use, without the callers of the enclosing functions. */
  readonly evidence: Evidence;
  /** The enclosing functions, by qualified name. */
  readonly inside: readonly string[];
  readonly place: PlaceSummary;
}

/** A use of a name that may be defined in another file of the project. */
export interface OutsideUse extends UseSummary {
  /** The dotted name as this file spells it: `engine.Engine`, `..utils.seed`. */
  readonly target: string;
  /** `value` if it is passed as a value, `method` for a method of an object that the file creates. */
  readonly as: 'call' | 'value' | 'method';
  /** True if it runs whenever the enclosing function runs. */
  readonly isCertain?: true;
  /** File names passed to a call, each with its keyword or position. */
  readonly fileNames?: Readonly<Record<string, string>>;
  /** The keywords and positions that a call passes, if the file offers the CPU and the call unpacks nothing. */
  readonly passes?: readonly string[];
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
  /** The file's name; computed parts are `*`. */
  readonly fileName?: string;
  /** The parameter of the enclosing function that provides the file's name, with its position. */
  readonly parameter?: { readonly function: string; readonly name: string; readonly position: number };
}

interface FactSummary {
  readonly because: string;
  readonly place: PlaceSummary;
}

export interface FileSummary {
  /** The uses of the file's own functions within the file, by qualified name. */
  readonly uses: Readonly<Record<string, readonly UseSummary[]>>;
  readonly outside: readonly OutsideUse[];
  /** Top-level constants and functions that are evidence or hold literals. */
  readonly exports: Readonly<Record<string, ExportSummary>>;
  readonly saves: readonly SaveSummary[];
  /** Top-level model classes that do not name a submodule as a wrapper does. */
  readonly models: readonly string[];
  /** Calls of Keras's `load_model` that run whenever the enclosing functions run. */
  readonly kerasLoads: readonly Pick<UseSummary, 'inside' | 'place'>[];
  readonly kerasSetup: KerasSetup;
  readonly gpuUses: readonly GpuUse<PlaceSummary>[];
  readonly facts: readonly FactSummary[];
  /** The first place where the file offers the CPU to its whole program. */
  readonly cpuOffer: FactSummary | null;
  /** The places that need CUDA without a check in this file, each with the functions around it. */
  readonly cudaNeeds: readonly (Pick<UseSummary, 'inside' | 'place'> & {
    /** True below `if __name__ == "__main__":`. */
    readonly isBelowMain: boolean;
  })[];
}
