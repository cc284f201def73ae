import * as vscode from 'vscode';
import { EXPLAIN, EXPLAIN_ERROR, type ExplainRequest } from '../../server/src/protocol.ts';
import { createExplanationPage } from './explanationPage.ts';
import type { Server } from './server.ts';

export interface ErrorExplainer extends vscode.Disposable {
  /** Shows the explanation of an error, or its possible causes; reports if neither is known. */
  explain(request: ExplainRequest): Promise<void>;
}

/** Explains errors on a page, and registers the command for it. */
export function registerExplanations(
  context: vscode.ExtensionContext,
  server: Server,
  folder: () => Promise<vscode.WorkspaceFolder | undefined>,
): ErrorExplainer {
  const page = createExplanationPage(context, server);
  const explain = async (asked: ExplainRequest) => {
    const request = 'text' in asked ? { folder: (await folder())?.uri.fsPath, ...asked } : asked;
    const options = { location: vscode.ProgressLocation.Window, title: 'Explaining the error' };
    const answer = await vscode.window.withProgress(options, () => server.request(EXPLAIN, request));
    if (answer.explanation || (answer.unknown?.suspicions.length ?? 0) > 0) return page.show(request, answer);
    const { message } = answer.unknown ?? {};
    const taken = message ? ` This line was taken for it: ${message}` : '';
    void vscode.window.showInformationMessage(`Nothing is known of this error.${taken}`);
  };
  const command = vscode.commands.registerCommand(EXPLAIN_ERROR, async (request?: ExplainRequest) => {
    if (request) return explain(request);
    const text = await askForText();
    if (text) await explain({ text });
  });
  return { explain, dispose: () => vscode.Disposable.from(page, command).dispose() };
}

/** The selected text, otherwise the user's choice: the clipboard, or typed text. */
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
