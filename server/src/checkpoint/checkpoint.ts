/**
 * The contents of a checkpoint, read from the file's own description of itself. Nothing in the file is ever executed.
 */
import type { KerasModel } from './kerasModel.ts';
import type { OnnxModel } from './onnxModel.ts';
import type { Pipeline } from './pipeline.ts';

/** The formats that GPU Doctor distinguishes, including files that people find in place of a checkpoint. */
export type Format =
  | 'torch'
  | 'torch-legacy'
  | 'torchscript'
  | 'torch-export'
  | 'torch-package'
  | 'pickle'
  | 'joblib'
  | 'safetensors'
  | 'safetensors-index'
  | 'keras'
  | 'hdf5'
  | 'saved-model'
  | 'diffusers-pipeline'
  | 'tensorflow-checkpoint'
  | 'gguf'
  | 'onnx'
  | 'tflite'
  | 'nemo'
  | 'torchserve'
  | 'numpy'
  | 'numpy-archive'
  | 'gzip'
  | 'compressed'
  | 'zip'
  | 'tar'
  | 'git-lfs-pointer'
  | 'html'
  | 'json'
  | 'text'
  | 'empty'
  | 'folder'
  | 'unknown';

export interface Checkpoint {
  readonly format: Format;
  /** In bytes; for a folder or an index, the sum of its files. */
  readonly size: number;
  /** The framework that wrote it, with its version if the file records one: `PyTorch`, `Keras 3.15.1`. */
  readonly writtenBy?: string;
  /** Compression of the whole file, which its loader undoes automatically: `zlib`. */
  readonly compression?: string;
  /** For a Keras file: a model, or only the weights for one. */
  readonly holds?: 'model' | 'weights';
  /** The contents of a Keras model. Undefined for other formats, or if its configuration could not be read. */
  readonly keras?: KerasModel;
  readonly onnx?: OnnxModel;
  readonly pipeline?: Pipeline;
  /** Further information as sentences, such as versions and what a program must provide. */
  readonly about?: readonly string[];
  /** For a SavedModel: the names under which it can be called, such as `serving_default`; signatures come first. */
  readonly endpoints?: readonly string[];
  /** In file order. */
  readonly tensors: readonly Tensor[];
  /** Metadata next to the tensors, in file order: keys of the format, hyperparameters, an epoch. */
  readonly metadata?: readonly Entry[];
  /**
   * The devices that held the storages when they were saved, sorted: `cpu`, `cuda:1`. Undefined if the format does not
   * record devices or if the description of the storages could not be read completely.
   */
  readonly devices?: readonly string[];
  /** The objects that unpickling the file would import, in file order. */
  readonly imports: readonly PickledImport[];
  /**
   * The opcodes of its pickles, such as `BINPERSID`. Undefined if `torch.load` does not unpickle the file or if a
   * pickle could not be interpreted to its end. `blockersUnder` uses the opcodes and imports to determine what
   * `weights_only=True` accepts.
   */
  readonly opcodes?: readonly string[];
  /**
   * The objects that its pickles create with an import and fill afterwards, with each kind listed once. Undefined
   * unless everything is plain data.
   */
  readonly filled?: readonly FilledObject[];
  /** The calls with which its pickles rebuild tensors, with each kind listed once. Undefined without pickles. */
  readonly rebuilt?: readonly RebuildCall[];
  /**
   * For a TorchScript program: the version of PyTorch that wrote it, to the extent that this decides what can read it.
   */
  readonly script?: ScriptVersion;
  readonly safety: Safety;
  /** Reasons why it does not load together with related files, such as an adapter with its base model, as sentences. */
  readonly misfits?: readonly string[];
  /** Problems with the file, as sentences. */
  readonly problems: readonly string[];
}

/** An object that is filled after its creation. `weights_only=True` allows this for a few types only. */
export interface FilledObject {
  /** The import that creates it: `numpy.dtype` */
  readonly by: string;
  readonly with: 'state' | 'items' | 'entries';
  /** NumPy's spelling of the element type: `f8`. */
  readonly spelling?: string;
}

/** A call to a PyTorch function that rebuilds a tensor. */
export interface RebuildCall {
  /** `torch._utils._rebuild_tensor_v2` */
  readonly by: string;
  /** Number of arguments; for a sparse tensor, the number of its parts. */
  readonly count: number;
  /** The layout of a sparse tensor: `sparse_coo`. */
  readonly layout?: string;
}

export interface ScriptVersion {
  /** The version of the file format, which increases when its operators change. */
  readonly format: number;
  /** The oldest torch version that writes such a file, if the file has a feature that shows this. */
  readonly writtenSince?: string;
}

export interface Tensor {
  readonly name: string;
  /** PyTorch's name if it has one: `float32`, `bfloat16`, `uint8`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** The device at the time of saving, if the format records it. */
  readonly device?: string;
  /** Bytes of its elements; elements shared with another tensor are counted for both. */
  readonly bytes: number;
}

/** A value other than a tensor: `epoch`, `general.architecture`, `hyper_parameters.lr`. */
export interface Entry {
  readonly name: string;
  /** Values that JSON lacks, such as `inf`, are strings. */
  readonly value: Scalar | readonly Scalar[];
  /** Number of list items or characters, if `value` holds only the first ones. */
  readonly length?: number;
}

export type Scalar = string | number | boolean | null;

/** An object that unpickling would import. */
export interface PickledImport {
  /** `torch._utils._rebuild_tensor_v2` */
  readonly name: string;
  readonly standing: Standing;
}

/**
 * `allowed`: on the list of `weights_only=True`; `harmless`: not on it, but a constructor or constant of plain data;
 * `unknown`: anything else, which may run code; `dangerous`: known to run code or commands, directly or indirectly.
 */
export type Standing = 'allowed' | 'harmless' | 'unknown' | 'dangerous';

/**
 * - `no-code`: the format's own loader only makes data from it, or only computes with it
 * - `weights-only`: plain data that loads with `weights_only=True`
 * - `refused`: plain data that does not load with `weights_only=True`
 * - `not-checked`: could not be checked, which never means that it is clean
 * - `needs-trust`: loading it runs code that is not known to be harmless
 * - `suspicious`: it does something that no program writes
 * - `dangerous`: it is known to run code or commands
 */
export type SafetyVerdict =
  | 'no-code'
  | 'weights-only'
  | 'refused'
  | 'not-checked'
  | 'needs-trust'
  | 'suspicious'
  | 'dangerous';

/**
 * - `harmless`: read to its last byte, and plain data or a program that only computes
 * - `not-checked`: could not be checked, which never means that it is clean
 * - `needs-trust`: loading it runs code that is not known to be harmless
 * - `suspicious`: it does something that no program writes
 * - `dangerous`: it is known to run code or commands
 */
export type SafetyLevel = 'harmless' | Exclude<SafetyVerdict, 'no-code' | 'weights-only' | 'refused'>;

export interface Safety {
  readonly verdict: SafetyVerdict;
  /** The reason for the verdict, as a sentence. */
  readonly reason: string;
}
