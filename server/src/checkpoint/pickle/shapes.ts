/** Predicates on the shapes of values; `grammar.ts` is built from them. */
import { type CallResult, isKind, type ResultType, type Value } from './symbols.ts';

/** True for a value that has the shape at the current instruction. */
export type Shape = (value: Value | undefined) => boolean;

export const none: Shape = (value) => value === null;
export const bool: Shape = (value) => typeof value === 'boolean';
export const int: Shape = (value) =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
/** A whole number that is not negative. */
export const count: Shape = (value) => int(value) && Number(value) >= 0;
export const number: Shape = (value) => typeof value === 'bigint' || typeof value === 'number';
export const textShape: Shape = (value) => typeof value === 'string' || (isKind(value, 'raw') && value.isText);
/** Bytes: as bytes, as Python 2 text, or as the call with which protocol 2 writes them. */
export const bytes: Shape = (value) => textShape(value) || isKind(value, 'raw') || resultOf('bytes')(value);

/** One of these values. */
export function only(...values: readonly Value[]): Shape {
  return (value) => value !== undefined && values.includes(value);
}

/** A short text that matches a pattern. */
export function textLike(form: RegExp): Shape {
  return (value) => typeof value === 'string' && form.test(value);
}

export function anyShape(...shapes: readonly Shape[]): Shape {
  return (value) => shapes.some((shape) => shape(value));
}

/** A tuple with exactly these items. */
export function tuple(...items: readonly Shape[]): Shape {
  return (value) => isKind(value, 'tuple') && matches(items, value.items);
}

export function tupleOf(item: Shape): Shape {
  return (value) => isKind(value, 'tuple') && value.items.every((each) => item(each));
}

export function listShape(item: Shape): Shape {
  return (value) => isKind(value, 'list') && value.type === 'list' && value.items.every((each) => item(each));
}

/** A dict with unique keys. */
export function dictOf(key: Shape, item: Shape): Shape {
  return (value) =>
    isKind(value, 'dict') &&
    new Set(value.entries.map(([each]) => each)).size === value.entries.length &&
    value.entries.every(([each, content]) => key(each) && item(content));
}

/** The result of a call in the grammar, with its state if results of this kind need one. */
export function resultOf(...sorts: readonly ResultType[]): Shape {
  return (value) =>
    isKind(value, 'result') && value.resultType !== undefined && sorts.includes(value.resultType) && isComplete(value);
}

/** A dict or a result that a library keeps unchanged. Marks the value so that nothing may change it afterwards. */
export function fixed(shape: Shape): Shape {
  return (value) => {
    if (!shape(value)) return false;
    if (isKind(value, 'dict') || isKind(value, 'result')) value.isFixed = true;
    return true;
  };
}

/** Bytes whose memory an array keeps and may change. Marks them as shared. */
export function shared(shape: Shape): Shape {
  return (value) => {
    if (!shape(value)) return false;
    if (isKind(value, 'raw') || isKind(value, 'result')) value.isShared = true;
    return true;
  };
}

/** Bytes that are still the same as in the file. */
export function unshared(shape: Shape): Shape {
  return (value) => shape(value) && !((isKind(value, 'raw') || isKind(value, 'result')) && value.isShared === true);
}

/** An import from that module with one of these names. */
export function named(module: string, ...names: readonly string[]): Shape {
  return (value) => isKind(value, 'global') && value.module === module && names.includes(value.name);
}

/** True if the values match the shapes one by one. */
export function matches(shapes: readonly Shape[], values: readonly Value[]): boolean {
  return shapes.length === values.length && shapes.every((shape, index) => shape(values[index]));
}

/** Results of these kinds describe nothing until their state is set. */
const NEEDS_STATE: ReadonlySet<ResultType> = new Set(['numpy-dtype', 'array']);

function isComplete({ resultType, state }: CallResult): boolean {
  return resultType === undefined || !NEEDS_STATE.has(resultType) || state !== undefined;
}

/** Results that Python hashes by content or identity, without running code from a file. */
const HASHABLE: ReadonlySet<ResultType> = new Set([
  'bytes',
  'frozenset',
  'number',
  'size',
  'device',
  'numpy-dtype',
  'scalar',
  'time',
  'time-zone',
  'path',
]);

/** Plain data. Everything in it was checked when it was added. */
export const datum: Shape = (value) => {
  if (value === undefined) return false;
  if (typeof value !== 'object' || value === null) return true;
  switch (value.kind) {
    case 'raw':
    case 'list':
    case 'dict':
    case 'persistent':
    // A buffer outside the file, which is recorded where it occurs.
    case 'unknown':
      return true;
    case 'tuple':
      return value.isPlain;
    case 'global':
      return value.isConstant;
    case 'result':
      return value.resultType !== undefined && (value.resultType === 'array' || isComplete(value));
    default:
      return false;
  }
};

/** Plain data that may be a key of a dict or an item of a set. */
export const key: Shape = (value) => {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  switch (value.kind) {
    case 'raw':
      return true;
    case 'global':
      return value.isConstant;
    case 'tuple':
      return value.isPlain && value.isHashable;
    case 'list':
      return value.type === 'frozenset';
    case 'result':
      return value.resultType !== undefined && HASHABLE.has(value.resultType) && isComplete(value);
    default:
      return false;
  }
};
