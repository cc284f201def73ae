import type { Budget } from '../budget.ts';
import { type Bytes, slice } from '../bytes.ts';
import type { Checkpoint, Safety } from '../checkpoint.ts';
import { withSafety } from '../doubts.ts';
import { type AfterBuild, interpretPickle, type Pickle } from '../pickle/interpret.ts';
import { type Pickles, readPickles, threatIn } from '../pickle/readPickle.ts';
import { importsOf, REFUSED } from '../pickle/safety.ts';
import { storagesOf, tensorsOf } from '../pickle/tensors.ts';
import { describeUnpickled } from '../unpickled.ts';
import { isJoblib, readJoblib } from './joblib.ts';

/** Pickles of any program, and those of joblib. */
export async function readPlainPickle(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  const plain = await readPickles(bytes, budget);
  if (!isJoblib(plain[0])) return describe('pickle', bytes, plain);
  const { pickles, firstArray } = await readJoblib(bytes, budget);
  const checkpoint = describe('joblib', bytes, pickles);
  if (await failsIdly(bytes, plain[0], firstArray ?? bytes.size, budget)) return checkpoint;
  const threat = threatIn(plain);
  return threat ? withSafety(checkpoint, [threat], importsOf(plain)) : checkpoint;
}

/**
 * True where `pickle.load`, which takes the content of the arrays from `start` on for instructions, fails in it before it
 * imports, calls or builds anything. Elements of an array are instructions by chance, too.
 */
async function failsIdly(bytes: Bytes, plain: Pickle, start: number, budget: Budget): Promise<boolean> {
  if (!plain.fails || plain.effects.some(({ standing }) => standing === 'dangerous')) return false;
  const before = await interpretPickle(slice(bytes, 0, start), 0, budget);
  let builds = 0;
  const countBuild: AfterBuild = (_, offset) => {
    if (offset > start) builds++;
    return undefined;
  };
  await interpretPickle(bytes, 0, budget, countBuild);
  return builds === 0 && plain.globals.size === before.globals.size && plain.calls.length === before.calls.length;
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
    reason: 'It holds plain data and runs no code. `torch.load` does not read such a pickle.',
  };
}

function withoutRefusal(reason: string): string {
  return reason.replace(REFUSED, '').trimEnd();
}
