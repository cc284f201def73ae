import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Safety } from '../../checkpoint.ts';
import { withSafety } from '../../doubts.ts';
import { type Pickles, readPickles, threatIn } from '../../pickle/readPickle.ts';
import { importsOf, REFUSED } from '../../pickle/safety.ts';
import { storagesOf, tensorsOf } from '../../pickle/tensors.ts';
import { describeUnpickled } from '../../unpickledFile.ts';
import { isJoblib, readJoblib } from './joblib.ts';

/** Reads pickles written by any program, including those written by joblib. */
export async function readPlainPickle(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  const plain = await readPickles(bytes, budget);
  if (!isJoblib(plain[0])) return describe('pickle', bytes, plain);
  const { pickles, hasPadding } = await readJoblib(bytes, budget);
  const { endsWithoutEffect } = await readJoblib(bytes, budget, 'pickle');
  const readings: Pickles[] = endsWithoutEffect ? plain.slice(1).map((pickle) => [pickle]) : [plain];
  const old = hasPadding ? await readJoblib(bytes, budget, 'joblib before 1.2') : undefined;
  if (old && !old.endsWithoutEffect) readings.push(old.pickles);
  return readings.reduce(
    (checkpoint, reading) => {
      const threat = threatIn(reading);
      return threat ? withSafety(checkpoint, [threat], importsOf(reading)) : checkpoint;
    },
    describe('joblib', bytes, pickles),
  );
}

/** Describes a pickle. Tensors inside it are nested checkpoints, which PyTorch loads during unpickling. */
function describe(format: 'pickle' | 'joblib', bytes: Bytes, [main, ...others]: Pickles): Checkpoint {
  const all = [main, ...others];
  const storages = all.map(storagesOf);
  const known = storages.every((each) => each !== undefined) ? storages.flat() : undefined;
  const isUnpacked = main.persistent.length > 0;
  const checkpoint = describeUnpickled({
    format,
    size: bytes.size,
    main,
    others,
    storages: known && known.length > 0 ? known : undefined,
    problems: isUnpacked ? [known ? UNPACKED : INCOMPLETE] : [],
  });
  return {
    ...checkpoint,
    opcodes: undefined,
    filled: undefined,
    ...(!isUnpacked && {
      safety: withoutTorch(checkpoint.safety),
      problems: checkpoint.problems.map(withoutRefusal),
    }),
    tensors: [...checkpoint.tensors, ...others.flatMap(({ value }) => tensorsOf(value))],
  };
}

const UNPACKED =
  'It is the `data.pkl` of an unpacked PyTorch checkpoint, whose tensors are in other files: it cannot be loaded on its own.';
const INCOMPLETE = 'It refers to objects outside the file, which `pickle.load` cannot resolve.';

/** Replaces statements about `weights_only`, since `torch.load` does not read such a file. */
function withoutTorch(safety: Safety): Safety {
  if (safety.verdict !== 'weights-only' && safety.verdict !== 'refused')
    return { ...safety, reason: withoutRefusal(safety.reason) };
  return {
    verdict: 'refused',
    reason: 'It contains plain data and runs no code. `torch.load` does not read such a pickle.',
  };
}

function withoutRefusal(reason: string): string {
  return reason.replace(REFUSED, '').trimEnd();
}
