import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';
import type { Checkpoint } from '../checkpoint.ts';
import type { ReadInner } from '../innerFiles.ts';

/** Everything that GPU Doctor knows about a format. Each format is declared once; `index.ts` lists them. */
export interface FormatDeclaration {
  /** The name in general use: `GGUF`, `PyTorch checkpoint`. */
  readonly title: string;
  /** A file of the format with an article: `a GGUF file`. */
  readonly noun: string;
  /**
   * `container` is an archive that may contain any files; `other` is a file that people find instead of a checkpoint.
   */
  readonly kind: 'checkpoint' | 'container' | 'other';
  readonly files?: FilePatterns;
  /** True if a file has a signature that no other file has by chance. */
  readonly hasSignature?: (file: SniffedFile) => boolean | Promise<boolean>;
  /**
   * True if a file is recognized by its end. If other readers accept its beginning, it is shown as a file of their
   * format.
   */
  readonly hasSignatureAtEnd?: (file: SniffedFile) => Promise<boolean>;
  /**
   * True if a file's beginning looks like this format, which has no signature. Only called for files without any
   * signature.
   */
  readonly looksLikeIt?: (head: Buffer) => boolean | Promise<boolean>;
  /**
   * Imports the reader and reads a file. Absent if another reader handles the format, in an archive or a folder, or if
   * nothing is read.
   */
  readonly read?: (file: FileToRead) => Promise<Checkpoint>;
  readonly folder?: FolderDeclaration;
  /** The reason why nothing is read, as a sentence. */
  readonly problem?: string;
  /**
   * True if the format's own loader never runs code from a file. Other programs may still read the file as another
   * format.
   */
  readonly isCodeFree?: boolean;
  readonly loading?: Loading;
}

/** File name patterns: `*.pt`, `saved_model.pb`. */
export interface FilePatterns {
  /** Names that only checkpoints have; the editor opens such files. */
  readonly opened?: readonly string[];
  /** Names that other files have too; the editor offers to open them. */
  readonly offered?: readonly string[];
  /** Names that only a search of a folder uses. */
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
  /** The file's path, for a format that keeps tensors in separate files. */
  readonly path: string | undefined;
  readonly readInner: ReadInner;
  /** Combines the results of several readers of one file. */
  readonly join: (shown: Checkpoint, others: readonly Checkpoint[]) => Checkpoint;
}

/** A format whose checkpoints are folders. */
interface FolderDeclaration {
  /** True for a folder that contains files with these names. */
  readonly holds: (names: readonly string[]) => boolean;
  readonly read: (path: string, names: readonly string[], budget: Budget, readPart: ReadPart) => Promise<Checkpoint>;
}

/** Reads a checkpoint that consists of a folder, given its path. @throws the system's error */
export type ReadPart = (path: string) => Promise<Checkpoint>;

/** How programs load a format. */
interface Loading {
  /** The usual call: `torch.load(path)`. */
  readonly call?: string;
  /** The loader as the beginning of a clause, for readers of other formats: `ONNX Runtime loads`. */
  readonly by?: string;
  /** The families of readers in `rules/catalogue/readers.yaml` that load it. */
  readonly readers?: readonly ReaderFamily[];
  /** The families that load some files in this format, or load it in some versions. */
  readonly sometimesReaders?: readonly ReaderFamily[];
}

/** Functions that read the same formats. Their behavior was tested with torch 2.x, safetensors 0.8 and Keras 3. */
export const READER_FAMILIES = [
  'torch.load',
  'torch.jit.load',
  'torch.export.load',
  'safetensors',
  'keras',
  'saved-model',
  'transformers',
] as const;
type ReaderFamily = (typeof READER_FAMILIES)[number];
