import type { Unknown } from './facts.ts';
import type { Schema } from './schemaMismatch.ts';

/** Lists whose emptiness has no consequence in any diagnosis. */
const MAY_BE_EMPTY = ['alsoInstalled', 'pinned', 'migInstances', 'sitePackages'];

/**
 * Converts a fact printed by an older version, which lacks newer fields: nullable fields become null, and lists without
 * consequences become empty. If a field can be neither, the fact is unknown.
 */
export function olderFact(fact: object, schema: Schema | undefined, unrecorded: Unknown): object {
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
