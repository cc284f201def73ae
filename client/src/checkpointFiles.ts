import * as vscode from 'vscode';

const CHECKPOINTS = '**/*.{pt,pth,ckpt,safetensors,gguf,keras,h5,onnx}';
const ELSEWHERE = '**/{node_modules,site-packages,.venv,venv,.git}/**';

/** Returns checkpoints of the workspace, at most `max`. */
export async function findCheckpoints(max: number): Promise<vscode.Uri[]> {
  const files = await vscode.workspace.findFiles(CHECKPOINTS, ELSEWHERE, max);
  return files.filter(({ scheme }) => scheme === 'file');
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
