/** Candidates and descriptions for a place in a settings file, from the JSON schema of the file. */
import { cursorInToml, cursorInYaml, type LocatedCursor } from '../located/cursor.ts';
import type { Path } from '../located/located.ts';

/** The parts of JSON Schema that the schemas of our files use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
}

export type { LocatedCursor } from '../located/cursor.ts';

/** Returns the cursor's place in a settings file; in TOML, only inside our table. Undefined elsewhere. */
export function cursorIn(text: string, offset: number, isToml: boolean): LocatedCursor | undefined {
  return isToml ? cursorInToml(text, offset, ['tool', 'gpu-doctor']) : cursorInYaml(text, offset);
}

/** A name or value that is allowed at a place. */
export interface Candidate {
  readonly name: string;
  readonly isKey: boolean;
  readonly description: string | undefined;
  /** True if the value of the key is a mapping or a list of mappings. */
  readonly isNested: boolean;
}

/** Returns the candidates at the cursor: keys of its mapping, or values of its list or setting. */
export function candidatesAt(schema: JsonSchema, { path, isKey, isHeader = false }: LocatedCursor): Candidate[] {
  const here = schemaAt(schema, path);
  if (!here) return [];
  // In YAML, items may start on the line below their list's key, where a key could also be.
  const isList = here.items !== undefined;
  if (isKey !== false && !isList) {
    const keys = keysOf(here).filter(({ isNested }) => isNested || !isHeader);
    if (keys.length > 0 || isKey === true) return keys;
  }
  const one = isList && here.items ? here.items : here;
  return (one.enum ?? (one.type === 'boolean' ? [true, false] : [])).map((value) => ({
    name: String(value),
    isKey: false,
    description: undefined,
    isNested: false,
  }));
}

/** Returns the description of the key at the cursor, or of the setting whose value is there. */
export function descriptionAt(
  schema: JsonSchema,
  { path, isKey, word }: LocatedCursor,
): { name: string; text: string } | undefined {
  const full = isKey === true || (isKey === undefined && schemaAt(schema, [...path, word])) ? [...path, word] : path;
  for (let length = full.length; length > 0; length--) {
    const part = full.slice(0, length);
    const text = schemaAt(schema, part)?.description;
    if (text !== undefined) return { name: part.filter((name) => typeof name === 'string').join('.'), text };
    // The description of the mapping does not describe an unknown key.
    if (isKey === true && schemaAt(schema, part) === undefined) return undefined;
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

function keysOf({ properties, propertyNames, additionalProperties }: JsonSchema): Candidate[] {
  const named = Object.entries(properties ?? {});
  const free = (propertyNames?.enum ?? []).map(String).filter((name) => properties?.[name] === undefined);
  const any = typeof additionalProperties === 'object' ? additionalProperties : {};
  return [...named, ...free.map((name) => [name, any] as const)].map(([name, value]) => ({
    name,
    isKey: true,
    description: value.description,
    isNested: value.type === 'object' || value.items?.type === 'object',
  }));
}
