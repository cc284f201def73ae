import { isJsonObject } from '../../jsonObject.ts';
import { withOneLineTexts } from '../../printable.ts';
import { dataOnUse } from '../../published/dataOnUse.ts';
import { STACK_FACTS_VERSION, type StackFacts, type UnknownFact } from './facts.ts';
import { nothingYet } from './nothingYet.ts';
import { mismatchOf, type Schema } from './schemaMismatch.ts';

/** The facts, or the problem with the text, as a clause that follows its name. */
type FactsFromJson = { readonly facts: StackFacts } | { readonly trouble: string };

const NOT_OURS = { trouble: 'is not what `gpu-doctor stack --output-format json` prints' };

/**
 * Parses facts printed by `gpu-doctor stack --output-format json` on any machine: on their own, or as the `stack` or the `stdout` of
 * an enclosing object. Facts that an older version did not know are unknown.
 */
export function factsFromJson(value: unknown): FactsFromJson {
  const inner = isJsonObject(value) ? (value.stack ?? value.stdout ?? value) : value;
  const given = withOneLineTexts(typeof inner === 'string' ? parsedJson(inner) : inner);
  if (
    !isJsonObject(given) ||
    typeof given.version !== 'number' ||
    !(isJsonObject(given.frameworks) && isJsonObject(given.gpus))
  )
    return NOT_OURS;
  if (given.version !== STACK_FACTS_VERSION)
    return {
      trouble: `has format ${given.version}, of another version of GPU Doctor; this one reads format ${STACK_FACTS_VERSION}`,
    };
  const { version: _, frameworks, loadedCudnn, runtime, ...others } = nothingYet();
  const schema = factsSchema();
  const facts: StackFacts = {
    version: STACK_FACTS_VERSION,
    ...filled(others, given, schema),
    frameworks: filled(frameworks, given.frameworks, schema.properties?.frameworks),
    loadedCudnn: filled(loadedCudnn, given.loadedCudnn, schema.properties?.loadedCudnn),
    runtime: filled(runtime, given.runtime, schema.properties?.runtime),
  };
  const trouble = mismatchOf(facts, schema);
  return trouble === undefined
    ? { facts }
    : { trouble: `${trouble}: it is not what \`gpu-doctor stack --output-format json\` prints` };
}

/** Generated from the type `StackFacts`. */
const factsSchema = dataOnUse<Schema>(import.meta.dirname, 'factsSchema');

/** Returns facts of which only the given ones are kept; the others are unknown. */
function filled<T extends object>(names: T, given: unknown, schema: Schema | undefined): T {
  const facts = Object.keys(names).map((name) => {
    const fact = isJsonObject(given) ? given[name] : undefined;
    return [name, isFact(fact) ? olderFact(fact, schema?.properties?.[name], NOT_RECORDED) : NOT_RECORDED];
  });
  return Object.fromEntries(facts) as T;
}

const NOT_RECORDED: UnknownFact = {
  source: 'the record',
  readAt: '1970-01-01T00:00:00.000Z',
  cause: 'notAsked',
  unknown: 'not in this record',
};

/** A fact that was pending when it was printed is unknown. */
function isFact(value: unknown): value is object {
  return isJsonObject(value) && ('value' in value || typeof value.unknown === 'string');
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Lists whose emptiness has no consequence in any diagnosis. */
const MAY_BE_EMPTY = ['alsoInstalled', 'pinned', 'migInstances', 'sitePackages'];

/**
 * Converts a fact printed by an older version, which lacks newer fields: nullable fields become null, and lists without
 * consequences become empty. If a field can be neither, the fact is unknown.
 */
function olderFact(fact: object, schema: Schema | undefined, unrecorded: UnknownFact): object {
  const known = schema?.anyOf?.find(({ properties }) => properties?.value !== undefined);
  if (!('value' in fact) || known?.properties?.value === undefined) return fact;
  const missing: string[] = [];
  const value = completed(fact.value, known.properties.value, missing);
  return missing.length === 0 ? { ...fact, value } : { ...unrecorded, unknown: `the record has no "${missing[0]}"` };
}

/** Collects the names of the fields that cannot be filled in. */
function completed(value: unknown, schema: Schema, missing: string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kind = Array.isArray(value) ? 'array' : 'object';
  const own = schema.anyOf?.find(({ type }) => type === kind) ?? schema;
  const { items, properties = {}, required = [] } = own;
  if (Array.isArray(value)) return items ? value.map((each) => completed(each, items, missing)) : value;
  const all: Record<string, unknown> = { ...value };
  for (const [name, inner] of Object.entries(properties)) {
    if (name in all) all[name] = completed(all[name], inner, missing);
    else if (!required.includes(name)) continue;
    else if (mayBeNull(inner)) all[name] = null;
    else if (MAY_BE_EMPTY.includes(name)) all[name] = [];
    else missing.push(name);
  }
  return all;
}

function mayBeNull({ type, anyOf = [] }: Schema): boolean {
  return [type].flat().includes('null') || anyOf.some(mayBeNull);
}
