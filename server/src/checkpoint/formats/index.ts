import type { Format } from '../checkpoint.ts';
import { compressed, gzip, tar, zip } from './containers.ts';
import type { FormatDeclaration } from './declaration.ts';
import { diffusersPipeline } from './diffusers/format.ts';
import { gguf } from './gguf/format.ts';
import { hdf5 } from './hdf5/format.ts';
import { keras } from './keras/format.ts';
import { nemo } from './nemo/format.ts';
import { empty, folder, gitLfsPointer, html, json, textFormat, tflite, unknownFormat } from './notCheckpoints.ts';
import { numpy, numpyArchive } from './numpy/format.ts';
import { onnx } from './onnx/format.ts';
import { joblib, pickle } from './pickle/format.ts';
import { safetensors, safetensorsIndex } from './safetensors/format.ts';
import { savedModel, tensorflowCheckpoint } from './tensorflow/format.ts';
import { torch, torchExport, torchLegacy, torchPackage, torchServe, torchscript } from './torch/format.ts';

/**
 * All formats in order of precedence. A file with several signatures is shown as the first match; among formats without
 * a signature, the first one that recognizes the beginning wins.
 */
export const FORMATS: Readonly<Record<Format, FormatDeclaration>> = {
  zip,
  torch,
  'torch-legacy': torchLegacy,
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
  'diffusers-pipeline': diffusersPipeline,
  onnx,
  html,
  json,
  text: textFormat,
  empty,
  folder,
  unknown: unknownFormat,
};

export const FORMAT_IDS = Object.keys(FORMATS) as readonly Format[];

/**
 * True for a checkpoint format; false for archives that may contain any files, and for files that people find instead
 * of a checkpoint.
 */
export function isCheckpointFormat(format: Format): boolean {
  return FORMATS[format].kind === 'checkpoint';
}

/** True if file names show that their folder is a model in a folder format. */
export function isModelFolder(names: readonly string[]): boolean {
  return FORMAT_IDS.some((format) => FORMATS[format].folder?.holds(names));
}
