/** Properties of a Keras model, from its configuration, that decide which version of Keras loads it. */
export interface KerasModel {
  /** Layers and their settings, by class, sorted by name. */
  readonly classes: readonly KerasClass[];
  /** Internal Keras modules whose names occur in the file: `keras.src.engine.functional`. */
  readonly modules: readonly string[];
  /** Classes that are not Keras's own and have no module: the program that loads the model must provide them. */
  readonly custom: readonly string[];
  /** Layer classes that a nested layer names without a module, as Keras 2 wrote them. */
  readonly unplaced: readonly string[];
  /**
   * Operations that HDF5 does not distinguish from layers, and which no version of Keras can re-create from such a
   * file.
   */
  readonly operations: readonly string[];
  /** True if a single input is not wrapped in a list, as newer versions of Keras 3 write it. */
  readonly hasFlatInputs: boolean;
  /** Functions that it was compiled with and that do not belong to Keras. */
  readonly customFunctions: readonly string[];
  /** Losses that it was compiled with and that are written only as a name: `mse`. */
  readonly losses: readonly string[];
  /** True if one of its losses has the reduction `auto`, which Keras 3 does not know. */
  readonly hasAutoReduction: boolean;
  /** True if it contains the code of a Python function. */
  readonly hasLambda: boolean;
}

interface KerasClass {
  readonly name: string;
  /** Argument names in the file, sorted: `activation`, `units`. */
  readonly arguments: readonly string[];
}
