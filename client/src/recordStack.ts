import * as vscode from 'vscode';
import { RECORD_STACK } from '../../server/src/protocol.ts';
import type { Server } from './server.ts';

const FILE = 'gpu-stack.yaml';
/** Scheme of the proposed record, shown next to the existing one. */
const PROPOSED = 'gpu-doctor-record';

/**
 * Writes the stack of the folder's Python to the folder's file and shows the file; existing comments stay. A record of
 * another stack is only replaced after the differences have been shown.
 */
export async function recordStack(server: Server, folder: vscode.WorkspaceFolder | undefined): Promise<void> {
  if (!folder) {
    void vscode.window.showWarningMessage(`Open a folder first. ${FILE} is written to it.`);
    return;
  }
  const uri = vscode.Uri.joinPath(folder.uri, FILE);
  const existing = await documentAt(uri);
  const { text, replaces, troubles } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'Reading the GPU stack' },
    () => server.request(RECORD_STACK, { text: existing?.getText() }),
  );
  if (troubles.length > 0 && !(await mayRecord(troubles))) return;
  if (existing && existing.getText() !== text && !(await mayReplace(existing, text, replaces))) return;
  const edit = new vscode.WorkspaceEdit();
  if (existing) edit.replace(uri, new vscode.Range(0, 0, existing.lineCount, 0), text);
  else edit.createFile(uri, { contents: new TextEncoder().encode(text) });
  await vscode.workspace.applyEdit(edit);
  const document = await vscode.workspace.openTextDocument(uri);
  await document.save();
  await vscode.window.showTextDocument(document);
}

async function documentAt(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined;
  }
  return vscode.workspace.openTextDocument(uri);
}

async function mayRecord(troubles: readonly string[]): Promise<boolean> {
  const record = 'Record Anyway';
  const question = 'This stack has problems. Record it anyway?';
  const detail = troubles.join('\n\n');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, record)) === record;
}

/**
 * Shows the changes, and asks with a list that stays open while the user reads the comparison. Without an answer the
 * record is kept.
 */
async function mayReplace(existing: vscode.TextDocument, text: string, isUnreadable: boolean): Promise<boolean> {
  const proposed = existing.uri.with({ scheme: PROPOSED });
  const provider = vscode.workspace.registerTextDocumentContentProvider(PROPOSED, {
    provideTextDocumentContent: () => text,
  });
  try {
    await vscode.commands.executeCommand('vscode.diff', existing.uri, proposed, `${FILE}: recorded ↔ this machine`);
    const keep = { label: '$(close) Keep the record' };
    const lost = 'It is not valid YAML, so none of it is kept';
    const replace = {
      label: "$(check) Replace it with this machine's stack",
      detail: isUnreadable ? lost : undefined,
    };
    const title = `${FILE} records another stack`;
    return (await vscode.window.showQuickPick([keep, replace], { title, ignoreFocusOut: true })) === replace;
  } finally {
    await closeComparison(proposed);
    provider.dispose();
  }
}

async function closeComparison(proposed: vscode.Uri): Promise<void> {
  const isIts = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputTextDiff && input.modified.toString() === proposed.toString();
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isIts));
  await vscode.window.tabGroups.close(tabs);
}
