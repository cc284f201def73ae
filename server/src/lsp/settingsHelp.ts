/** Hovers for the project's settings and recorded stacks, from their published schemas. */
import { basename } from 'node:path';
import { type Hover, MarkupKind, type Position } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { RECORD_FILE } from '../diagnosis/record/recordFile.ts';
import type { Located, LocatedSpan, Path } from '../located/located.ts';
import { configurationPath, filePath } from './configurationFiles.ts';

/** The parts of JSON Schema that the schemas of our files use. */
interface JsonSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
}

/** Returns the description of the setting at a position; undefined in other files and for unknown settings. */
export async function settingsHover(
  document: TextDocument | undefined,
  position: Position,
): Promise<Hover | undefined> {
  const isRecord = basename(filePath(document?.uri ?? '') ?? '') === RECORD_FILE;
  const path = configurationPath(document?.uri ?? '');
  if (!document || (!isRecord && path === undefined)) return undefined;
  const text = document.getText();
  // Schemas and parsers are loaded on demand.
  const located = path?.endsWith('.toml')
    ? (await import('../located/toml.ts')).locateToml(text, ['tool', 'gpu-doctor'])
    : (await import('../located/located.ts')).locateYaml(text);
  const place = placeAt(located, document.offsetAt(position));
  const schema: JsonSchema = isRecord
    ? (await import('../diagnosis/record/recordedStack.ts')).recordJsonSchema()
    : (await import('../settings/configurationSchema.ts')).jsonSchema();
  const found = place && descriptionAt(schema, place.path);
  if (!found) return undefined;
  const { codeOfRule, nameOfRule } = await import('../lint/ruleNames.ts');
  const { start, end } = place.span;
  const code = codeOfRule(text.slice(start, end).replace(/^["']|["']$/g, ''));
  const rule = code === undefined ? [] : [`**${code}** \`${nameOfRule(code)}\``];
  return {
    contents: { kind: MarkupKind.Markdown, value: [...rule, found].join('\n\n') },
    range: { start: document.positionAt(start), end: document.positionAt(end) },
  };
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
