import { environmentKind } from '../environment/kinds.ts';
import { type Source, script } from '../python/semantic/source.ts';
import { decodeEnvironment, decodeJson, decodePython, type Encoding, encode } from './encoding.ts';
import { readNotebook } from './notebook.ts';
import { rewriteNotebook } from './notebookEdits.ts';
import { Trouble } from './trouble.ts';

/** A Python file or notebook, with everything that is needed to write it back unchanged except for the fixes. */
export interface Document {
  readonly text: string;
  readonly encoding: Encoding;
  readonly source: Source;
  /** Clauses about parts that could not be read. */
  readonly troubles: readonly string[];
}

/** The largest script and notebook that are checked, in bytes. Most of a notebook's size is output. */
const LARGEST_SCRIPT = 16 * 2 ** 20;
const LARGEST_NOTEBOOK = 256 * 2 ** 20;

/** True if the path names a notebook. */
export function isNotebookPath(path: string): boolean {
  return path.toLowerCase().endsWith('.ipynb');
}

/** Throws a `Trouble` if a file of this size in bytes is too large to be checked. */
function refuseLarge(path: string, bytes: number): void {
  const largest = isNotebookPath(path) ? LARGEST_NOTEBOOK : LARGEST_SCRIPT;
  if (bytes <= largest) return;
  throw new Trouble(`is too large: ${Math.round(bytes / 2 ** 20)} MiB, at most ${largest / 2 ** 20} MiB are checked`);
}

/** Reads the bytes of a script or a notebook. Throws a `Trouble` with the reason if they cannot be read. */
export function readDocument(path: string, bytes: Buffer): Document {
  refuseLarge(path, bytes.length);
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
