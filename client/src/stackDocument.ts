import * as vscode from 'vscode';
import type { Server } from './server.ts';

export interface StackDocument extends vscode.Disposable {
  show(): Promise<void>;
  /** Takes over what has become known. */
  refresh(): void;
}

const ADDRESS = vscode.Uri.from({ scheme: 'gpu-doctor', path: 'GPU Stack.md' });

/** The read-out as a read-only document, shown as rendered Markdown; it follows what is known. */
export function registerStackDocument(server: Server): StackDocument {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(ADDRESS.scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: () => server.stackDocument(),
  });
  return {
    async show() {
      try {
        // Asking for the preview starts the extension that has it, which can be switched off.
        await vscode.commands.executeCommand('markdown.showPreview', ADDRESS);
      } catch {
        await vscode.window.showTextDocument(ADDRESS);
      }
    },
    refresh: () => changed.fire(ADDRESS),
    dispose() {
      registration.dispose();
      changed.dispose();
    },
  };
}
