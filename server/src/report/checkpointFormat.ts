import type { Checkpoint, Format } from '../checkpoint/checkpoint.ts';

/** What people call the formats. */
const FORMATS: Readonly<Record<Format, string>> = {
  torch: 'PyTorch checkpoint',
  'torch-legacy': 'PyTorch checkpoint, form before 1.6',
  'torch-tar': 'PyTorch checkpoint, form of 0.1',
  torchscript: 'TorchScript program',
  'torch-export': 'PyTorch exported program',
  'torch-package': 'PyTorch package',
  pickle: 'pickle',
  joblib: 'joblib file',
  safetensors: 'safetensors',
  'safetensors-index': 'index of a checkpoint in several files',
  keras: 'Keras model',
  hdf5: 'HDF5 file',
  'saved-model': 'TensorFlow SavedModel',
  'tensorflow-checkpoint': 'TensorFlow checkpoint',
  gguf: 'GGUF',
  onnx: 'ONNX model',
  tflite: 'TensorFlow Lite model',
  coreml: 'Core ML model',
  nemo: 'NeMo model',
  torchserve: 'TorchServe archive',
  'keras-metadata': 'Keras metadata of a SavedModel',
  numpy: 'NumPy array',
  'numpy-archive': 'NumPy arrays',
  gzip: 'gzip',
  compressed: 'compressed file',
  zip: 'ZIP file',
  tar: 'tar archive',
  'git-lfs-pointer': 'Git LFS pointer',
  html: 'web page',
  json: 'JSON text',
  text: 'text',
  empty: 'empty file',
  folder: 'folder',
  unknown: 'unknown format',
};

/** `joblib file, compressed by zlib`; of Keras also whether it is a model or only the weights for one. */
export function formatText({
  format,
  compression,
  holds,
}: Pick<Checkpoint, 'format' | 'compression' | 'holds'>): string {
  if (compression !== undefined) return `${FORMATS[format]}, compressed by ${compression}`;
  if (holds === undefined || format === 'keras') return FORMATS[format];
  return `${holds === 'model' ? 'Keras model' : 'weights of a Keras model'}, in ${IN[format] ?? FORMATS[format]}`;
}

const IN: Partial<Record<Format, string>> = { hdf5: 'an HDF5 file', 'saved-model': 'a TensorFlow SavedModel' };

/** `343 MB`, in powers of 1000. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${step === 0 ? bytes : (bytes / 1000 ** step).toPrecision(3)} ${units[step]}`;
}

/** `3 × 8` */
export function shapeText(shape: readonly number[]): string {
  return shape.length === 0 ? 'scalar' : shape.join(' × ');
}

/** `398 tensors of its state, 687 MB` */
export function trainingText(count: number, bytes: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'tensor' : 'tensors'} of its state, ${bytesText(bytes)}`;
}
