/** The parser: the only module, with `read.ts`, that knows tree-sitter. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Language, Parser, type TreeCursor } from 'web-tree-sitter';

let parser: Parser | undefined;
let typeNames: readonly string[] = [];
let fieldNames: readonly (string | undefined)[] = [];

/** The WASM files lie beside the bundle; when the sources run as they are, in their packages. */
function locate(file: string, packageName: string): string {
  const beside = path.join(import.meta.dirname, file);
  return existsSync(beside) ? beside : createRequire(import.meta.url).resolve(`${packageName}/${file}`);
}

/** Loads the grammar. Must have been awaited once before `withTree`. */
export async function loadGrammar(): Promise<void> {
  if (parser) return;
  const runtime = locate('web-tree-sitter.wasm', 'web-tree-sitter');
  await Parser.init({ locateFile: () => runtime });
  const language = await Language.load(locate('tree-sitter-python.wasm', 'tree-sitter-python'));
  // Anonymous tokens get the empty name: they carry a meaning only through their field.
  typeNames = Array.from({ length: language.nodeTypeCount }, (_, id) =>
    language.nodeTypeIsNamed(id) ? (language.nodeTypeForId(id) ?? '') : '',
  );
  fieldNames = Array.from({ length: language.fieldCount + 1 }, (_, id) => language.fieldNameForId(id) ?? undefined);
  parser = new Parser();
  parser.setLanguage(language);
}

/** What the cursor's node is called, `''` for a token such as `(`. */
export function typeAt(cursor: TreeCursor): string {
  const id = cursor.nodeTypeId;
  return typeNames[id] ?? (id === 65535 ? 'ERROR' : '');
}

/** The field that the cursor's node has in its parent. */
export function fieldAt(cursor: TreeCursor): string | undefined {
  const id = cursor.currentFieldId;
  return id === 0 ? undefined : fieldNames[id];
}

/** Parses `text` and hands a cursor on its tree to `read`; the tree is freed afterwards. */
export function withTree<T>(text: string, read: (cursor: TreeCursor) => T): T {
  if (!parser) throw new Error('loadGrammar() must be awaited before parsing.');
  const tree = parser.parse(text);
  if (!tree) throw new Error('The parser gave no tree.');
  const cursor = tree.walk();
  try {
    return read(cursor);
  } finally {
    cursor.delete();
    tree.delete();
  }
}
