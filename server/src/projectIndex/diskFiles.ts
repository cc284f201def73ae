/** The files of a project on disk. */

import { existsSync, readdirSync } from 'node:fs';
import { isNotebookPath, readDocument } from '../files/document.ts';
import { programFiles } from '../files/findFiles.ts';
import { readProjectFile, refuseLarge } from '../projectFile.ts';
import type { Source } from '../python/semantic/source.ts';
import type { ProjectFiles } from './projectFiles.ts';
import { type TextFacts, textFactsOf } from './textFacts.ts';

/** Maximum number of Python files in a folder; if there are more, files are analyzed one by one. */
const MAX_FILES = 20_000;

/** The files below a folder, read on demand and up to date at that time. Of those in `facts`, the text is known. */
export function diskFiles(root: string, facts?: ReadonlyMap<string, TextFacts>): ProjectFiles {
  const folders = new Map<string, ReadonlySet<string>>();
  let list: readonly string[] | undefined;
  const entriesOf = (folder: string) => {
    const known = folders.get(folder) ?? namesIn(folder);
    folders.set(folder, known);
    return known;
  };
  return {
    root,
    list() {
      list ??= programFiles(root, MAX_FILES) ?? [];
      return list;
    },
    has: (folder, name) => entriesOf(folder).has(name),
    exists: existsSync,
    read,
    asciiOf,
    factsOf: (path) => facts?.get(path) ?? textFactsOf(asciiOf(path)),
    forget() {
      list = undefined;
      folders.clear();
    },
  };
}

function read(path: string): Source | undefined {
  try {
    return readDocument(path, readProjectFile(path, 'importedProgram')).source;
  } catch {
    return undefined;
  }
}

function asciiOf(path: string): string {
  try {
    return asciiIn(path, readProjectFile(path, 'importedProgram'));
  } catch {
    return '';
  }
}

function asciiIn(path: string, bytes: Buffer, latin1 = () => bytes.toString('latin1')): string {
  if (!isNotebookPath(path)) return latin1();
  return readDocument(path, bytes)
    .source.cells.map(({ text }) => text)
    .join('\n');
}

/**
 * Returns the facts in the content of a file, which `latin1` decodes; undefined for a file that other files learn nothing
 * from.
 */
export function factsInFile(path: string, bytes: Buffer, latin1: () => string): TextFacts | undefined {
  try {
    refuseLarge('importedProgram', bytes.length);
    return textFactsOf(asciiIn(path, bytes, latin1));
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}
