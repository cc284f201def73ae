import * as vscode from 'vscode';
import { ENVIRONMENT_FILES } from '../../server/src/protocol.ts';

const TEXTS: vscode.DocumentSelector = [
  { language: 'python' },
  ...ENVIRONMENT_FILES.map((pattern) => ({ scheme: 'file', pattern })),
];

/** True if a file that the GPU stack matters to is open, even behind another tab: Python, an environment or a checkpoint. */
export function isGpuFileOpen(): boolean {
  return (
    vscode.workspace.textDocuments.some((document) => vscode.languages.match(TEXTS, document) > 0) ||
    vscode.workspace.notebookDocuments.some(({ notebookType }) => notebookType === 'jupyter-notebook') ||
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => isCheckpoint(input)))
  );
}

function isCheckpoint(input: unknown): boolean {
  return input instanceof vscode.TabInputCustom && input.viewType.startsWith('gpuDoctor.checkpoint');
}

/** Calls back whenever `isGpuFileOpen` may have changed. */
export function onGpuFilesChanged(listener: () => void): vscode.Disposable {
  const { workspace, window } = vscode;
  return vscode.Disposable.from(
    ...[
      workspace.onDidOpenTextDocument,
      workspace.onDidCloseTextDocument,
      workspace.onDidOpenNotebookDocument,
      workspace.onDidCloseNotebookDocument,
      window.tabGroups.onDidChangeTabs,
    ].map((event: vscode.Event<unknown>) => event(() => listener())),
  );
}
