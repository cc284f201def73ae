/** The objects that a pickle builds, as symbols. A call is represented by its description and is never made. */

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Raw
  | ListValue
  | TupleValue
  | DictValue
  | GlobalValue
  | CallResult
  | Persistent
  | UnknownValue;

/** The location of bytes, or of text that is too long to keep. */
export interface Raw {
  readonly kind: 'raw';
  readonly isText: boolean;
  /**
   * True for text whose bytes are not its UTF-8 encoding: it contains escapes, or it is Python 2 text, whose encoding
   * the loader decides.
   */
  readonly isEncoded?: boolean;
  readonly offset: number;
  readonly length: number;
  /** True if an array keeps the memory of these bytes and may change it. */
  isShared?: boolean;
}

export interface ListValue {
  readonly kind: 'list';
  readonly type: 'list' | 'set' | 'frozenset';
  items: Value[];
}

export interface TupleValue {
  readonly kind: 'tuple';
  readonly items: readonly Value[];
  /** True if all items are plain data; `isHashable` is true if it may also be a key of a dict. */
  readonly isPlain: boolean;
  readonly isHashable: boolean;
}

export interface DictValue {
  readonly kind: 'dict';
  entries: [key: Value, value: Value][];
  /** True if a library keeps it, so that nothing may change it afterwards. */
  isFixed?: boolean;
}

/** An object that would be imported. */
export interface GlobalValue {
  readonly kind: 'global';
  readonly module: string;
  readonly name: string;
  /** Module and name, joined with a dot. */
  readonly fullName: string;
  /** True for a value of plain data that is only named and never called. */
  readonly isConstant: boolean;
}

/** Kinds of results that the grammar of plain data distinguishes: see `grammar.ts`. */
export type ResultType =
  | 'tensor'
  | 'storage'
  | 'layout'
  | 'size'
  | 'device'
  | 'numpy-dtype'
  | 'array'
  | 'array-view'
  | 'scalar'
  | 'ordered-dict'
  | 'default-dict'
  | 'counter'
  | 'deque'
  | 'set'
  | 'frozenset'
  | 'bytes'
  | 'bytearray'
  | 'number'
  | 'range'
  | 'class'
  | 'time'
  | 'duration'
  | 'time-zone'
  | 'path'
  | 'object';

/** The result of calling `callee`, and the parts added to it afterwards. */
export interface CallResult {
  readonly kind: 'result';
  readonly callee: Value;
  readonly args: readonly Value[];
  /** True if the object is created without calling its constructor. */
  readonly skipsInit: boolean;
  /** Offset of the instruction that makes the call. */
  readonly offset: number;
  /** The kind of the result in the grammar of plain data; undefined if it is not in the grammar. */
  readonly resultType: ResultType | undefined;
  /** True if a library keeps it, so that nothing may change it afterwards. */
  isFixed?: boolean;
  /** True if an array keeps the memory of these bytes and may change it. */
  isShared?: boolean;
  items?: Value[];
  entries?: [key: Value, value: Value][];
  state?: Value;
}

/** An object outside the pickle, such as a storage. */
export interface Persistent {
  readonly kind: 'persistent';
  readonly id: Value;
}

/** An unknown value. */
export interface UnknownValue {
  readonly kind: 'unknown';
}

export function isKind<K extends Exclude<Value, null | boolean | number | bigint | string>['kind']>(
  value: Value | undefined,
  kind: K,
): value is Extract<Value, { kind: K }> {
  return typeof value === 'object' && value !== null && value.kind === kind;
}

/** True for a value that may contain others. */
export function mayContain(
  value: Value | undefined,
): value is Exclude<Value, null | boolean | number | bigint | string | Raw | GlobalValue> {
  return typeof value === 'object' && value !== null && value.kind !== 'raw' && value.kind !== 'global';
}

/** Returns the full name of an import: `torch._utils._rebuild_tensor_v2`. Undefined for other values. */
export function importName(value: Value | undefined): string | undefined {
  return isKind(value, 'global') ? value.fullName : undefined;
}
