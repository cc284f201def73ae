import * as vscode from 'vscode';
import type { Server } from './server.ts';

const FILE = 'gpu-stack.yaml';

/** Writes the stack of the folder's Python into the folder's file and shows it; comments that are there stay. */
export async function recordStack(server: Server, folder: vscode.WorkspaceFolder | undefined): Promise<void> {
  if (!folder) {
    void vscode.window.showWarningMessage(`Open a folder first: ${FILE} is written into it.`);
    return;
  }
  const uri = vscode.Uri.joinPath(folder.uri, FILE);
  const existing = await documentAt(uri);
  const { text, replaces, troubles } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'Reading the GPU stack' },
    () => server.recordStack({ text: existing?.getText() }),
  );
  if (troubles.length > 0 && !(await mayRecord(troubles))) return;
  if (replaces && !(await mayReplace())) return;
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
  const question = 'Record a stack in which something is wrong as one that is known to work?';
  const detail = troubles.join('\n\n');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, record)) === record;
}

async function mayReplace(): Promise<boolean> {
  const replace = 'Replace';
  const detail = 'Nothing of it can be kept, as it cannot be read as YAML.';
  return (await vscode.window.showWarningMessage(`Replace ${FILE}?`, { modal: true, detail }, replace)) === replace;
}
