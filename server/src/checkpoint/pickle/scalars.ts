import type { Entry } from '../checkpoint.ts';
import { createEntryList, WANTED_ITEMS } from '../metadata.ts';
import { isTrainingState } from '../trainingState.ts';
import { standsForArray } from './joblibArrays.ts';
import { numpyScalarIn } from './numpyScalars.ts';
import { pathBelow } from './paths.ts';
import { isKind, type Value } from './symbols.ts';

/** Values that are looked at; a state of an optimizer, which has most of them, is left out. */
const MOST_LOOKED_AT = 100_000;
/** Parts of one value that are looked at. */
const MOST_PARTS = 10_000;
/** A mapping of more scalars than this is shown as one list: a vocabulary, not a configuration. */
const MOST_OF_A_CONFIGURATION = 200;

/**
 * Numbers and texts that were saved beside the tensors, named by the way to them: `epoch`, `hyper_parameters.lr`,
 * `args.batch_size`. What is internal to an object, by its name, is left out, and so is an optimizer's state but for its
 * settings.
 */
export function scalarsOf(root: Value | undefined): readonly Entry[] {
  const list = createEntryList();
  const entered = new Set<Value>();
  const waiting: { name: string; value: Value | undefined }[] = [{ name: '', value: root }];
  let left = MOST_LOOKED_AT;
  for (let next = waiting.pop(); next && left-- > 0 && !list.isFull(); next = waiting.pop()) {
    const { name, value } = next;
    if (value === undefined || isUninteresting(name)) continue;
    const scalar = isKind(value, 'made') ? numpyScalarIn(value) : isScalar(value) ? value : undefined;
    if (scalar !== undefined) {
      if (name !== '') list.add(name, scalar);
      continue;
    }
    if (isScalar(value)) continue;
    if (entered.has(value)) continue;
    entered.add(value);
    const { parts, size, isMapping } = partsOf(value);
    if (size > (isMapping ? MOST_OF_A_CONFIGURATION : 0) && parts.every(([, part]) => isScalar(part))) {
      const first = parts.slice(0, WANTED_ITEMS).map(([key, part]) => (isMapping ? `${key}: ${part}` : part) as Scalar);
      list.addList(name === '' ? 'items' : name, first, size);
      continue;
    }
    for (let index = parts.length - 1; index >= 0; index--) {
      const [key, part] = parts[index] as (typeof parts)[number];
      if (!key.startsWith('_')) waiting.push({ name: pathBelow(name, key), value: part });
      // OmegaConf's wrappers are no part of a setting's name.
      else if (key === '_content' || key === '_val') waiting.push({ name, value: part });
    }
  }
  return list.entries;
}

type Scalar = null | boolean | number | bigint | string;

const isScalar = (value: Value): value is Scalar => typeof value !== 'object' || value === null;

type Part = readonly [key: string, part: Value];

interface Parts {
  readonly parts: readonly Part[];
  /** How many there are, also of those that are not looked at. */
  readonly size: number;
  readonly isMapping: boolean;
}

function partsOf(value: Value): Parts {
  if (isKind(value, 'list') || isKind(value, 'tuple')) {
    const parts = value.items.slice(0, MOST_PARTS).map((item, index) => [String(index), item] as const);
    return { parts, size: value.items.length, isMapping: false };
  }
  if (isKind(value, 'dict')) return named(value.entries);
  // What stands for an array describes its bytes.
  if (!isKind(value, 'made') || isArray(value)) return named([]);
  // What a mapping carries beside its entries says nothing of the model.
  if (value.entries && value.entries.length > 0) return named(value.entries);
  // An object with slots has its state as `(None, {...})`.
  const { state } = value;
  const whole = isKind(state, 'tuple') ? state.items.find((item) => isKind(item, 'dict')) : state;
  return named(isKind(whole, 'dict') ? whole.entries : []);
}

const isArray = (value: Value): boolean => standsForArray(value);

function named(entries: readonly (readonly [Value, Value])[]): Parts {
  const parts = entries
    .slice(0, MOST_PARTS)
    .flatMap(([key, part]) => (isScalar(key) ? [[String(key), part] as const] : []));
  return { parts, size: entries.length, isMapping: true };
}

/** An optimizer's settings are of interest, what it remembers of each parameter is not. */
function isUninteresting(name: string): boolean {
  if (/(^|\.)param_groups\.\d+\.params$/.test(name)) return true;
  return isTrainingState(name) && /\.state(\.|$)/.test(name);
}
