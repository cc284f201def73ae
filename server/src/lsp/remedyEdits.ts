import type { Position, WorkspaceEdit } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { RemedyEdit } from '../explain/explanation.ts';
import { type EditedDocument, packedEdit } from './edits.ts';
import { programAt } from './programFiles.ts';
import type { Session } from './session.ts';

/**
 * Returns a remedy's edits for the client, in an open document or a file; `cell` is the address of the notebook cell
 * that the edits are in, if any. Undefined if the code is gone.
 */
export async function remedyEditOf(
  session: Session,
  { filename, edits }: RemedyEdit,
  cell: string | undefined,
): Promise<WorkspaceEdit | undefined> {
  const notebook = cell === undefined ? undefined : session.documents.containing(cell);
  const script = edits.some((edit) => edit.cell === null) ? await programAt(session.documents, filename) : undefined;
  const edited = new Map<TextDocument, EditedDocument>();
  for (const { cell: number, location, end_location, content } of edits) {
    const index = notebook?.source.cells.findIndex((each) => each.index + 1 === number) ?? -1;
    const document = number === null ? script?.document : notebook?.documents[index];
    if (!document) return undefined;
    const range = { start: positionIn(document, location), end: positionIn(document, end_location) };
    const { uri } = document;
    const version = document === script?.document && !script.isOpen ? null : document.version;
    const before = edited.get(document)?.edits ?? [];
    edited.set(document, { uri, version, edits: [...before, { range, newText: content }] });
  }
  return packedEdit(session, [...edited.values()]);
}

/** Rows and columns count from 1; columns are in characters, not counting a byte order mark. */
function positionIn(document: TextDocument, { row, column }: { row: number; column: number }): Position {
  const line = document.getText({ start: { line: row - 1, character: 0 }, end: { line: row, character: 0 } });
  const mark = line.startsWith('\uFEFF') ? 1 : 0;
  const before = [...line.slice(mark)].slice(0, column - 1).join('');
  return { line: row - 1, character: mark + before.length };
}
