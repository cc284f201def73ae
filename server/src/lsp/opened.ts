/** The documents of an editor that rules check: a script, a notebook or an environment file. */
import type { Range } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { environmentKind, kindOfNamed } from '../environment/kinds.ts';
import { isNotebookPath, isPython } from '../files/document.ts';
import { readNotebook } from '../files/notebook.ts';
import { type NotebookPlaces, notebookPlaces } from '../files/notebookPlaces.ts';
import { Trouble } from '../files/trouble.ts';
import type { Source } from '../python/semantic/source.ts';

export interface Opened {
  /** The script's address, or the notebook's; never a cell's. */
  readonly uri: string;
  readonly source: Source;
  /** A text document for each of the source's cells. */
  readonly documents: readonly TextDocument[];
  /** The JSON of a notebook that is open as text, with its cells; absent if its cells are documents. */
  readonly json?: NotebookText;
  /** True for a file that is checked only if the project's settings include it. */
  readonly isOptional?: true;
  /** Changes with every edit and is never reused while the server runs. */
  readonly revision: number;
}

interface NotebookText {
  readonly document: TextDocument;
  readonly places: NotebookPlaces;
}

/**
 * Cells arrive by notebook synchronization; a client that does not support it may send cells as documents, which are
 * not programs.
 */
const CELL_SCHEME = 'vscode-notebook-cell:';

/**
 * Returns a text document as rules see it; undefined for files that rules do not check and for a notebook that cannot
 * be read.
 */
export function openedText(document: TextDocument, revision: number): Opened | undefined {
  const { uri, languageId } = document;
  const path = pathOfUri(uri);
  if (uri.startsWith(CELL_SCHEME)) return undefined;
  if (isNotebookPath(path)) return openedJson(document, path, revision);
  const isJudged = languageId === 'python' || /\.pyw?$/i.test(path) || environmentKind(path) !== undefined;
  const text = document.getText();
  if (!isJudged && kindOfNamed(path) === undefined && !isPython(path, text)) return undefined;
  const source: Source = { path, kind: 'script', cells: [{ index: 0, text }] };
  const opened: Opened = { uri, source, documents: [document], revision };
  return isJudged ? opened : { ...opened, isOptional: true };
}

function openedJson(document: TextDocument, path: string, revision: number): Opened | undefined {
  const { uri } = document;
  try {
    const { source } = readNotebook(path, document.getText());
    const documents = source.cells.map(({ index, text }) =>
      TextDocument.create(`${uri}#${index}`, 'python', document.version, text),
    );
    const places = notebookPlaces(document.getText(), source);
    return { uri, source, documents, json: { document, places }, revision };
  } catch (error) {
    if (error instanceof Trouble) return undefined;
    throw error;
  }
}

/** Returns the client's documents for it. */
export function clientDocuments({ documents, json }: Opened): readonly TextDocument[] {
  return json ? [json.document] : documents;
}

/** True for a notebook whose cells are documents of their own. */
export function hasCells({ source, json }: Opened): boolean {
  return source.kind === 'notebook' && json === undefined;
}

/** Returns the range in a notebook's JSON for a range of offsets in the text of a cell. */
export function rangeInJson(
  { document, places }: NotebookText,
  { cell, start, end }: { readonly cell: number; readonly start: number; readonly end: number },
): Range {
  return {
    start: document.positionAt(places.inJson(cell, start, 'start')),
    end: document.positionAt(places.inJson(cell, end, end > start ? 'end' : 'start')),
  };
}

/** Returns the path in an address, or the address itself if it is malformed. */
export function pathOfUri(uri: string): string {
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return uri;
  }
}
