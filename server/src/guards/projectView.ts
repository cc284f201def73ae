/**
 * The rest of a project, as the analysis of one of its files asks about it. Answers depend on nothing but the summaries of
 * the files that they are taken from.
 */
import type { Evidence } from './evidence.ts';
import type { OtherPlace } from './reason.ts';

/** What is established at every use of a function, and one of the uses in other files that are guarded. */
export interface CallerEvidence {
  readonly evidence: Evidence;
  readonly at?: OtherPlace;
}

/** A name of another file. */
export interface ExportedName {
  readonly place: OtherPlace;
  /** What is established where a constant, or the result of a function, is true, and where it is false. */
  readonly whenTrue: Evidence;
  readonly whenFalse: Evidence;
  /** The literals that a constant may hold. */
  readonly literals: readonly (string | number)[];
}

/** `cpu` and `gpu`: what the code around the saved value shows. `unknown`: callers or other files decide. */
export type SavedDevice = 'cpu' | 'gpu' | 'unknown';

/** What a wrapper around a model puts before the names of its parameters; empty for a bare model. */
export type Wrapping = '' | 'module.' | '_orig_mod.';

/** By the key of a dictionary, or empty for the whole file: how the names of a saved state dict are wrapped. */
export type SavedWrappings = Readonly<Record<string, Wrapping>>;

/** A call in another file that saves tensors. */
export interface ProjectSaver {
  readonly place: OtherPlace;
  readonly device: SavedDevice;
  /** What the file that saves settles; without a key for anything else. */
  readonly wrappings?: SavedWrappings;
  /** True where nothing of the file's name is computed. */
  readonly isNamed: boolean;
  /** For a function that saves where its caller says: the call of it, in whatever file. */
  readonly calledAt?: OtherPlace;
}

/** What one file shows of the whole program that it is part of. */
export interface FileFact {
  /** A clause that completes "hint because": `it uses TensorRT, which needs a GPU`. */
  readonly because: string;
  readonly place: OtherPlace;
}

/** A framework that computes on a GPU. */
export interface GpuUse<Place> {
  readonly framework: 'PyTorch' | 'JAX';
  readonly place: Place;
}

export type ProjectGpuUse = GpuUse<OtherPlace>;

export interface ProjectView {
  /**
   * What is established at every use of one of this file's functions, by its qualified name: `main`, `Trainer.fit`. Uses are
   * calls and places that hand it on, such as `Process(target=f)`, in this file and in others.
   */
  atEveryUse(functionName: string): CallerEvidence;
  /** What another file defines under a dotted name as this file spells it: `config.DEVICE`, `..utils.has_gpu`. */
  exported(dotted: string): ExportedName | undefined;
  /** The calls that save under a file name in other files; parts of a name that are computed are `*`. */
  saversOf(fileName: string): readonly ProjectSaver[];
  /** True for a class of another file that is a model, and names no submodule as a wrapper does. */
  isBareModel(dotted: string): boolean;
  /** A Keras load in another file that every way to one of this file's functions, by its qualified name, passes first. */
  kerasLoadBefore(functionName: string): OtherPlace | undefined;
  /** Where the other files of the program put something of another framework on a GPU. */
  gpuUses(): readonly ProjectGpuUse[];
  /** The facts of the other files of the program that this file is part of: those that it imports, directly or not. */
  facts(): readonly FileFact[];
}
