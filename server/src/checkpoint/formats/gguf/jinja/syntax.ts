/** The expressions in a Jinja template and the names to which it assigns them. The nesting of its blocks is omitted. */

export type TemplateExpression =
  | Text
  /** A number, true, false or none. */
  | { readonly kind: 'number' }
  /** The text of a block. */
  | { readonly kind: 'block' }
  | { readonly kind: 'name'; readonly name: string }
  /** Lists, tuples and mappings. */
  | { readonly kind: 'collection'; readonly items: readonly TemplateExpression[] }
  /** One of the items, and the conditions that decide which one. */
  | {
      readonly kind: 'choice';
      readonly items: readonly TemplateExpression[];
      readonly conditions: readonly TemplateExpression[];
    }
  /** Comparisons and negations: true or false. */
  | { readonly kind: 'truth'; readonly items: readonly TemplateExpression[] }
  | {
      readonly kind: 'arithmetic';
      readonly operators: ReadonlySet<string>;
      readonly items: readonly TemplateExpression[];
    }
  | TemplateAttribute
  | { readonly kind: 'subscript'; readonly base: TemplateExpression; readonly index: TemplateExpression }
  | { readonly kind: 'slice'; readonly base: TemplateExpression; readonly bounds: readonly TemplateExpression[] }
  | TemplateCall
  | Filter
  | {
      readonly kind: 'test';
      readonly base: TemplateExpression;
      readonly name: string;
      readonly arguments: TemplateArguments;
    };

interface Text {
  readonly kind: 'text';
  /** The text between its quotes, with escapes. */
  readonly source: string;
}

interface TemplateAttribute {
  readonly kind: 'attribute';
  readonly base: TemplateExpression;
  readonly name: string;
}

export interface TemplateCall {
  readonly kind: 'call';
  readonly callee: TemplateExpression;
  readonly arguments: TemplateArguments;
}

export interface Filter {
  readonly kind: 'filter';
  readonly base: TemplateExpression;
  readonly name: string;
  readonly arguments: TemplateArguments;
}

export interface TemplateArguments {
  readonly positional: readonly TemplateExpression[];
  readonly named: readonly (readonly [name: string, value: TemplateExpression])[];
}

export const NO_ARGUMENTS: TemplateArguments = { positional: [], named: [] };

/**
 * A name that the template sets, or `.name` for an attribute of a namespace, with its value. If `isItem`, the name is
 * set to an item of the value.
 */
export interface Binding {
  readonly name: string;
  readonly value: TemplateExpression;
  readonly isItem?: boolean;
}

/** Stands for the items of a loop; no template can spell this name. */
export const LOOP_ITEM = 'loop.item';

export interface Macro {
  readonly name: string;
  readonly parameters: readonly string[];
}

export interface ChatTemplate {
  readonly expressions: readonly TemplateExpression[];
  readonly bindings: readonly Binding[];
  readonly macros: readonly Macro[];
}
