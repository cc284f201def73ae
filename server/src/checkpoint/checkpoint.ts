/** What is inside a checkpoint. It is read from the file's own description of itself; nothing in it is ever executed. */
import type { KerasModel } from './kerasModel.ts';
import type { OnnxModel } from './onnxModel.ts';

/** The formats that are told apart, among them what people meet instead of a checkpoint. */
export type Format =
  | 'torch'
  | 'torch-legacy'
  | 'torch-tar'
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
  | 'tensorflow-checkpoint'
  | 'gguf'
  | 'onnx'
  | 'tflite'
  | 'coreml'
  | 'nemo'
  | 'torchserve'
  | 'keras-metadata'
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
  /** In bytes; of a folder or an index, that of the files that it is made of. */
  readonly size: number;
  /** The framework that wrote it, with its version where the file says so: `PyTorch`, `Keras 3.15.1`. */
  readonly writtenBy?: string;
  /** By what the whole file is packed, which its loader unpacks by itself: `zlib`. */
  readonly compression?: string;
  /** Of a file of Keras: a model, or only the weights for one. */
  readonly holds?: 'model' | 'weights';
  /** What a model of Keras is made of; undefined for others, and where its configuration could not be read. */
  readonly keras?: KerasModel;
  readonly onnx?: OnnxModel;
  /** What else there is to know of it, as sentences: versions, and what a program has to bring. */
  readonly about?: readonly string[];
  /** Of a SavedModel: the names under which it can be called, `serving_default`, its signatures first. */
  readonly endpoints?: readonly string[];
  /** In the file's order. */
  readonly tensors: readonly Tensor[];
  /** What the file says beside its tensors, in its order: keys of its format, hyperparameters, an epoch. */
  readonly metadata?: readonly Entry[];
  /**
   * The devices that storages were on when they were saved, sorted: `cpu`, `cuda:1`. Undefined for a format that
   * records none, and where the description of the storages could not be read whole.
   */
  readonly devices?: readonly string[];
  /** The objects that would be imported by unpickling the file, in its order. */
  readonly imports: readonly Import[];
  /**
   * The opcodes of its pickles: `BINPERSID`. Undefined for what `torch.load` does not unpickle, and where a pickle could
   * not be interpreted to its end. What they and the imports mean for `weights_only=True`, `blockersUnder` says.
   */
  readonly opcodes?: readonly string[];
  /** What its pickles make of imports and fill afterwards, each kind once; undefined for what is not only plain data. */
  readonly filled?: readonly Filled[];
  /** How its pickles make tensors, each way once; undefined for what has no pickles. */
  readonly rebuilt?: readonly Rebuilt[];
  /** Of a TorchScript program: by which PyTorch it was written, as far as that decides who reads it. */
  readonly script?: ScriptVersion;
  readonly safety: Safety;
  /** What is wrong with the file, as sentences. */
  readonly problems: readonly string[];
}

/** An object that is filled after it was made, which `weights_only=True` lets only some types be. */
export interface Filled {
  /** The import that makes it: `numpy.dtype` */
  readonly by: string;
  readonly with: 'state' | 'items' | 'entries';
  /** Which type of NumPy's elements it is, as NumPy spells it: `f8`. */
  readonly spelling?: string;
}

/** A call of one of PyTorch's functions that make tensors. */
export interface Rebuilt {
  /** `torch._utils._rebuild_tensor_v2` */
  readonly by: string;
  /** Its arguments; of a sparse tensor the parts that it is made of. */
  readonly count: number;
  /** Of a sparse tensor: `sparse_coo`. */
  readonly layout?: string;
}

export interface ScriptVersion {
  /** The version of the file's own format, which rises with that of the operators in it. */
  readonly format: number;
  /** The oldest torch that writes such a file, where it has a mark of one. */
  readonly writtenSince?: string;
}

export interface Tensor {
  readonly name: string;
  /** In PyTorch's words where it has one: `float32`, `bfloat16`, `uint8`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** The device that it was on when it was saved, for a format that records it. */
  readonly device?: string;
  /** Of its elements; what it shares with another tensor counts for each. */
  readonly bytes: number;
}

/** Something that is no tensor: `epoch`, `general.architecture`, `hyper_parameters.lr`. */
export interface Entry {
  readonly name: string;
  /** What JSON cannot say, such as `inf`, is a text. */
  readonly value: Scalar | readonly Scalar[];
  /** Items of the list, or characters of the text, where `value` is only their beginning. */
  readonly length?: number;
}

export type Scalar = string | number | boolean | null;

/** An object that unpickling would import. */
export interface Import {
  /** `torch._utils._rebuild_tensor_v2` */
  readonly name: string;
  readonly standing: Standing;
}

/**
 * `allowed`: on the list of `weights_only=True`; `harmless`: not on it, but a constructor or constant of plain data;
 * `unknown`: anything else, which may run code; `dangerous`: known to run code or commands, or to reach for what does.
 */
export type Standing = 'allowed' | 'harmless' | 'unknown' | 'dangerous';

/**
 * `no-code`: the format's own loader only makes data of it, or only computes with it; `weights-only`: plain data that loads with `weights_only=True`; `refused`: plain
 * data that does not; `not-checked`: it could not be judged, which never means that it is clean; `needs-trust`: loading it
 * runs code that is not known to be harmless; `suspicious`: it does what no program writes; `dangerous`: it is known to
 * run code or commands.
 */
export type Verdict =
  | 'no-code'
  | 'weights-only'
  | 'refused'
  | 'not-checked'
  | 'needs-trust'
  | 'suspicious'
  | 'dangerous';

export interface Safety {
  readonly verdict: Verdict;
  /** Says why, as a sentence. */
  readonly reason: string;
}
