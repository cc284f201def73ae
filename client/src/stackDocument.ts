import * as vscode from 'vscode';
import { STACK_DOCUMENT } from '../../server/src/protocol.ts';
import type { Server } from './server.ts';

export interface StackDocument extends vscode.Disposable {
  show(): Promise<void>;
  /** Updates the document with new facts. */
  refresh(): void;
}

/** The title of the tab, which a Markdown preview takes from the file name. */
const NAME = 'GPU Stack';
const ADDRESS = vscode.Uri.from({ scheme: 'gpu-doctor', path: NAME });

/** True while the stack report is the active editor: its title then has a copy button. */
const IN_USE = 'gpuDoctor.stackInUse';

/** The stack report as a read-only document, shown as rendered Markdown; it follows new facts. */
export function registerStackDocument(server: Server): StackDocument {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const tellInUse = () => void vscode.commands.executeCommand('setContext', IN_USE, isInUse());
  const registrations = vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(ADDRESS.scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: () => server.request(STACK_DOCUMENT),
    }),
    vscode.window.tabGroups.onDidChangeTabs(tellInUse),
    vscode.window.tabGroups.onDidChangeTabGroups(tellInUse),
  );
  return {
    async show() {
      try {
        // Requesting the preview starts its extension, which can be disabled.
        await vscode.commands.executeCommand('markdown.showPreview', ADDRESS);
      } catch {
        const document = await vscode.workspace.openTextDocument(ADDRESS);
        await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, 'markdown'));
      }
    },
    refresh: () => changed.fire(ADDRESS),
    dispose: () => registrations.dispose(),
  };
}

/** A preview is only identifiable by its title, "Preview GPU Stack" in the user's language. */
function isInUse(): boolean {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  if (tab?.input instanceof vscode.TabInputText) return tab.input.uri.toString() === ADDRESS.toString();
  return tab?.input instanceof vscode.TabInputWebview && tab.label.includes(NAME);
}
