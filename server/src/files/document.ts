import type { EnvironmentKind } from '../environment/environmentFile.ts';
import { environmentKind, kindOfNamed } from '../environment/kinds.ts';
import { type ProjectFileKind, readProjectFile, refuseLarge } from '../projectFile.ts';
import { type Source, script } from '../python/semantic/source.ts';
import { decodeEnvironment, decodeJson, decodePython, type Encoding, encode } from './encoding.ts';
import { readNotebook } from './notebook.ts';
import { rewriteNotebook } from './notebookEdits.ts';
import { Trouble } from './trouble.ts';

/** A file that is checked, with everything that is needed to write it back unchanged except for the fixes. */
export interface Document {
  /** Absent for Python files and notebooks. */
  readonly kind?: EnvironmentKind | undefined;
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

/** True for a path without an extension or with one of Python's, and for text that starts or imports as Python does. */
export function isPython(path: string, text: string): boolean {
  const [extension] = /(?<=[^\\/])\.[^\\/.]*$/.exec(path) ?? [];
  return extension === undefined || /^\.py/i.test(extension) || PYTHON_LINE.test(text);
}

const PYTHON_LINE = /^#!.*python|^(?:import|from) +[\w.]+/m;

/** Reads the bytes of a file that is checked. Throws an `Unreadable`, or the system's error. */
export function readProgram(path: string): Buffer {
  return readProjectFile(path, kindOfDocument(path));
}

/** Returns the content of a file. One that a person names may have any name. Throws a `Trouble` or an `Unreadable`. */
export function readDocument(path: string, bytes: Buffer, isNamed = false): Document {
  refuseLarge(kindOfDocument(path), bytes.length);
  if (!isNotebookPath(path)) {
    const isOther = isNamed && !isPython(path, bytes.toString('latin1'));
    const kind = isOther ? kindOfNamed(path) : environmentKind(path);
    if (isOther && kind === undefined) throw new Trouble('is neither Python nor an environment file');
    const decoded = kind === undefined ? decodePython(bytes) : decodeEnvironment(bytes);
    return { ...decoded, kind, source: script(path, decoded.text), troubles: [] };
  }
  const decoded = decodeJson(bytes);
  const notebook = readNotebook(path, decoded.text);
  const { cells } = notebook.source;
  // Outputs may be long, but code takes as much time and memory as that of a program.
  refuseLarge(
    'program',
    cells.reduce((sum, { text }) => sum + text.length, 0),
  );
  return { ...decoded, ...notebook };
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
