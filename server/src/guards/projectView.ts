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

/** The device that saved tensors are on, as far as the code around the saving tells. */
export type SavedDevice = 'cpu' | 'gpu' | 'unknown';

/** A call of another file that writes a checkpoint. */
export interface Saver {
  readonly place: OtherPlace;
  readonly device: SavedDevice;
}

/** A property of one file that matters to the whole program that it is part of. */
export interface FileFact {
  readonly kind: ProgramFact;
  readonly place: OtherPlace;
}

/**
 * `gpu-only`: needs a GPU by nature, such as TensorRT or 4-bit quantization. `measures-gpus`: times GPUs. `several-gpus`: has
 * several GPUs work together.
 */
export type ProgramFact = 'gpu-only' | 'measures-gpus' | 'several-gpus';

export interface ProjectView {
  /**
   * What is established at every use of one of this file's functions, by its qualified name: `main`, `Trainer.fit`. Uses are
   * calls and places that hand it on, such as `Process(target=f)`, in this file and in others.
   */
  atEveryUse(functionName: string): CallerEvidence;
  /** What another file defines under a dotted name as this file spells it: `config.DEVICE`, `..utils.has_gpu`. */
  exported(dotted: string): ExportedName | undefined;
  /** The calls of other files that save under a file name; parts of a name that are computed are `*`. */
  saversOf(fileName: string): readonly Saver[];
  /** The facts of the other files of the program that this file is part of: those that it imports, directly or not. */
  facts(): readonly FileFact[];
}
