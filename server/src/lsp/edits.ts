import { diffArrays } from 'diff';
import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { rewriteNotebook } from '../files/notebookEdits.ts';
import type { Source } from '../python/semantic/source.ts';
import type { Edit } from '../rules/edits/fix.ts';
import { applyEdits } from '../rules/engine/fixAll.ts';
import type { Analysis } from './analysis.ts';
import { replacementIn } from './lastFindings.ts';
import { clientDocuments, type Opened } from './opened.ts';
import { locationOf, type Session } from './session.ts';

/** Returns a fix's edits for the client; in a notebook they may be in several cells. */
export function workspaceEditOf(session: Session, analysis: Analysis, edits: readonly Edit[]): WorkspaceEdit {
  if (analysis.opened.json) return workspaceEditTo(session, analysis, applyEdits(analysis.program, edits));
  const byDocument = new Map<string, TextEdit[]>();
  for (const { span, newText } of edits) {
    const { uri, range } = locationOf(analysis, span);
    byDocument.set(uri, [...(byDocument.get(uri) ?? []), { range, newText }]);
  }
  const edited = clientDocuments(analysis.opened).flatMap(({ uri, version }) => {
    const own = byDocument.get(uri);
    return own ? [{ uri, version, edits: own }] : [];
  });
  return packedEdit(session, edited);
}

/**
 * Returns the edit that turns the program's text into `fixed`. It changes as few lines as possible to keep cursor and
 * folds.
 */
export const workspaceEditTo = (session: Session, { opened }: Analysis, fixed: Source): WorkspaceEdit =>
  packedEdit(session, editsTo(opened, fixed));

/** Returns the edits that turn the text of a program into `fixed`, by document. */
export function editsTo({ source, json, documents }: Opened, fixed: Source): EditedDocument[] {
  const changed = (document: TextDocument, after: string): EditedDocument[] => {
    const edits = textEdits(document, after);
    return edits.length > 0 ? [{ uri: document.uri, version: document.version, edits }] : [];
  };
  return json
    ? changed(json.document, rewriteNotebook(json.document.getText(), source, fixed))
    : documents.flatMap((document, cell) => changed(document, fixed.cells[cell]?.text ?? ''));
}

/** The edits of one document. */
export interface EditedDocument {
  readonly uri: string;
  /** Null for a file that is not open. */
  readonly version: number | null;
  readonly edits: TextEdit[];
}

/** Combines edits of several documents in a form that the client supports. */
export function packedEdit({ capabilities }: Session, edited: readonly EditedDocument[]): WorkspaceEdit {
  if (!capabilities.workspace?.workspaceEdit?.documentChanges)
    return { changes: Object.fromEntries(edited.map(({ uri, edits }) => [uri, edits])) };
  const documentChanges = edited.map(
    ({ uri, version, edits }): TextDocumentEdit => ({ textDocument: { uri, version }, edits }),
  );
  return { documentChanges };
}

/** Returns the differences between a document and its new text, line by line if the number of lines is unchanged. */
function textEdits(document: TextDocument, after: string): TextEdit[] {
  const before = document.getText();
  if (before === after) return [];
  const edits: TextEdit[] = [];
  let offset = 0;
  let removed: string[] = [];
  let added: string[] = [];
  const replace = (old: string, fresh: string) => {
    if (old !== fresh) {
      const { start, oldEnd, newEnd } = replacementIn(old, fresh);
      const range = { start: document.positionAt(offset + start), end: document.positionAt(offset + oldEnd) };
      edits.push({ range, newText: fresh.slice(start, newEnd) });
    }
    offset += old.length;
  };
  const flush = () => {
    if (removed.length === added.length)
      for (const [index, line] of removed.entries()) replace(line, added[index] ?? '');
    else replace(removed.join(''), added.join(''));
    removed = [];
    added = [];
  };
  for (const { value, removed: isRemoved, added: isAdded } of diffArrays(linesOf(before), linesOf(after))) {
    if (isRemoved) removed.push(...value);
    else if (isAdded) added.push(...value);
    else {
      flush();
      offset += value.join('').length;
    }
  }
  flush();
  return edits;
}

/** Lines with their line endings. */
function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}
