import {
  type Connection,
  Emitter,
  type Event,
  type NotebookCell,
  NotebookCellKind,
  type TextDocumentContentChangeEvent,
  type TextDocumentItem,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isSamePath } from '../files/paths.ts';
import type { Source } from '../python/semantic/source.ts';
import { filePath } from './configurationFiles.ts';
import { type Opened, openedText, pathOfUri } from './opened.ts';

/** The effect of one client message on the open documents. */
export interface DocumentsChange {
  /** Address of the script or notebook that was opened, edited or closed. */
  readonly uri: string;
  /** Text documents that were closed: the script, or cells. */
  readonly closed: readonly string[];
  readonly isOpening?: true;
  readonly isSaved?: true;
}

export interface Documents {
  /** Returns the script or notebook that a text document is or belongs to. */
  containing(documentUri: string): Opened | undefined;
  /** Returns any text document, Python or not. */
  text(uri: string): TextDocument | undefined;
  /** Returns the text document for a file on this machine, however its address is written. */
  ofFile(path: string): TextDocument | undefined;
  /** Returns the script or notebook at this address. */
  at(uri: string): Opened | undefined;
  all(): Opened[];
  /** True for a text document that was edited, or whose notebook was edited, since it was opened or saved. */
  isUnsaved(documentUri: string): boolean;
  /** After each message about an open document. */
  readonly onDidChange: Event<DocumentsChange>;
}

/** Keeps the client's open documents up to date by incremental text and notebook synchronization. */
export function syncDocuments(connection: Connection): Documents {
  const changed = new Emitter<DocumentsChange>();
  const texts = new Map<string, TextDocument>();
  const notebooks = new Map<string, NotebookCell[]>();
  const notebookOf = new Map<string, string>();
  const opened = new Map<string, Opened>();
  const unsaved = new Set<string>();
  let revision = 0;

  const at = (uri: string): Opened | undefined => {
    const known = opened.get(uri);
    if (known) return known;
    const cells = notebooks.get(uri);
    const text = texts.get(uri);
    const fresh = cells ? openedNotebook(uri, cells, texts, ++revision) : text && openedText(text, ++revision);
    if (fresh) opened.set(uri, fresh);
    return fresh;
  };
  const touch = (
    uri: string,
    change: Omit<DocumentsChange, 'uri' | 'closed'> & { closed?: readonly string[] } = {},
  ) => {
    opened.delete(uri);
    changed.fire({ closed: [], ...change, uri });
  };
  const saved = (uri: string) => {
    unsaved.delete(uri);
    changed.fire({ uri, closed: [], isSaved: true });
  };

  const openText = ({ uri, languageId, version, text }: TextDocumentItem) =>
    texts.set(uri, TextDocument.create(uri, languageId, version, text));
  const editText = (uri: string, version: number, changes: TextDocumentContentChangeEvent[]): boolean => {
    const document = texts.get(uri);
    if (document) texts.set(uri, TextDocument.update(document, changes, version));
    return document !== undefined;
  };
  const closeCells = (uris: readonly string[]) => {
    for (const uri of uris) {
      texts.delete(uri);
      notebookOf.delete(uri);
    }
  };

  connection.onDidOpenTextDocument(({ textDocument }) => {
    openText(textDocument);
    touch(textDocument.uri, { isOpening: true });
  });
  connection.onDidChangeTextDocument(({ textDocument, contentChanges }) => {
    if (!editText(textDocument.uri, textDocument.version, contentChanges)) return;
    unsaved.add(textDocument.uri);
    touch(textDocument.uri);
  });
  connection.onDidSaveTextDocument(({ textDocument }) => saved(textDocument.uri));
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    unsaved.delete(uri);
    if (texts.delete(uri)) touch(uri, { closed: [uri] });
  });

  const { synchronization } = connection.notebooks;
  synchronization.onDidOpenNotebookDocument(({ notebookDocument: { uri, cells }, cellTextDocuments }) => {
    notebooks.set(uri, [...cells]);
    for (const cell of cellTextDocuments) openText(cell);
    for (const cell of cells) notebookOf.set(cell.document, uri);
    touch(uri, { isOpening: true });
  });
  synchronization.onDidChangeNotebookDocument(({ notebookDocument: { uri }, change }) => {
    const cells = notebooks.get(uri);
    if (!cells) return;
    const { structure, data = [], textContent = [] } = change.cells ?? {};
    const closed = structure?.didClose?.map((document) => document.uri) ?? [];
    if (structure) {
      const { start, deleteCount, cells: inserted = [] } = structure.array;
      cells.splice(start, deleteCount, ...inserted);
      closeCells(closed);
      for (const document of structure.didOpen ?? []) openText(document);
      for (const cell of inserted) notebookOf.set(cell.document, uri);
    }
    for (const cell of data) {
      const index = cells.findIndex(({ document }) => document === cell.document);
      if (index >= 0) cells[index] = cell;
    }
    for (const { document, changes } of textContent) editText(document.uri, document.version, changes);
    if (!structure && data.length === 0 && textContent.length === 0) return;
    unsaved.add(uri);
    touch(uri, { closed });
  });
  synchronization.onDidSaveNotebookDocument(({ notebookDocument }) => saved(notebookDocument.uri));
  synchronization.onDidCloseNotebookDocument(({ notebookDocument: { uri } }) => {
    const cells = notebooks.get(uri) ?? [];
    const closed = cells.map((cell) => cell.document);
    notebooks.delete(uri);
    unsaved.delete(uri);
    closeCells(closed);
    touch(uri, { closed });
  });

  return {
    onDidChange: changed.event,
    at,
    text: (uri) => texts.get(uri),
    ofFile: (path) => [...texts.values()].find(({ uri }) => isSamePath(filePath(uri), path)),
    isUnsaved: (documentUri) => unsaved.has(notebookOf.get(documentUri) ?? documentUri),
    containing: (documentUri) => at(notebookOf.get(documentUri) ?? documentUri),
    all: () =>
      [...new Set([...notebooks.keys(), ...texts.keys()])].flatMap((uri) =>
        notebookOf.has(uri) ? [] : (at(uri) ?? []),
      ),
  };
}

function pythonCells(cells: readonly NotebookCell[], texts: ReadonlyMap<string, TextDocument>): TextDocument[] {
  return cells.flatMap(({ kind, document }) => {
    const text = texts.get(document);
    return kind === NotebookCellKind.Code && text?.languageId === 'python' ? [text] : [];
  });
}

function openedNotebook(
  uri: string,
  cells: readonly NotebookCell[],
  texts: ReadonlyMap<string, TextDocument>,
  revision: number,
): Opened {
  const documents = pythonCells(cells, texts);
  const indexOf = (document: TextDocument) => cells.findIndex((cell) => cell.document === document.uri);
  const source: Source = {
    path: pathOfUri(uri),
    kind: 'notebook',
    cells: documents.map((document) => ({ index: indexOf(document), text: document.getText() })),
  };
  return { uri, source, documents, revision };
}
