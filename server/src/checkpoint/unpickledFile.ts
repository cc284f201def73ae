import type { Checkpoint, Format, Safety } from './checkpoint.ts';
import { filledIn } from './pickle/filled.ts';
import { namesIn, type Pickle } from './pickle/interpret.ts';
import { rebuiltIn } from './pickle/rebuilt.ts';
import { importsOf, judgePickles, opcodesOf } from './pickle/safety.ts';
import { scalarsOf } from './pickle/scalars.ts';
import { isKind, type Value } from './pickle/symbols.ts';
import { devicesInCalls, type Storage, tensorsOf } from './pickle/tensors.ts';
import { isHarmless, needsTrust, notChecked, worstOf } from './verdicts.ts';

/** A file that unpickling would read, with additional facts about it. */
interface UnpickledFile {
  readonly format: Format;
  readonly size: number;
  readonly writtenBy?: string;
  /** The pickle of the object that loading returns. */
  readonly main: Pickle;
  /** Other pickles that loading reads. */
  readonly others?: readonly Pickle[];
  /** The storages of all pickles; undefined if not all are known. */
  readonly storages: readonly Storage[] | undefined;
  /** Damage in the file, as sentences. */
  readonly problems?: readonly string[];
  /** Reasons why the file may be read differently or was not read completely, as clauses. */
  readonly doubts?: readonly string[];
}

/** Describes and checks a file that unpickling would read. */
export function describeUnpickled({
  format,
  size,
  writtenBy,
  main,
  others = [],
  storages,
  problems = [],
  doubts = [],
}: UnpickledFile): Checkpoint {
  const pickles = [main, ...others];
  const broken = problems.length > 0 ? ['it is incomplete'] : [];
  const safety = worstOf([judgePickles(pickles), ...instantiated(main), ...[...doubts, ...broken].map(notChecked)]);
  const isWhole = pickles.every(({ trouble }) => trouble === undefined);
  const isCertain = isWhole && doubts.length === 0 && pickles.every((pickle) => pickle.doubts.size === 0);
  const pickler = picklerOf(pickles);
  const devices = new Set(pickles.flatMap(devicesInCalls));
  for (const { location } of storages ?? []) devices.add(location);
  return {
    format,
    size,
    writtenBy: lightningOf(main) ?? writtenBy ?? pickler,
    about: pickles.some(makesCode) ? [CARRIES_CODE] : undefined,
    tensors: tensorsOf(main.value),
    metadata: scalarsOf(main.value),
    devices: isWhole && storages ? [...devices].sort() : undefined,
    imports: importsOf(pickles),
    opcodes: isCertain ? opcodesOf(pickles) : undefined,
    rebuilt: rebuiltIn(pickles),
    filled: isCertain ? filledIn(pickles) : undefined,
    safety,
    problems: [...problems, ...problemsOf(safety)],
  };
}

/** Returns the library that wrote the file, if that library pickles functions and classes with their code. */
function picklerOf(pickles: readonly Pickle[]): string | undefined {
  const names = pickles.flatMap(namesIn);
  return ['dill', 'cloudpickle'].find((library) => names.some((name) => name.startsWith(`${library}.`)));
}

/** True if a pickle creates functions or classes from code in the file. */
function makesCode(pickle: Pickle): boolean {
  return namesIn(pickle).some((name) => /^(dill\._dill\._create_|cloudpickle\.cloudpickle\._make_)/.test(name));
}

const CARRIES_CODE =
  'It contains functions or classes as bytecode, which runs only in the Python version that wrote it.';

/** Returns the sentence in a verdict that requires the user to act. */
export function problemsOf({ verdict, reason }: Safety): string[] {
  return isHarmless({ verdict, reason }) ? [] : [reason];
}

function lightningOf({ value }: Pickle): string | undefined {
  if (!isKind(value, 'dict')) return undefined;
  const version = entryOf(value.entries, 'pytorch-lightning_version');
  return typeof version === 'string' ? `PyTorch Lightning ${version}` : undefined;
}

/**
 * Lightning's `load_from_checkpoint` imports and calls the function that the hyperparameters name, even if the file itself
 * holds only plain data (pytorch-lightning 2.5.5, `core/saving.py`). Checkpoints of its command line name its own one,
 * which imports what their arguments name.
 */
function instantiated({ value }: Pickle): Safety[] {
  for (const key of HYPERPARAMETERS) {
    const parameters = entryOf(pairsIn(value), key);
    const name = entryOf(pairsIn(parameters), '_instantiator');
    if (name === undefined) continue;
    const isOwn =
      typeof name === 'string' && /^(?:lightning\.pytorch|pytorch_lightning)\.cli\.instantiate_module$/.test(name);
    if (isOwn && !namesObject(parameters)) continue;
    const called = typeof name === 'string' ? `\`${name}\`` : 'an object';
    const reason = `Its hyperparameters name ${called}, which Lightning's \`load_from_checkpoint\` imports and calls.`;
    return [needsTrust(reason)];
  }
  return [];
}

/** True if arguments hold a name, a class or text that is not kept, from which jsonargparse may create an object. */
function namesObject(parameters: Value | undefined): boolean {
  const waiting = [parameters];
  const seen = new Set<Value | undefined>();
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (isKind(value, 'raw') || (typeof value === 'string' && /class_path|^[A-Za-z_]\w*\.\w/.test(value))) return true;
    if (seen.has(value)) continue;
    seen.add(value);
    for (const [key, part] of pairsIn(value)) {
      if (key === 'class_path' || key === '_class_path') return true;
      if (key !== '_instantiator') waiting.push(part);
    }
    if (isKind(value, 'list') || isKind(value, 'tuple')) for (const item of value.items) waiting.push(item);
  }
  return false;
}

/** The keys under which Lightning's releases keep the arguments of models and of data modules. */
const HYPERPARAMETERS = ['hyper_parameters', 'datamodule_hyper_parameters', 'hparams', 'module_arguments'];

type Pairs = readonly (readonly [key: Value, value: Value])[];

/** Returns the keys and values of a dictionary, also of one that a call makes from pairs or from another. */
function pairsIn(value: Value | undefined, levels = 2): Pairs {
  if (isKind(value, 'dict')) return value.entries;
  if (isKind(value, 'result') && levels > 0) {
    const parts = [...value.args, ...(value.state === undefined ? [] : [value.state])];
    return [...parts.flatMap((part) => pairsIn(part, levels - 1)), ...(value.entries ?? [])];
  }
  if (!isKind(value, 'list') && !isKind(value, 'tuple')) return [];
  return value.items.flatMap((each) =>
    (isKind(each, 'list') || isKind(each, 'tuple')) && each.items.length === 2 ? [each.items as [Value, Value]] : [],
  );
}

const entryOf = (pairs: Pairs, name: string): Value | undefined => pairs.findLast(([key]) => key === name)?.[1];
