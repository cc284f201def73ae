import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';
import type { Checkpoint } from '../checkpoint.ts';
import type { ReadInner } from '../innerFiles.ts';

/** Everything that the program knows of a format. The one place where a format is declared; `index.ts` lists them. */
export interface FormatDeclaration {
  /** The name that people use: `GGUF`, `PyTorch checkpoint`. */
  readonly title: string;
  /** A file of the format, with an article: `a GGUF file`. */
  readonly noun: string;
  /** Archives of any files are `container`; `other` is found instead of a checkpoint. */
  readonly kind: 'checkpoint' | 'container' | 'other';
  readonly files?: FilePatterns;
  /** Recognizes a file by a sign that no other file has by chance. */
  readonly isSigned?: (file: SniffedFile) => boolean | Promise<boolean>;
  /** Recognizes a file that other readers take for theirs by its beginning: it is shown as what they read. */
  readonly isSignedAtEnd?: (file: SniffedFile) => Promise<boolean>;
  /** Recognizes the beginning of a format without a sign. Only asked about files that have none. */
  readonly looksAlike?: (head: Buffer) => boolean | Promise<boolean>;
  /** Loads the reader and reads a file. Absent for what another reader finds, in an archive or a folder, and for what is not read. */
  readonly read?: (file: FileToRead) => Promise<Checkpoint>;
  readonly folder?: FolderDeclaration;
  /** Why nothing is read, as a sentence. */
  readonly problem?: string;
  /** True if the format's own loader never runs code from a file. Other programs may still take the file for something else. */
  readonly isCodeFree?: boolean;
  readonly loading?: Loading;
}

/** Names of files: `*.pt`, `saved_model.pb`. */
export interface FilePatterns {
  /** Names that only checkpoints have: the editor opens such files. */
  readonly opened?: readonly string[];
  /** Names that other files have, too: the editor offers itself. */
  readonly offered?: readonly string[];
  /** Names that only a search of a folder goes by. */
  readonly searched?: readonly string[];
}

export interface SniffedFile {
  /** The first bytes. */
  readonly head: Buffer;
  readonly bytes: Bytes;
  readonly budget: Budget;
}

export interface FileToRead {
  readonly bytes: Bytes;
  readonly budget: Budget;
  /** Where it lies, for a format whose tensors lie beside it. */
  readonly path: string | undefined;
  readonly readInner: ReadInner;
  /** Joins what several readers find in a file. */
  readonly join: (shown: Checkpoint, others: readonly Checkpoint[]) => Checkpoint;
}

/** A format whose checkpoints are folders. */
export interface FolderDeclaration {
  /** True for a folder that holds files of these names. */
  readonly holds: (names: readonly string[]) => boolean;
  readonly read: (path: string, names: readonly string[], budget: Budget) => Promise<Checkpoint>;
}

/** How programs load a format. */
export interface Loading {
  /** The usual call: `torch.load(path)`. */
  readonly call?: string;
  /** What loads it, as a clause for readers of other formats: `ONNX Runtime loads`. */
  readonly by?: string;
  /** The families of readers in `rules/catalogue/readers.yaml` that load it. */
  readonly readers?: readonly ReaderFamily[];
  /** The families that load it depending on their version or on the file. */
  readonly perhaps?: readonly ReaderFamily[];
}

/** Functions that read the same formats. What each does was tried with torch 2.x, safetensors 0.8 and Keras 3. */
export const READER_FAMILIES = [
  'torch.load',
  'torch.jit.load',
  'torch.export.load',
  'safetensors',
  'keras',
  'saved-model',
  'transformers',
] as const;
export type ReaderFamily = (typeof READER_FAMILIES)[number];
