/** The JSON Schema keywords that the output schemas use. */
export interface Schema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
}

/** The first mismatch between a value and a schema, as a clause such as "has text at gpus.value[0].uuid, …". */
export function mismatchOf(value: unknown, schema: Schema): string | undefined {
  return find(value, schema, [])?.trouble;
}

interface Mismatch {
  /** The depth of the mismatch: among several alternatives, the one that matches deepest was intended. */
  readonly depth: number;
  readonly trouble: string;
}

type Place = readonly (string | number)[];

function find(value: unknown, schema: Schema, place: Place): Mismatch | undefined {
  const { anyOf, type, properties, required = [], additionalProperties, items } = schema;
  if (anyOf !== undefined) return nearest(anyOf.map((each) => find(value, each, place)));
  const allowed = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  const types = type === undefined ? undefined : [type].flat();
  if (types && !types.includes(typeOf(value)) && !(types.includes('number') && typeof value === 'number'))
    return at(place, `has ${KINDS[typeOf(value)]} at ${named(place)}, where ${listed(types)} is expected`);
  if (allowed && !allowed.includes(value))
    return at(place, `has ${JSON.stringify(value)} at ${named(place)}, which is not an allowed value`);
  if (Array.isArray(value)) return first(value.map((each, index) => [each, items, [...place, index]]));
  if (!isObject(value)) return undefined;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  // A value without the property may be meant for another alternative, so this counts as less deep than a wrong value
  // inside it.
  if (missing !== undefined) return at(place, `has no ${named([...place, missing])}`);
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return first(Object.entries(value).map(([name, each]) => [each, properties?.[name] ?? others, [...place, name]]));
}

function first(parts: readonly [unknown, Schema | undefined, Place][]): Mismatch | undefined {
  for (const [value, schema, place] of parts) {
    const mismatch = schema && find(value, schema, place);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function nearest(mismatches: readonly (Mismatch | undefined)[]): Mismatch | undefined {
  if (mismatches.includes(undefined)) return undefined;
  return mismatches.reduce((best, each) => ((each?.depth ?? 0) > (best?.depth ?? -1) ? each : best), undefined);
}

const at = (place: Place, trouble: string): Mismatch => ({ depth: place.length, trouble });

/** In the notation of JavaScript and jq: "gpus.value[0].name". */
function named(place: Place): string {
  const written = place.map((step) =>
    typeof step === 'number' ? `[${step}]` : /^\w+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  return written.join('').replace(/^\./, '');
}

type Kind = 'null' | 'array' | 'object' | 'string' | 'number' | 'boolean';

const KINDS: Readonly<Record<Kind, string>> = {
  null: 'null',
  array: 'a list',
  object: 'an object',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
};

function typeOf(value: unknown): Kind {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as Kind);
}

function listed(types: readonly string[]): string {
  return types.map((type) => KINDS[type as Kind] ?? type).join(' or ');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
