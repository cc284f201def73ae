/** Hovers for the project's settings and recorded stacks, from their published schemas. */
import { basename } from 'node:path';
import { type Hover, MarkupKind, type Position } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { RECORD_FILE } from '../diagnosis/record/recordFile.ts';
import type { JsonSchema } from '../settings/settingAt.ts';
import { configurationPath, filePath } from './configurationFiles.ts';

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
  const schema: JsonSchema = isRecord
    ? (await import('../diagnosis/record/recordedStack.ts')).recordJsonSchema()
    : (await import('../settings/configurationSchema.ts')).jsonSchema();
  const { settingAt } = await import('../settings/settingAt.ts');
  const found = settingAt(text, document.offsetAt(position), schema, path?.endsWith('.toml') === true);
  if (!found) return undefined;
  const { codeOfRule, nameOfRule } = await import('../lint/ruleNames.ts');
  const { start, end } = found.span;
  const code = codeOfRule(text.slice(start, end).replace(/^["']|["']$/g, ''));
  const rule = code === undefined ? [] : [`**${code}** \`${nameOfRule(code)}\``];
  return {
    contents: { kind: MarkupKind.Markdown, value: [...rule, found.description].join('\n\n') },
    range: { start: document.positionAt(start), end: document.positionAt(end) },
  };
}
