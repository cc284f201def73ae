/** The contents of an HDF5 file, as plain data that can be passed between threads. */
export interface Outline {
  readonly datasets: readonly Dataset[];
  /** Text attributes by the path of their object: the file itself, and groups in which Keras describes a model. */
  readonly attributes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Strings and bytes that a library may unpickle. */
  readonly byteTexts: readonly ByteText[];
  /** True if there are more of these texts than are listed. */
  readonly hasMoreTexts: boolean;
  /** Libraries that marked the file as theirs and unpickle such texts: `PyTables`. */
  readonly marks: readonly string[];
  /** References to other files: `weights -> ../secret.h5`. */
  readonly outside: readonly string[];
  /** The reason why the list may be incomplete, as a clause that follows "it"; undefined if it is complete. */
  readonly trouble?: string;
}

export interface ByteText {
  /** Its location, such as "attribute `TITLE`". */
  readonly where: string;
  readonly content: Uint8Array;
  /** True if this is only the beginning. */
  readonly isPart: boolean;
}

export interface Dataset {
  /** The path without the leading slash: `model_weights/dense/dense/kernel:0`. */
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: number;
}

/** Reads `length` bytes from `offset`, or fewer at the end of the file. */
export type ReadNow = (offset: number, length: number) => Uint8Array;
