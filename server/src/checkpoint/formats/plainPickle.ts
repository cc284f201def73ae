import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';
import type { Checkpoint, Safety } from '../checkpoint.ts';
import { withSafety } from '../doubts.ts';
import { type Pickles, readPickles } from '../pickle/readPickle.ts';
import { importsOf, judgePickles, REFUSED } from '../pickle/safety.ts';
import { storagesOf, tensorsOf } from '../pickle/tensors.ts';
import { describeUnpickled } from '../unpickled.ts';
import { runsCode } from '../verdicts.ts';
import { isJoblib, readJoblib } from './joblib.ts';

/** Pickles of any program, and those of joblib. */
export async function readPlainPickle(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  const plain = await readPickles(bytes, budget);
  if (!isJoblib(plain[0])) return describe('pickle', bytes, plain);
  const { pickles, firstArray } = await readJoblib(bytes, budget);
  const checkpoint = describe('joblib', bytes, pickles);
  // Who takes it for a plain pickle fails at the first array, unless that is made for him.
  const fails = plain[0].trouble !== undefined && plain[0].end === firstArray;
  const safety = judgePickles(plain);
  return fails || !runsCode(safety) ? checkpoint : withSafety(checkpoint, [safety], importsOf(plain));
}

/** Tensors in such pickles are checkpoints of their own, which PyTorch loads from within. */
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
  'It is the `data.pkl` of an unpacked checkpoint of PyTorch, whose tensors lie in files beside it: nothing loads it alone.';
const INCOMPLETE = 'It refers to objects outside of the file, which `pickle.load` does not know.';

/** `torch.load` does not read such a file, so what its `weights_only` would say does not matter. */
function withoutTorch(safety: Safety): Safety {
  if (safety.verdict !== 'weights-only' && safety.verdict !== 'refused')
    return { ...safety, reason: withoutRefusal(safety.reason) };
  return {
    verdict: 'refused',
    reason: 'All that unpickling it imports is harmless. `torch.load` does not read such a pickle.',
  };
}

function withoutRefusal(reason: string): string {
  return reason.replace(REFUSED, '').trimEnd();
}
