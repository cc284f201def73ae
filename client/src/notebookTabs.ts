import * as vscode from 'vscode';
import {
  type BaseLanguageClient,
  NotebookDocumentSyncRegistrationType,
  type StaticFeature,
} from 'vscode-languageclient';

/**
 * VS Code keeps a notebook open long after its last tab is closed, for example while the Problems view shows it. For
 * the server, the notebook is closed with that tab, so that its findings disappear, and opened again with the next tab.
 */
export function followNotebookTabs(client: BaseLanguageClient): StaticFeature {
  let subscriptions: vscode.Disposable[] = [];
  const follow = () => {
    if (!client.isRunning()) return;
    for (const notebook of vscode.workspace.notebookDocuments)
      synchronize(client, notebook).catch((error) => client.error(`${notebook.uri} is not followed.`, error, false));
  };
  return {
    fillClientCapabilities() {},
    initialize() {
      subscriptions = [
        client.onDidChangeState(follow),
        vscode.window.tabGroups.onDidChangeTabs(follow),
        vscode.window.onDidChangeVisibleNotebookEditors(follow),
      ];
    },
    getState: () => ({ kind: 'static' }),
    clear() {
      vscode.Disposable.from(...subscriptions).dispose();
    },
  };
}

async function synchronize(client: BaseLanguageClient, notebook: vscode.NotebookDocument): Promise<void> {
  // An interactive window has no identifiable tab.
  if (notebook.notebookType !== 'jupyter-notebook' || notebook.cellCount === 0) return;
  const feature = client.getFeature(NotebookDocumentSyncRegistrationType.method);
  const server = feature.getProvider(notebook.cellAt(0));
  if (!server) return;
  const isOpen = server.getSynchronizedCells(notebook) !== undefined;
  if (isShown(notebook) === isOpen) return;
  await (isOpen ? server.sendDidCloseNotebookDocument(notebook) : server.sendDidOpenNotebookDocument(notebook));
}

/** True if it has a tab, even in the background, or is shown without one. */
function isShown({ uri }: vscode.NotebookDocument): boolean {
  const isIts = (other: vscode.Uri) => other.toString() === uri.toString();
  const isItsTab = ({ input }: vscode.Tab) => {
    if (input instanceof vscode.TabInputNotebookDiff) return isIts(input.original) || isIts(input.modified);
    return input instanceof vscode.TabInputNotebook && isIts(input.uri);
  };
  return (
    vscode.window.visibleNotebookEditors.some(({ notebook }) => isIts(notebook.uri)) ||
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isItsTab))
  );
}
