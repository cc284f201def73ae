/**
 * The rest of a project, as the analysis of one of its files sees it. Answers depend only on the summaries of the files
 * they come from.
 */
import type { Evidence } from './evidence.ts';
import type { OtherPlace } from './reason.ts';

/** The evidence that all uses of a function share, and a guarded use in another file. */
export interface CallerEvidence {
  readonly evidence: Evidence;
  readonly at?: OtherPlace;
  /** True if something uses the function without a guard. */
  readonly isUsedFreely?: boolean;
}

/** A name defined in another file. */
export interface ExportedName {
  readonly place: OtherPlace;
  /** The evidence when a constant or the result of a function is true, and when it is false. */
  readonly whenTrue: Evidence;
  readonly whenFalse: Evidence;
  /** The possible literals of a constant. */
  readonly literals: readonly (string | number)[];
}

/** `cpu` and `gpu`: shown by the code around the saved value. `unknown`: callers or other files decide. */
export type SavedDevice = 'cpu' | 'gpu' | 'unknown';

/** The prefix that a wrapper around a model adds to the names of its parameters; empty for a bare model. */
export type Wrapping = '' | 'module.' | '_orig_mod.';

/** The wrappings of a saved state dict, by the key of a dictionary; the empty key stands for the whole file. */
export type SavedWrappings = Readonly<Record<string, Wrapping>>;

/** A call in another file that saves tensors. */
export interface ProjectSaver {
  readonly place: OtherPlace;
  readonly device: SavedDevice;
  /** The wrappings determined by the saving file; a key is absent if they are unknown. */
  readonly wrappings?: SavedWrappings;
  /** True if no part of the file's name is computed. */
  readonly isNamed: boolean;
  /** The call, in any file, of a function that saves under the name that its caller passes. */
  readonly calledAt?: OtherPlace;
}

/** A fact about the whole program that one of its files shows. */
export interface FileFact {
  /** A clause that completes "hint because": `it uses TensorRT, which needs a GPU`. */
  readonly because: string;
  readonly place: OtherPlace;
}

/** The places of a program, in all of its files, that need CUDA without a check. */
export interface ProjectNeeds {
  /** The first of them, in the order in which the files run. */
  readonly first: OtherPlace;
  readonly places: number;
  /** The files that contain them, in the same order. */
  readonly paths: readonly string[];
}

/** How the files of a program set Keras up. */
export interface KerasSetup {
  /** The value of `KERAS_BACKEND`. */
  readonly backend?: 'tensorflow' | 'jax' | 'torch';
  readonly isTensorflow1: boolean;
}

/** A framework that uses a GPU. */
export interface GpuUse<Place> {
  readonly framework: 'PyTorch' | 'JAX';
  readonly place: Place;
}

type ProjectGpuUse = GpuUse<OtherPlace>;

export interface ProjectView {
  /**
   * Returns the evidence shared by all uses of one of this file's functions, by its qualified name: `main`,
   * `Trainer.fit`. Uses are calls and references such as `Process(target=f)`, in this file and in others.
   */
  atEveryUse(functionName: string): CallerEvidence;
  /**
   * Returns the definition in another file of a dotted name as this file spells it: `config.DEVICE`, `..utils.has_gpu`.
   */
  exported(dotted: string): ExportedName | undefined;
  /** Returns the calls in other files that save under a file name; computed parts of a name are `*`. */
  saversOf(fileName: string): readonly ProjectSaver[];
  /** True for a model class in another file that does not name a submodule as a wrapper does. */
  isBareModel(dotted: string): boolean;
  /**
   * Returns a Keras load in another file that precedes every call of one of this file's functions, by its qualified
   * name.
   */
  kerasLoadBefore(functionName: string): OtherPlace | undefined;
  /** Returns how the files that run this one, or that it runs, set Keras up. */
  kerasSetup(): KerasSetup;
  /** Returns the places where other files of the program put objects of another framework on a GPU. */
  gpuUses(): readonly ProjectGpuUse[];
  /** Returns facts from the other files of the program: those that this file imports, directly or indirectly. */
  facts(): readonly FileFact[];
  /**
   * Returns an unguarded call in another file, which offers the CPU, of one of this file's functions that leaves out the
   * argument with this name and position.
   */
  callLeavingOut(functionName: string, parameter: string, position: number): OtherPlace | undefined;
  /** Returns a place in another file, which runs this file or is run by it, where the program offers the CPU. */
  cpuOffer(): FileFact | undefined;
  /** Returns the places of this file's program that need CUDA; undefined if no other file has one. */
  cudaNeeds(): ProjectNeeds | undefined;
  /** True if another file of the project, apart from tests, imports this one. */
  isImported(): boolean;
  /**
   * True if no other file of the project uses one of this file's top-level names, though the file is used: others
   * import it, or it is a program (`isProgram`). The functions of an installable package are for others.
   */
  isUnused(name: string, isProgram: boolean): boolean;
}
