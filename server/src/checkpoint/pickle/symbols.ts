/** What a pickle builds, as symbols: a call in it is a description of that call, which nobody makes. */

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Raw
  | List
  | Tuple
  | Dict
  | Global
  | Made
  | Persistent
  | Unknown;

/** Bytes, or a text too long to keep: where they lie in the source. */
export interface Raw {
  readonly kind: 'raw';
  readonly isText: boolean;
  /** True for a text whose bytes are not its UTF-8: it has escapes, or is Python 2's, which the loader decodes as it is told. */
  readonly isEncoded?: boolean;
  readonly offset: number;
  readonly length: number;
  /** True where an array keeps the memory of these bytes, and may change it. */
  isShared?: boolean;
}

export interface List {
  readonly kind: 'list';
  readonly type: 'list' | 'set' | 'frozenset';
  items: Value[];
}

export interface Tuple {
  readonly kind: 'tuple';
  readonly items: readonly Value[];
  /** True where all that is in it is plain data, and where that may be a key of a dict. */
  readonly isPlain: boolean;
  readonly isHashable: boolean;
}

export interface Dict {
  readonly kind: 'dict';
  entries: [key: Value, value: Value][];
  /** True where a library keeps it: nothing may change it afterwards. */
  isFixed?: boolean;
}

/** An object that would be imported. */
export interface Global {
  readonly kind: 'global';
  readonly module: string;
  readonly name: string;
  /** Both, with a dot between them. */
  readonly fullName: string;
  /** True for a value of plain data, which is named and never called. */
  readonly isConstant: boolean;
}

/** Kinds of results that the grammar of plain data tells apart: see `grammar.ts`. */
export type Sort =
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

/** What calling `callee` would give, and what would then be put into it. */
export interface Made {
  readonly kind: 'made';
  readonly callee: Value;
  readonly args: readonly Value[];
  /** True where the object is made past its constructor. */
  readonly isBare: boolean;
  /** Where the instruction lies that makes the call. */
  readonly offset: number;
  /** What it is to the grammar of plain data; undefined for what is not in it. */
  readonly sort: Sort | undefined;
  /** True where a library keeps it: nothing may change it afterwards. */
  isFixed?: boolean;
  /** True where an array keeps the memory of these bytes, and may change it. */
  isShared?: boolean;
  items?: Value[];
  entries?: [key: Value, value: Value][];
  state?: Value;
}

/** An object outside of the pickle, such as a storage. */
export interface Persistent {
  readonly kind: 'persistent';
  readonly id: Value;
}

/** Something of which no more is known. */
export interface Unknown {
  readonly kind: 'unknown';
}

export function isKind<K extends Exclude<Value, null | boolean | number | bigint | string>['kind']>(
  value: Value | undefined,
  kind: K,
): value is Extract<Value, { kind: K }> {
  return typeof value === 'object' && value !== null && value.kind === kind;
}

/** True for what may hold other values. */
export function mayHold(
  value: Value | undefined,
): value is Exclude<Value, null | boolean | number | bigint | string | Raw | Global> {
  return typeof value === 'object' && value !== null && value.kind !== 'raw' && value.kind !== 'global';
}

/** `torch._utils._rebuild_tensor_v2`; undefined for what is no import. */
export function nameOf(value: Value | undefined): string | undefined {
  return isKind(value, 'global') ? value.fullName : undefined;
}
