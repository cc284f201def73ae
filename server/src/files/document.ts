import { environmentKind } from '../environment/kinds.ts';
import { type ProjectFileKind, readProjectFile, refuseLarge } from '../projectFile.ts';
import { type Source, script } from '../python/semantic/source.ts';
import { decodeEnvironment, decodeJson, decodePython, type Encoding, encode } from './encoding.ts';
import { readNotebook } from './notebook.ts';
import { rewriteNotebook } from './notebookEdits.ts';

/** A Python file or notebook, with everything that is needed to write it back unchanged except for the fixes. */
export interface Document {
  readonly text: string;
  readonly encoding: Encoding;
  readonly source: Source;
  /** Clauses about parts that could not be read. */
  readonly troubles: readonly string[];
}

/** True if the path names a notebook. */
export function isNotebookPath(path: string): boolean {
  return path.toLowerCase().endsWith('.ipynb');
}

/** Returns the kind of a file that is checked. */
function kindOfDocument(path: string): ProjectFileKind {
  if (isNotebookPath(path)) return 'notebook';
  return environmentKind(path) === undefined ? 'program' : 'requirements';
}

/** Reads the bytes of a file that is checked. Throws an `Unreadable`, or the system's error. */
export function readProgram(path: string): Buffer {
  return readProjectFile(path, kindOfDocument(path));
}

/** Returns the content of a script or a notebook. Throws a `Trouble` or an `Unreadable`. */
export function readDocument(path: string, bytes: Buffer): Document {
  refuseLarge(kindOfDocument(path), bytes.length);
  if (!isNotebookPath(path)) {
    const decoded = environmentKind(path) === undefined ? decodePython(bytes) : decodeEnvironment(bytes);
    return { ...decoded, source: script(path, decoded.text), troubles: [] };
  }
  const decoded = decodeJson(bytes);
  return { ...decoded, ...readNotebook(path, decoded.text) };
}

/** Returns the document's text with its cells replaced by those of `source`. */
export function renderDocument(document: Document, source: Source): string {
  if (source.kind === 'notebook') return rewriteNotebook(document.text, document.source, source);
  return source.cells[0]?.text ?? '';
}

/**
 * Returns the document's bytes with the cells of `source`. Throws a `Trouble` if its encoding cannot represent them.
 */
export function encodeDocument(document: Document, source: Source): Buffer {
  return encode(renderDocument(document, source), document.encoding);
}
