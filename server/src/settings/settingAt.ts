/** The setting at a place in a settings file, with its description from the JSON schema of the file. */
import { type Located, type LocatedSpan, locateYaml, type Path } from '../located/located.ts';
import { locateToml } from '../located/toml.ts';

/** The parts of JSON Schema that the schemas of our files use. */
export interface JsonSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
}

/** Returns the span and the description of the setting at an offset; undefined elsewhere and for an unknown setting. */
export function settingAt(
  text: string,
  offset: number,
  schema: JsonSchema,
  isToml: boolean,
): { readonly span: LocatedSpan; readonly description: string } | undefined {
  const place = placeAt(isToml ? locateToml(text, ['tool', 'gpu-doctor']) : locateYaml(text), offset);
  const description = place && descriptionAt(schema, place.path);
  return place && description !== undefined ? { span: place.span, description } : undefined;
}

interface Place {
  readonly path: Path;
  readonly span: LocatedSpan;
}

/** Returns the key or the single value at an offset; undefined elsewhere, and in a text that does not parse. */
function placeAt({ value, keyAt, valueAt }: Located, offset: number): Place | undefined {
  const within = (around: object, path: Path): Place | undefined => {
    for (const [key, inner] of Object.entries(around)) {
      const own = [...path, Array.isArray(around) ? Number(key) : key];
      const isSingle = typeof inner !== 'object' || inner === null;
      const spans = [...(Array.isArray(around) ? [] : [keyAt(own)]), ...(isSingle ? [valueAt(own)] : [])];
      const span = spans.find(({ start, end }) => start <= offset && offset <= end);
      if (span) return { path: own, span };
      const found = isSingle ? undefined : within(inner, own);
      if (found) return found;
    }
    return undefined;
  };
  return typeof value === 'object' && value !== null ? within(value, []) : undefined;
}

/** Returns the description of the setting at a path, or of the one around a value; undefined for an unknown setting. */
function descriptionAt(schema: JsonSchema, path: Path): string | undefined {
  if (schemaAt(schema, path) === undefined) return undefined;
  for (let length = path.length; length > 0; length--) {
    const part = path.slice(0, length);
    const text = schemaAt(schema, part)?.description;
    if (text !== undefined) return `\`${part.filter((name) => typeof name === 'string').join('.')}\`: ${text}`;
  }
  return undefined;
}

function schemaAt(schema: JsonSchema, path: Path): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((around, part) => {
    if (typeof part === 'number') return around?.items;
    const named = around?.properties?.[String(part)];
    return named ?? (typeof around?.additionalProperties === 'object' ? around.additionalProperties : undefined);
  }, schema);
}
