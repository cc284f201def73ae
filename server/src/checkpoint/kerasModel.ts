/** Properties of a Keras model that decide which Keras loads it, from its configuration. */
export interface KerasModel {
  /** What has a configuration, by its class, in the order of the names: layers, and what is set on them. */
  readonly classes: readonly KerasClass[];
  /** Modules of Keras's own inside that the file names: `keras.src.engine.functional`. */
  readonly modules: readonly string[];
  /** Classes that are neither Keras's own nor of a module: the program that loads the model has to bring them. */
  readonly custom: readonly string[];
  /** Classes of layers that stand within another layer under their names alone, as Keras 2 wrote them. */
  readonly unplaced: readonly string[];
  /** Operations among the layers that HDF5 does not tell from layers, and which no Keras makes again from there. */
  readonly operations: readonly string[];
  /** True where a single input is not within a list, as newer versions of Keras 3 write it. */
  readonly hasFlatInputs: boolean;
  /** Functions that it was compiled with and that are not Keras's own. */
  readonly customFunctions: readonly string[];
  /** Losses that it was compiled with, where they are written as a name alone: `mse`. */
  readonly losses: readonly string[];
  /** True where a loss of it sums up as `auto`, which Keras 3 does not know. */
  readonly hasAutoReduction: boolean;
  /** True where the code of a Python function is in it. */
  readonly hasLambda: boolean;
  /** Which Pythons read that code, of each function whose form is known, each once. */
  readonly bytecode: readonly Pythons[];
}

export interface KerasClass {
  readonly name: string;
  /** Those that the file gives it, sorted: `activation`, `units`. */
  readonly arguments: readonly string[];
}

/** The oldest and the newest minor version; without the latter, all newer ones as far as is known. */
export interface Pythons {
  readonly since: string;
  readonly until?: string;
}
