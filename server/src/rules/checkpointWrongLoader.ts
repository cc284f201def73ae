import type { Format } from '../checkpoint/checkpoint.ts';
import type { FoundCheckpoint } from '../checkpoint/knownCheckpoints.ts';
import type { Program } from '../guards/program.ts';
import type { Knowledge } from './engine/contract.ts';
import { on, type Rule } from './engine/rule.ts';
import { fixesOfWrongLoader } from './fixes/rightLoader.ts';
import { kerasRefusal } from './queries/kerasVersions.ts';
import { usesLegacyKeras } from './queries/legacyKeras.ts';
import { type Reading, readings, shownPath } from './queries/readerCalls.ts';
import { isAtLeast } from './queries/versions.ts';
import { isWeightsOnly } from './queries/weightsOnlyCall.ts';

/** GPU502: a file is not what its loader reads. */
export const checkpointWrongLoader: Rule = {
  code: 'GPU502',
  name: 'checkpoint-wrong-loader',
  summary: 'A file is not of a format that its loader reads.',
  reports: 'the file at hand is not what its loader reads, or no checkpoint at all',
  severity: 'error',
  replaces: ['GPU101', 'GPU102', 'GPU301', 'GPU501', 'GPU503'],
  isAboutFiles: true,
  listener: on(readings, (reading, { program, known, aboutFile, report }) => {
    if (reading.isHandled) return;
    const reasons = reading.files.map((file) => refusalOf(file, reading, program, known));
    const [reason] = reasons;
    if (reason === undefined || reasons.includes(undefined)) return;
    const { call, files } = reading;
    const name = program.text.slice(call.func.start, call.func.end);
    const formats = new Set(files.map(({ summary }) => summary.format));
    const [format] = formats;
    report({
      span: { start: call.func.start, end: call.end },
      level: 'flag',
      reasons: aboutFile,
      message: `\`${name}\` does not load ${shownPath(reading)}: ${reason}`,
      fixes: () => (formats.size === 1 && format ? fixesOfWrongLoader(program, reading, format, known) : []),
    });
  }),
};

/** What people meet in place of a checkpoint: of these the reader's own sentence tells what to do. */
const NO_CHECKPOINT: ReadonlySet<Format> = new Set([
  'git-lfs-pointer',
  'html',
  'json',
  'text',
  'empty',
  'gzip',
  'compressed',
  'zip',
  'tar',
]);

const NOUNS: Readonly<Partial<Record<Format, string>>> = {
  torch: 'a PyTorch checkpoint',
  'torch-legacy': 'a PyTorch checkpoint',
  'torch-tar': 'a PyTorch checkpoint',
  torchscript: 'a TorchScript program',
  'torch-export': 'an exported program of PyTorch',
  'torch-package': 'a PyTorch package',
  pickle: 'a plain pickle',
  joblib: 'a file of joblib, which `joblib.load` reads',
  safetensors: 'a safetensors file',
  'safetensors-index': 'the index of safetensors files',
  keras: 'a Keras model',
  hdf5: 'an HDF5 file, as Keras writes them',
  'saved-model': 'a SavedModel folder of TensorFlow',
  'tensorflow-checkpoint': 'a checkpoint of TensorFlow',
  gguf: 'a GGUF file',
  onnx: 'an ONNX model, which ONNX Runtime loads',
  coreml: 'a Core ML model',
  nemo: 'an archive of NeMo, which its `restore_from` loads',
  torchserve: 'an archive of TorchServe',
  'keras-metadata': 'a description of Keras layers without weights, a part of a SavedModel folder',
  tflite: 'a model of TensorFlow Lite, which its interpreter loads',
  numpy: 'a NumPy array',
  'numpy-archive': 'an archive of NumPy arrays',
};

/** Formats that are read straight through: what is wrong with such a file keeps it from loading. */
const WHOLE: ReadonlySet<Format> = new Set(['torch', 'torch-legacy', 'safetensors']);

/** Why the reader certainly does not load a file, as a clause with its full stop; undefined where it does, or may. */
function refusalOf({ summary, path }: FoundCheckpoint, reading: Reading, program: Program, known: Knowledge) {
  const { reader } = reading;
  const { format, problems, safety, holds } = summary;
  const isRead = reader.reads.some((each) => each === format);
  if (isRead) {
    const damage = WHOLE.has(format) ? problems.find((problem) => problem !== safety.reason) : undefined;
    if (damage !== undefined) return lowerFirst(damage);
    if (reader.name.startsWith('keras.') && holds === 'weights')
      return 'it holds only the weights of a model, which `model.load_weights` reads.';
    const installed = known.here?.keras;
    const isKeras3Refusal = format === 'saved-model' && installed && !usesLegacyKeras(program);
    const refusal = isKeras3Refusal ? kerasRefusal(summary, installed) : undefined;
    return refusal && `it is ${NOUNS[format]}, and ${refusal.because}.`;
  }
  if (reader.perhaps?.some((each) => each === format)) return perhaps(format, path, reading, known);
  const noun = NOUNS[format];
  if (noun !== undefined) return `by its content it is ${noun}.`;
  return NO_CHECKPOINT.has(format) && problems[0] !== undefined ? lowerFirst(problems[0]) : undefined;
}

/** What depends on the version of PyTorch. */
function perhaps(format: Format, path: string, reading: Reading, { torchVersion }: Knowledge): string | undefined {
  if (reading.reader.name !== 'torch.load') return undefined;
  if (format === 'torchscript') {
    const isRefused = isWeightsOnly(reading.args, torchVersion) === true;
    return isRefused ? `it is ${NOUNS.torchscript}, which is not loaded with \`weights_only=True\`.` : undefined;
  }
  // https://github.com/pytorch/pytorch/pull/170592
  const since = '2.13';
  if (format !== 'safetensors') return undefined;
  if (!path.endsWith('.safetensors')) return `by its content it is ${NOUNS.safetensors}.`;
  if (torchVersion === undefined) return `it is ${NOUNS.safetensors}, which PyTorch reads only from ${since} on.`;
  return isAtLeast(torchVersion, since) ? undefined : `it is ${NOUNS.safetensors}, and this is torch ${torchVersion}.`;
}

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);
