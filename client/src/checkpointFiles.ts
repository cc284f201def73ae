import path from 'node:path';
import * as vscode from 'vscode';

const CHECKPOINTS = '**/*.{pt,pth,ckpt,safetensors,gguf,keras,h5,onnx}';
const ELSEWHERE = '**/{node_modules,site-packages,.venv,venv,.git}/**';

/** Maximum number of listed checkpoints. */
export const MAX_CHECKPOINTS = 100;

/** Returns checkpoints of the workspace, at most `max`. */
export async function findCheckpoints(max: number): Promise<vscode.Uri[]> {
  const files = await vscode.workspace.findFiles(CHECKPOINTS, ELSEWHERE, max);
  return files.filter(({ scheme }) => scheme === 'file');
}

/** Asks for a checkpoint: one of the workspace, or another file. `except` is not offered. */
export async function chooseCheckpoint(title: string, except?: vscode.Uri): Promise<vscode.Uri | undefined> {
  const files = (await findCheckpoints(MAX_CHECKPOINTS)).filter((file) => file.path !== except?.path);
  const browse = async () => (await vscode.window.showOpenDialog({ title }))?.[0];
  const picks = files.map((file) => {
    const description = vscode.workspace.asRelativePath(file);
    return { label: path.basename(file.path), description, choose: async () => file };
  });
  picks.sort((one, other) => one.label.localeCompare(other.label));
  if (picks.length === 0) return browse();
  const others = { label: '$(folder-opened) Browse…', description: '', choose: browse };
  const chosen = await vscode.window.showQuickPick([...picks, others], { title, matchOnDescription: true });
  return chosen?.choose();
}

/** True if the workspace contains a checkpoint, or one is open. */
export async function hasCheckpoint(): Promise<boolean> {
  const isOpen = vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => isCheckpoint(input)));
  return isOpen || (await findCheckpoints(1)).length > 0;
}

function isCheckpoint(input: unknown): boolean {
  return input instanceof vscode.TabInputCustom && input.viewType.startsWith('gpuDoctor.checkpoint');
}

/** Calls back when checkpoints were created, deleted, opened or closed. */
export function onCheckpointsChanged(listener: () => unknown): vscode.Disposable {
  const files = vscode.workspace.createFileSystemWatcher(CHECKPOINTS, false, true);
  const tabs = vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
    if ([...opened, ...closed].some(({ input }) => isCheckpoint(input))) listener();
  });
  return vscode.Disposable.from(files, tabs, files.onDidCreate(listener), files.onDidDelete(listener));
}
