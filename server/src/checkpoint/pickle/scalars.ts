import type { Entry } from '../checkpoint.ts';
import { createEntryList, WANTED_ITEMS } from '../metadata.ts';
import { numberIn } from '../numbers.ts';
import { isTrainingState } from '../trainingState.ts';
import { representsArray } from './joblibArrays.ts';
import { pathBelow } from './paths.ts';
import { type CallResult, importName, isKind, type Value } from './symbols.ts';

/** Maximum number of values that are visited. An optimizer's state, which has most of them, is skipped. */
const MOST_VISITED = 100_000;
/** Maximum number of parts visited per value. */
const MOST_PARTS = 10_000;
/** Number of scalars above which a mapping is shown as one list, because it is a vocabulary and not a configuration. */
const MOST_IN_CONFIGURATION = 200;

/**
 * Returns the numbers and texts that were saved next to the tensors, named by their path: `epoch`,
 * `hyper_parameters.lr`, `args.batch_size`. Skips internal attributes, recognized by their names, and an optimizer's
 * state except for its settings.
 */
export function scalarsOf(root: Value | undefined): readonly Entry[] {
  const list = createEntryList();
  const entered = new Set<Value>();
  const waiting: { name: string; value: Value | undefined }[] = [{ name: '', value: root }];
  let left = MOST_VISITED;
  for (let next = waiting.pop(); next && left-- > 0 && !list.isFull(); next = waiting.pop()) {
    const { name, value } = next;
    if (value === undefined || isSkipped(name)) continue;
    const scalar = isKind(value, 'result') ? numpyScalarIn(value) : isScalar(value) ? value : undefined;
    if (scalar !== undefined) {
      if (name !== '') list.add(name, scalar);
      continue;
    }
    if (isScalar(value)) continue;
    if (entered.has(value)) continue;
    entered.add(value);
    const { parts, size, isMapping } = partsOf(value);
    if (size > (isMapping ? MOST_IN_CONFIGURATION : 0) && parts.every(([, part]) => isScalar(part))) {
      const first = parts.slice(0, WANTED_ITEMS).map(([key, part]) => (isMapping ? `${key}: ${part}` : part) as Scalar);
      list.addList(name === '' ? 'items' : name, first, size);
      continue;
    }
    for (let index = parts.length - 1; index >= 0; index--) {
      const [key, part] = parts[index] as (typeof parts)[number];
      if (!key.startsWith('_')) waiting.push({ name: pathBelow(name, key), value: part });
      // OmegaConf's wrappers are not part of a setting's name.
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
  /** The number of all parts, including those that are not visited. */
  readonly size: number;
  readonly isMapping: boolean;
}

function partsOf(value: Value): Parts {
  if (isKind(value, 'list') || isKind(value, 'tuple')) {
    const parts = value.items.slice(0, MOST_PARTS).map((item, index) => [String(index), item] as const);
    return { parts, size: value.items.length, isMapping: false };
  }
  if (isKind(value, 'dict')) return named(value.entries);
  // An object that represents an array describes its bytes.
  if (!isKind(value, 'result') || isArray(value)) return named([]);
  // Attributes of a mapping do not describe the model.
  if (value.entries && value.entries.length > 0) return named(value.entries);
  // The state of an object with slots is `(None, {...})`.
  const { state } = value;
  const whole = isKind(state, 'tuple') ? state.items.find((item) => isKind(item, 'dict')) : state;
  return named(isKind(whole, 'dict') ? whole.entries : []);
}

const isArray = (value: Value): boolean => representsArray(value);

function named(entries: readonly (readonly [Value, Value])[]): Parts {
  const parts = entries
    .slice(0, MOST_PARTS)
    .flatMap(([key, part]) => (isScalar(key) ? [[String(key), part] as const] : []));
  return { parts, size: entries.length, isMapping: true };
}

/** An optimizer's settings are of interest; its state for each parameter is not. */
function isSkipped(name: string): boolean {
  if (/(^|\.)param_groups\.\d+\.params$/.test(name)) return true;
  return isTrainingState(name) && /\.state(\.|$)/.test(name);
}

/** PyTorch's names for NumPy's spellings of types. */
const NUMPY_TYPES: Readonly<Record<string, string>> = {
  ...{ f8: 'float64', f4: 'float32', f2: 'float16', i8: 'int64', i4: 'int32', i2: 'int16', i1: 'int8' },
  ...{ u1: 'uint8', b1: 'bool' },
};

/**
 * Returns the number that a call to NumPy's `scalar` creates from a type and bytes, such as `numpy.float64(0.5)`.
 * Undefined for other types, and unless the instructions contain the bytes as text, as in protocols before 3.
 */
function numpyScalarIn({ resultType, args }: CallResult): number | bigint | boolean | undefined {
  if (resultType !== 'scalar') return undefined;
  const [type, content] = args;
  if (!isKind(type, 'result') || !isKind(content, 'result') || importName(content.callee) !== '_codecs.encode')
    return undefined;
  const [spelling] = type.args;
  const [text] = content.args;
  if (typeof spelling !== 'string' || typeof text !== 'string' || !Object.hasOwn(NUMPY_TYPES, spelling))
    return undefined;
  const order = isKind(type.state, 'tuple') ? type.state.items[1] : undefined;
  return numberIn(Buffer.from(text, 'latin1'), NUMPY_TYPES[spelling] ?? '', order === '>');
}
