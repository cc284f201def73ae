import type { Checkpoint, Safety } from './checkpoint.ts';
import { withDoubts, withSafety } from './doubts.ts';
import { enumerated } from './enumerated.ts';
import { FORMATS } from './formats/index.ts';
import { BEHIND_OTHER_DATA } from './unreadCheckpoint.ts';
import { notChecked, runsCode } from './verdicts.ts';

/**
 * Returns the first reader's description, with a verdict that considers all readers that accept the file, since any of
 * them may load it.
 */
export function combined(checkpoint: Checkpoint, others: readonly Checkpoint[]): Checkpoint {
  if (others.length === 0) return checkpoint;
  const judged = withSafety(
    checkpoint,
    others.filter(({ safety }) => runsCode(safety)).map(readingSafety),
    others.flatMap(({ imports }) => imports),
  );
  // The weights of NeMo are a ZIP file stored uncompressed in the archive, which is read with it anyway.
  if (checkpoint.format === 'nemo' && others.every(({ format }) => format === 'torch' || format === 'zip'))
    return judged;
  // The weights of a Keras model are an HDF5 file stored uncompressed in the archive, which is read with it anyway.
  if (checkpoint.format === 'keras' && others.every(isBehindOtherData)) return judged;
  const forms = [...new Set([checkpoint, ...others].map(({ format }) => FORMATS[format].noun))];
  return withDoubts(judged, [`it can be read in more than one way, as ${enumerated(forms)}`]);
}

/** True for an HDF5 file without any doubt but that it begins within another file. */
function isBehindOtherData({ format, problems }: Checkpoint): boolean {
  return format === 'hdf5' && problems.join() === notChecked(BEHIND_OTHER_DATA).reason;
}

/** Returns the verdict on one of several readings, with the format as which the file was read. */
function readingSafety({ format, safety }: Checkpoint): Safety {
  const loaders =
    format === 'pickle' ? ', which is how `pickle.load` and `torch.load(weights_only=False)` read any file' : '';
  return { verdict: safety.verdict, reason: `Read as ${FORMATS[format].noun}${loaders}: ${safety.reason}` };
}
