import type { Format } from '../checkpoint.ts';
import { compressed, gzip, tar, zip } from './containers.ts';
import { coreml } from './coreml/format.ts';
import type { FormatDeclaration } from './declaration.ts';
import { gguf } from './gguf/format.ts';
import { hdf5 } from './hdf5/format.ts';
import { keras } from './keras/format.ts';
import { nemo } from './nemo/format.ts';
import { empty, folder, gitLfsPointer, html, json, text, unknown } from './notCheckpoints.ts';
import { numpy, numpyArchive } from './numpy/format.ts';
import { onnx } from './onnx/format.ts';
import { joblib, pickle } from './pickle/format.ts';
import { safetensors, safetensorsIndex } from './safetensors/format.ts';
import { kerasMetadata, savedModel, tensorflowCheckpoint } from './tensorflow/format.ts';
import { tflite } from './tflite/format.ts';
import { torch, torchExport, torchLegacy, torchPackage, torchServe, torchscript, torchTar } from './torch/format.ts';

/**
 * The formats. A file that has the signs of several is shown as the first of them; among formats without a sign, the first
 * that looks like it decides.
 */
export const FORMATS: Readonly<Record<Format, FormatDeclaration>> = {
  zip,
  torch,
  'torch-legacy': torchLegacy,
  'torch-tar': torchTar,
  torchscript,
  'torch-export': torchExport,
  'torch-package': torchPackage,
  torchserve: torchServe,
  pickle,
  joblib,
  gguf,
  tflite,
  gzip,
  compressed,
  numpy,
  'numpy-archive': numpyArchive,
  tar,
  nemo,
  hdf5,
  keras,
  safetensors,
  'safetensors-index': safetensorsIndex,
  'git-lfs-pointer': gitLfsPointer,
  'tensorflow-checkpoint': tensorflowCheckpoint,
  'saved-model': savedModel,
  onnx,
  coreml,
  'keras-metadata': kerasMetadata,
  html,
  json,
  text,
  empty,
  folder,
  unknown,
};

export const FORMAT_IDS = Object.keys(FORMATS) as readonly Format[];

/** True for a format of checkpoints: neither an archive of any files nor what people find instead of a checkpoint. */
export function isCheckpointFormat(format: Format): boolean {
  return FORMATS[format].kind === 'checkpoint';
}

/** True for a folder of files with these names that is a model of a format of its own. */
export function isModelFolder(names: readonly string[]): boolean {
  return FORMAT_IDS.some((format) => FORMATS[format].folder?.holds(names));
}
