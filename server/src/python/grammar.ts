/** The parser: the only module, with `parse.ts`, that knows tree-sitter. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Edit, Language, Parser, type Tree, type TreeCursor } from 'web-tree-sitter';

/** How many recently edited texts keep their tree, so that the next keystroke is parsed incrementally. */
const RECENT_TREES = 8;

let parser: Parser | undefined;
let typeNames: readonly string[] = [];
let fieldNames: readonly (string | undefined)[] = [];

interface Recent {
  readonly tree: Tree;
  /** Edits since the text was whole, or parsed anew. */
  readonly brokenFor: number;
}
const recent = new Map<string, Recent>();

/**
 * After several edits of a text with errors the parser may go on to find errors where none are left. So such a text is
 * parsed anew every few edits: so many characters, on the average, for each of them.
 */
const PARSED_ANEW = 500;

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

/** Texts are compared in pieces of this length before they are compared character by character. */
const CHUNK = 1024;

/** A replacement in a text, from `start` to `oldEnd` before it and to `newEnd` after it. */
export interface Difference {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** The one replacement that turns `before` into `after`. */
export function difference(before: string, after: string): Difference {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start + CHUNK <= most && before.slice(start, start + CHUNK) === after.slice(start, start + CHUNK))
    start += CHUNK;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  const rest = most - start;
  let tail = 0;
  const fromEnd = (text: string) => text.slice(text.length - tail - CHUNK, text.length - tail);
  while (tail + CHUNK <= rest && fromEnd(before) === fromEnd(after)) tail += CHUNK;
  while (tail < rest && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail))
    tail++;
  return { start, oldEnd: before.length - tail, newEnd: after.length - tail };
}

function pointAt(text: string, offset: number): { row: number; column: number } {
  let row = 0;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', lineStart)) {
    row++;
    lineStart = at + 1;
  }
  return { row, column: offset - lineStart };
}

/**
 * Parses `text` and hands a cursor on its tree to `read`. When `previous`, the text as it was before an edit, is given,
 * its tree is reused where it still is at hand and the new one is kept for the next edit; otherwise the tree is freed.
 */
export function withTree<T>(text: string, previous: string | undefined, read: (cursor: TreeCursor) => T): T {
  if (!parser) throw new Error('loadGrammar() must be awaited before parsing.');
  const old = previous === undefined ? undefined : recent.get(previous);
  if (old && previous !== undefined) {
    recent.delete(previous);
    const { start, oldEnd, newEnd } = difference(previous, text);
    old.tree.edit({
      startIndex: start,
      oldEndIndex: oldEnd,
      newEndIndex: newEnd,
      startPosition: pointAt(previous, start),
      oldEndPosition: pointAt(previous, oldEnd),
      newEndPosition: pointAt(text, newEnd),
    } as Edit);
  }
  let tree = parser.parse(text, old?.tree);
  old?.tree.delete();
  if (!tree) throw new Error('The parser gave no tree.');
  let brokenFor = tree.rootNode.hasError ? (old?.brokenFor ?? 0) + 1 : 0;
  if (old && brokenFor > 1 && brokenFor >= text.length / PARSED_ANEW) {
    tree.delete();
    tree = parser.parse(text);
    if (!tree) throw new Error('The parser gave no tree.');
    brokenFor = 0;
  }
  const cursor = tree.walk();
  try {
    return read(cursor);
  } finally {
    cursor.delete();
    if (previous === undefined) tree.delete();
    else keep(text, { tree, brokenFor });
  }
}

function keep(text: string, parsed: Recent): void {
  recent.get(text)?.tree.delete();
  recent.delete(text);
  recent.set(text, parsed);
  for (const [oldest, forgotten] of recent) {
    if (recent.size <= RECENT_TREES) break;
    recent.delete(oldest);
    forgotten.tree.delete();
  }
}
