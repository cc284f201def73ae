/** Completion and hover for the project's settings and recorded stacks, from their published schemas. */
import { basename } from 'node:path';
import {
  type CompletionItem,
  CompletionItemKind,
  CompletionRequest,
  type Connection,
  type Hover,
  MarkupKind,
  type Position,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { RECORD_FILE } from '../diagnosis/record/recordFile.ts';
import type { Candidate, JsonSchema, LocatedCursor } from '../settings/schemaHelp.ts';
import { configurationPath, filePath } from './configurationFiles.ts';
import type { Session } from './session.ts';

const PATTERNS = ['**/.gpu-doctor.yaml', '**/pyproject.toml', `**/${RECORD_FILE}`];

/** Provides completion in these files. If the client supports it, `initialized` announces completion only for them. */
export function provideSettingsCompletion(connection: Connection, session: Session): { initialized(): void } {
  connection.onCompletion(async ({ textDocument: { uri }, position }) => {
    const place = await placeIn(session.documents.text(uri), position);
    if (!place) return [];
    const { candidatesAt } = await import('../settings/schemaHelp.ts');
    return candidatesAt(place.schema, place.cursor).map((candidate) => itemOf(candidate, place));
  });
  return {
    initialized() {
      if (!registersCompletion(session)) return;
      const documentSelector = PATTERNS.map((pattern) => ({ scheme: 'file', pattern }));
      void connection.client.register(CompletionRequest.type, { documentSelector, triggerCharacters: TRIGGERS });
    },
  };
}

/** Characters that trigger completion. */
export const TRIGGERS = ['[', '"', "'", '.', ' '];

/** True if completion is announced for some files only, once the client is ready. */
export function registersCompletion({ capabilities }: Pick<Session, 'capabilities'>): boolean {
  return capabilities.textDocument?.completion?.dynamicRegistration === true;
}

/** Returns the description of the setting at a position; undefined in other files and for unknown settings. */
export async function settingsHover(
  document: TextDocument | undefined,
  position: Position,
): Promise<Hover | undefined> {
  const place = await placeIn(document, position);
  if (!place || place.cursor.word === '') return undefined;
  const { descriptionAt } = await import('../settings/schemaHelp.ts');
  const found = descriptionAt(place.schema, place.cursor);
  if (!found) return undefined;
  const { codeOfRule, nameOfRule } = await import('../lint/ruleNames.ts');
  const code = codeOfRule(place.cursor.word);
  const rule = code === undefined ? [] : [`**${code}** \`${nameOfRule(code)}\``];
  const value = [...rule, `\`${found.name}\`: ${found.text}`].join('\n\n');
  return { contents: { kind: MarkupKind.Markdown, value }, range: place.range };
}

interface Place {
  readonly schema: JsonSchema;
  readonly cursor: LocatedCursor;
  readonly isToml: boolean;
  readonly range: Hover['range'] & object;
}

/** Returns the place of the cursor and its schema. Schemas and parsers are loaded on demand. */
async function placeIn(document: TextDocument | undefined, position: Position): Promise<Place | undefined> {
  if (!document) return undefined;
  const isRecord = basename(filePath(document.uri) ?? '') === RECORD_FILE;
  const path = configurationPath(document.uri);
  if (!isRecord && path === undefined) return undefined;
  const isToml = path?.endsWith('.toml') === true;
  const text = document.getText();
  const offset = document.offsetAt(position);
  const { cursorIn } = await import('../settings/schemaHelp.ts');
  const cursor = cursorIn(text, offset, isToml);
  if (!cursor) return undefined;
  const { start, end } = cursor.span;
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  const schema: JsonSchema = isRecord
    ? (await import('../diagnosis/record/recordedStack.ts')).recordJsonSchema()
    : (await import('../settings/configurationSchema.ts')).jsonSchema();
  return { schema, cursor, isToml, range };
}

function itemOf({ name, isKey, description, isNested }: Candidate, { isToml, range, cursor }: Place): CompletionItem {
  const isBare = /^[\w-]+$/.test(name);
  const written = isToml && (!isKey || !isBare) ? JSON.stringify(name) : name;
  const end = !isKey || cursor.isHeader ? '' : isToml ? ' = ' : isNested ? ':' : ': ';
  return {
    label: name,
    kind: isKey ? CompletionItemKind.Property : CompletionItemKind.EnumMember,
    documentation: description === undefined ? undefined : { kind: MarkupKind.Markdown, value: description },
    textEdit: { range, newText: `${written}${end}` },
    // Clients compare it with the text in the range, including quotes.
    filterText: written,
  };
}
