/** The expressions in a Jinja template and the names to which it assigns them. The nesting of its blocks is omitted. */

export type Expression =
  | Text
  /** A number, true, false or none. */
  | { readonly kind: 'number' }
  /** The text of a block. */
  | { readonly kind: 'block' }
  | { readonly kind: 'name'; readonly name: string }
  /** Lists, tuples and mappings. */
  | { readonly kind: 'collection'; readonly items: readonly Expression[] }
  /** One of the items, and the conditions that decide which one. */
  | { readonly kind: 'choice'; readonly items: readonly Expression[]; readonly conditions: readonly Expression[] }
  /** Comparisons and negations: true or false. */
  | { readonly kind: 'truth'; readonly items: readonly Expression[] }
  | { readonly kind: 'arithmetic'; readonly operators: ReadonlySet<string>; readonly items: readonly Expression[] }
  | Attribute
  | { readonly kind: 'subscript'; readonly base: Expression; readonly index: Expression }
  | { readonly kind: 'slice'; readonly base: Expression; readonly bounds: readonly Expression[] }
  | Call
  | Filter
  | { readonly kind: 'test'; readonly base: Expression; readonly name: string; readonly arguments: Arguments };

export interface Text {
  readonly kind: 'text';
  /** The text between its quotes, with escapes. */
  readonly source: string;
}

export interface Attribute {
  readonly kind: 'attribute';
  readonly base: Expression;
  readonly name: string;
}

export interface Call {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly arguments: Arguments;
}

export interface Filter {
  readonly kind: 'filter';
  readonly base: Expression;
  readonly name: string;
  readonly arguments: Arguments;
}

export interface Arguments {
  readonly positional: readonly Expression[];
  readonly named: readonly (readonly [name: string, value: Expression])[];
}

export const NO_ARGUMENTS: Arguments = { positional: [], named: [] };

/**
 * A name that the template sets, or `.name` for an attribute of a namespace, with its value. If `isItem`, the name is
 * set to an item of the value.
 */
export interface Binding {
  readonly name: string;
  readonly value: Expression;
  readonly isItem?: boolean;
}

/** Stands for the items of a loop; no template can spell this name. */
export const LOOP_ITEM = 'loop.item';

export interface Macro {
  readonly name: string;
  readonly parameters: readonly string[];
}

export interface Template {
  readonly expressions: readonly Expression[];
  readonly bindings: readonly Binding[];
  readonly macros: readonly Macro[];
}
