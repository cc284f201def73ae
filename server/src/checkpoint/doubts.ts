import type { Checkpoint, Format, Import, Safety } from './checkpoint.ts';
import { enumerated } from './enumerated.ts';
import { ZIP_WITHOUT_CHECKPOINT } from './unread.ts';
import { isHarmless, notChecked, runsCode, worstOf } from './verdicts.ts';

/** The same checkpoint, judged by those too: the worst counts, and is told among the problems where someone has to act. */
export function withSafety(
  checkpoint: Checkpoint,
  others: readonly Safety[],
  imports: readonly Import[] = [],
): Checkpoint {
  const safety = worstOf([checkpoint.safety, ...others]);
  const isWorse = safety.verdict !== checkpoint.safety.verdict;
  if (!isWorse && imports.length === 0) return checkpoint;
  const before = checkpoint.problems.filter((problem) => problem !== checkpoint.safety.reason);
  return {
    ...checkpoint,
    imports: [...new Map([...checkpoint.imports, ...imports].map((each) => [each.name, each])).values()],
    safety: isWorse ? safety : checkpoint.safety,
    problems: isWorse ? [...before, ...(isHarmless(safety) ? [] : [safety.reason])] : checkpoint.problems,
  };
}

/**
 * The same checkpoint, of which nothing good is said while there are doubts: clauses that say why a reader may find
 * something else in it. Where a problem tells of the same, it stays the only one. @see notChecked
 */
export function withDoubts(checkpoint: Checkpoint, doubts: readonly string[]): Checkpoint {
  const [first] = doubts;
  if (first === undefined) return checkpoint;
  const doubt = notChecked(first);
  const safety = isHarmless(checkpoint.safety) ? doubt : checkpoint.safety;
  const isTold = checkpoint.problems.length > 0;
  return { ...checkpoint, safety, problems: isTold ? checkpoint.problems : [doubt.reason] };
}

/** A file as its first reader describes it, judged by all that can read it: which of them will, nobody knows. */
export function joined(checkpoint: Checkpoint, others: readonly Checkpoint[]): Checkpoint {
  if (others.length === 0) return checkpoint;
  const judged = withSafety(
    checkpoint,
    others.filter(({ safety }) => runsCode(safety)).map(asOther),
    others.flatMap(({ imports }) => imports),
  );
  // Labels and the like lie behind a model of TensorFlow Lite, packed as a ZIP file.
  const isPlain = others.every(({ problems }) => problems.join() === ZIP_WITHOUT_CHECKPOINT);
  if (checkpoint.format === 'tflite' && isPlain) return judged;
  // The weights of NeMo are a ZIP file that lies in the archive as it is, and are read as a part of it anyway.
  if (checkpoint.format === 'nemo' && others.every(({ format }) => format === 'torch' || format === 'zip'))
    return judged;
  const forms = [...new Set([checkpoint, ...others].map(({ format }) => FORMS[format] ?? 'a file of another format'))];
  return withDoubts(judged, [`it can be read in more than one way, as ${enumerated(forms)}`]);
}

/** The verdict on one of several readings, with who reads the file so. */
function asOther({ format, safety }: Checkpoint): Safety {
  const form = FORMS[format] ?? 'a file of another format';
  const loaders = format === 'pickle' ? ', as `pickle.load` and `torch.load(weights_only=False)` read any file' : '';
  return { verdict: safety.verdict, reason: `Read as ${form}${loaders}: ${safety.reason}` };
}

const FORMS: Partial<Record<Format, string>> = {
  torch: 'a checkpoint of PyTorch',
  'torch-legacy': 'a checkpoint of PyTorch before 1.6',
  'torch-tar': 'a tar archive, which `torch.load` tries first',
  torchscript: 'a TorchScript program',
  'torch-export': 'an exported program',
  'torch-package': 'a package of PyTorch',
  pickle: 'a pickle',
  joblib: 'a file of joblib',
  safetensors: 'a safetensors file',
  keras: 'a model of Keras',
  hdf5: 'an HDF5 file',
  'tensorflow-checkpoint': 'the index of a TensorFlow checkpoint',
  gguf: 'a GGUF file',
  tflite: 'a model of TensorFlow Lite',
  nemo: 'an archive of NeMo',
  torchserve: 'an archive of TorchServe',
  numpy: 'a NumPy array',
  'numpy-archive': 'an archive of NumPy arrays',
  gzip: 'a compressed file',
  compressed: 'a compressed file',
  zip: 'a ZIP file',
  tar: 'a tar archive',
  'git-lfs-pointer': 'a Git LFS pointer',
};
