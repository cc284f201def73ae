/** What an HDF5 file is made of, as plain data that can be passed between threads. */
export interface Outline {
  readonly datasets: readonly Dataset[];
  /** Text attributes by where they stand: those of the file itself and of the groups in which Keras describes a model. */
  readonly attributes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Texts and bytes that a library may unpickle. */
  readonly byteTexts: readonly ByteText[];
  /** True where there are more of them. */
  readonly hasMoreTexts: boolean;
  /** Libraries that marked the file as theirs, and that unpickle such texts: `PyTables`. */
  readonly marks: readonly string[];
  /** Places that stand for something in another file: `weights -> ../secret.h5`. */
  readonly outside: readonly string[];
  /** Why there may be more than is listed, as a clause that follows "it"; undefined when all is. */
  readonly trouble?: string;
}

export interface ByteText {
  /** Where it stands: "attribute `TITLE`". */
  readonly where: string;
  readonly content: Uint8Array;
  /** True where it goes on. */
  readonly isPart: boolean;
}

export interface Dataset {
  /** The way to it, without the slash in front: `model_weights/dense/dense/kernel:0`. */
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: number;
}

/** Reads `length` bytes from `offset` on, fewer only where the file ends. */
export type ReadNow = (offset: number, length: number) => Uint8Array;
