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
      const commands = await vscode.commands.getCommands(true);
      // The preview belongs to an extension that can be switched off.
      if (commands.includes('markdown.showPreview'))
        await vscode.commands.executeCommand('markdown.showPreview', ADDRESS);
      else await vscode.window.showTextDocument(ADDRESS);
    },
    refresh: () => changed.fire(ADDRESS),
    dispose() {
      registration.dispose();
      changed.dispose();
    },
  };
}
