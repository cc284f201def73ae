import * as vscode from 'vscode';
import type { Server } from './server.ts';

const ADDRESS = vscode.Uri.from({ scheme: 'gpu-doctor-explanation', path: 'Why It Failed.md' });

export interface ErrorExplainer extends vscode.Disposable {
  /** Shows the explanation of an error; says so where nothing is known of it. */
  explain(text: string): Promise<void>;
}

/** Shows explanations as a rendered document, the latest one, and has the command that asks for one. */
export function registerExplanations(
  server: Server,
  folder: () => Promise<vscode.WorkspaceFolder | undefined>,
): ErrorExplainer {
  let latest = '';
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const explain = async (text: string) => {
    const inUse = await folder();
    const options = { location: vscode.ProgressLocation.Window, title: 'Explaining the error' };
    const { document, line } = await vscode.window.withProgress(options, () =>
      server.explain({ text, folder: inUse?.uri.fsPath }),
    );
    if (document === undefined) {
      const taken = line ? ` This line was taken for it: ${line}` : '';
      void vscode.window.showInformationMessage(`Nothing is known of this error.${taken}`);
      return;
    }
    latest = document;
    changed.fire(ADDRESS);
    await vscode.commands.executeCommand('markdown.showPreview', ADDRESS);
  };
  const registrations = vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(ADDRESS.scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: () => latest,
    }),
    vscode.commands.registerCommand('gpuDoctor.explainError', async () => {
      const text = await askForText();
      if (text) await explain(text);
    }),
  );
  return { explain, dispose: () => registrations.dispose() };
}

/** What is selected, else what the user chooses: what is on the clipboard, or a text that is typed in. */
async function askForText(): Promise<string | undefined> {
  const { activeTextEditor } = vscode.window;
  const selected = activeTextEditor?.document.getText(activeTextEditor.selection).trim();
  if (selected) return selected;
  const copied = (await vscode.env.clipboard.readText()).trim();
  const typeIn = () =>
    vscode.window.showInputBox({ title: 'Explain an Error', prompt: 'The error, as it was printed' });
  if (!copied) return typeIn();
  const first = copied.split('\n').at(-1)?.slice(0, 200) ?? '';
  const picks = [
    { label: '$(clippy) What is on the clipboard', detail: first, text: async () => copied },
    { label: '$(edit) Another text…', text: typeIn },
  ];
  return (await vscode.window.showQuickPick(picks, { title: 'Explain an Error' }))?.text();
}
