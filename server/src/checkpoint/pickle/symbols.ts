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
}

/** A list, a set or a frozen set. */
export interface List {
  readonly kind: 'list';
  items: Value[];
}

export interface Tuple {
  readonly kind: 'tuple';
  readonly items: readonly Value[];
}

export interface Dict {
  readonly kind: 'dict';
  entries: [key: Value, value: Value][];
}

/** An object that would be imported. */
export interface Global {
  readonly kind: 'global';
  readonly module: string;
  readonly name: string;
  /** Both, with a dot between them. */
  readonly fullName: string;
}

/** What calling `callee` would give, and what would then be put into it. */
export interface Made {
  readonly kind: 'made';
  readonly callee: Value;
  readonly args: readonly Value[];
  /** True where the object is made past its constructor. */
  readonly isBare: boolean;
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

/** `torch._utils._rebuild_tensor_v2`; undefined for what is no import. */
export function nameOf(value: Value | undefined): string | undefined {
  return isKind(value, 'global') ? value.fullName : undefined;
}
