import { damagesIn } from '../checkpoint/verdicts.ts';
import { isGpuFile } from '../published/knownPackages.ts';
import type { ErrorEvidence } from './conditions/condition.ts';
import type { Suspicion, Unexplained } from './explanation.ts';
import { complaintIn, frameOf, type Paste, unknownError } from './reading/paste.ts';
import { shownLocation } from './reading/traceback.ts';
import { NOT_WRITTEN, writtenWith } from './written.ts';

/** Topics of a text that the facts of a machine may explain. */
const OF_GPUS =
  /\b(?:cuda|cudnn|cublas|gpus?|nvidia|nvml|nccl|rocm|hip|mps|xpu|ptx|triton|tensorrt|accelerators?)\b|cuda(?=[A-Z_])|\bsm_\d\d/i;

/** Number of frames at the end of a traceback that show what the program was doing. */
const INNERMOST = 3;

/**
 * True if an unknown error is about GPUs: its line, or its context, names them. In a text without any error, such as
 * the output of nvidia-smi, everything counts.
 */
export function concernsGpus(paste: Paste): boolean {
  if (OF_GPUS.test(complaintIn(paste) ?? paste.text)) return true;
  return paste.frames.slice(-INNERMOST).some(({ file }) => isGpuFile(file));
}

/**
 * Problems here that may cause an unknown error: a stack that cannot work, findings of the rules in the failing line,
 * and a damaged checkpoint. None of these is a certain cause. Errors that are not about GPUs get none.
 */
export function unexplained(paste: Paste, known: ErrorEvidence): Unexplained {
  return {
    message: unknownError(paste) ?? null,
    location: shownLocation(frameOf(paste, undefined)),
    suspicions: [...damagedFile(known), ...(concernsGpus(paste) ? [...ofStack(known), ...ofLine(known)] : [])],
  };
}

function ofStack({ verdicts = [] }: ErrorEvidence): Suspicion[] {
  return verdicts
    .filter(({ severity }) => severity === 'error')
    .map(({ finding, why, remedies }) => ({
      text: finding,
      evidence: why.map(({ fact, source }) => `${fact} (${source})`),
      remedies: remedies.map((remedy) => ({ title: remedy.title, ...writtenWith(remedy, {}) })),
    }));
}

function ofLine({ code }: ErrorEvidence): Suspicion[] {
  return (code?.findings ?? []).map(({ message, fixes }) => ({
    text: message,
    evidence: [],
    remedies: fixes.slice(0, 1).map(({ title, line }) => ({ ...NOT_WRITTEN, title, code: line })),
  }));
}

function damagedFile({ checkpoint }: ErrorEvidence): Suspicion[] {
  const [problem] = checkpoint ? damagesIn(checkpoint.checkpoint) : [];
  if (!checkpoint || problem === undefined) return [];
  const { path } = checkpoint;
  return [
    {
      text: `${path}: ${problem}`,
      evidence: [],
      remedies: [{ ...NOT_WRITTEN, title: 'Download or save the file again' }],
    },
  ];
}
