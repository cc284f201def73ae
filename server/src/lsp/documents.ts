import type {
  Connection,
  NotebookCell,
  TextDocumentContentChangeEvent,
  TextDocumentItem,
} from 'vscode-languageserver/node';
import { NotebookCellKind } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { environmentKind } from '../environment/kinds.ts';
import { isSamePath } from '../files/paths.ts';
import type { Source } from '../python/semantic/source.ts';
import { filePath } from './configurationFiles.ts';

/** A script, a notebook or an environment file that the client has open. */
export interface Opened {
  /** The script's address, or the notebook's; never a cell's. */
  readonly uri: string;
  readonly source: Source;
  /** The text document of each of the source's cells. */
  readonly documents: readonly TextDocument[];
  /** Another one after every change; never used twice while the server lives. */
  readonly revision: number;
}

/** What became of the open documents by one message of the client. */
export interface DocumentsChange {
  /** Address of the script or notebook that was opened, edited or closed. */
  readonly uri: string;
  /** Text documents that are gone: the script, or cells. */
  readonly closed: readonly string[];
}

export interface Documents {
  /** The script or notebook that a text document is, or is a cell of. */
  containing(documentUri: string): Opened | undefined;
  /** Any text document, be it Python or not. */
  text(uri: string): TextDocument | undefined;
  /** The text document of a file on this machine, however the client writes its address. */
  ofFile(path: string): TextDocument | undefined;
  /** The script or notebook at this address. */
  at(uri: string): Opened | undefined;
  all(): Opened[];
}

/** Cells arrive by notebook synchronization; a client without it may send them as documents, which are no programs. */
const CELL_SCHEME = 'vscode-notebook-cell:';

/** Keeps what the client has open, by incremental text and notebook synchronization. */
export function syncDocuments(connection: Connection, changed: (change: DocumentsChange) => void): Documents {
  const texts = new Map<string, TextDocument>();
  const notebooks = new Map<string, NotebookCell[]>();
  const notebookOf = new Map<string, string>();
  const opened = new Map<string, Opened>();
  let revision = 0;

  const at = (uri: string): Opened | undefined => {
    const known = opened.get(uri);
    if (known) return known;
    const cells = notebooks.get(uri);
    const documents = cells ? pythonCells(cells, texts) : judgedFile(texts.get(uri));
    if (!documents) return undefined;
    const fresh: Opened = { uri, source: sourceOf(uri, documents, cells), documents, revision: ++revision };
    opened.set(uri, fresh);
    return fresh;
  };
  const touch = (uri: string, closed: readonly string[] = []) => {
    opened.delete(uri);
    changed({ uri, closed });
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
    touch(textDocument.uri);
  });
  connection.onDidChangeTextDocument(({ textDocument, contentChanges }) => {
    if (editText(textDocument.uri, textDocument.version, contentChanges)) touch(textDocument.uri);
  });
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    if (texts.delete(uri)) touch(uri, [uri]);
  });

  const { synchronization } = connection.notebooks;
  synchronization.onDidOpenNotebookDocument(({ notebookDocument: { uri, cells }, cellTextDocuments }) => {
    notebooks.set(uri, [...cells]);
    for (const cell of cellTextDocuments) openText(cell);
    for (const cell of cells) notebookOf.set(cell.document, uri);
    touch(uri);
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
    if (structure || data.length > 0 || textContent.length > 0) touch(uri, closed);
  });
  synchronization.onDidCloseNotebookDocument(({ notebookDocument: { uri } }) => {
    const cells = notebooks.get(uri) ?? [];
    const closed = cells.map((cell) => cell.document);
    notebooks.delete(uri);
    closeCells(closed);
    touch(uri, closed);
  });

  return {
    at,
    text: (uri) => texts.get(uri),
    ofFile: (path) => [...texts.values()].find(({ uri }) => isSamePath(filePath(uri), path)),
    containing: (documentUri) => at(notebookOf.get(documentUri) ?? documentUri),
    all: () => [...notebooks.keys(), ...texts.keys()].flatMap((uri) => (notebookOf.has(uri) ? [] : (at(uri) ?? []))),
  };
}

function pythonCells(cells: readonly NotebookCell[], texts: ReadonlyMap<string, TextDocument>): TextDocument[] {
  return cells.flatMap(({ kind, document }) => {
    const text = texts.get(document);
    return kind === NotebookCellKind.Code && text?.languageId === 'python' ? [text] : [];
  });
}

/** A script, or a file that describes an environment. */
function judgedFile(document: TextDocument | undefined): TextDocument[] | undefined {
  if (!document || document.uri.startsWith(CELL_SCHEME)) return undefined;
  if (document.languageId === 'python' || /\.pyw?$/.test(document.uri)) return [document];
  return environmentKind(pathOf(document.uri)) === undefined ? undefined : [document];
}

function sourceOf(uri: string, documents: readonly TextDocument[], cells: readonly NotebookCell[] | undefined): Source {
  const indexOf = (document: TextDocument) => cells?.findIndex((cell) => cell.document === document.uri) ?? 0;
  return {
    path: pathOf(uri),
    kind: cells ? 'notebook' : 'script',
    cells: documents.map((document) => ({ index: indexOf(document), text: document.getText() })),
  };
}

/** The path in an address, or the address itself where it is malformed. */
function pathOf(uri: string): string {
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return uri;
  }
}
