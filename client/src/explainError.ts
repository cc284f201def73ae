import * as vscode from 'vscode';
import { ERROR_LINE, EXPLAIN, EXPLAIN_ERROR, type ExplainRequest } from '../../server/src/protocol.ts';
import { createExplanationPage } from './explanationPage.ts';
import type { Server } from './server.ts';

export interface ErrorExplainer extends vscode.Disposable {
  /**
   * Shows the explanation of an error, or its possible causes; reports if neither is known. `command` is the command
   * line that failed.
   */
  explain(request: ExplainRequest, command?: string): Promise<void>;
}

/** Explains errors on a page, and registers the command for it. */
export function registerExplanations(
  context: vscode.ExtensionContext,
  server: Server,
  folder: () => Promise<vscode.WorkspaceFolder | undefined>,
): ErrorExplainer {
  const page = createExplanationPage(context, server);
  const explain = async (asked: ExplainRequest, command?: string) => {
    const request = 'text' in asked ? { folder: (await folder())?.uri.fsPath, ...asked } : asked;
    const options = { location: vscode.ProgressLocation.Window, title: 'Explaining the error' };
    const answer = await vscode.window.withProgress(options, () => server.request(EXPLAIN, request));
    if (answer.explanation || (answer.unknown?.suspicions.length ?? 0) > 0) return page.show(request, answer, command);
    const { message } = answer.unknown ?? {};
    const sentence = message
      ? `No explanation for "${message}". Copying the whole traceback may help.`
      : 'The text is empty: copy the error message or the whole traceback.';
    void vscode.window.showInformationMessage(sentence);
  };
  const command = vscode.commands.registerCommand(EXPLAIN_ERROR, async (request?: ExplainRequest) => {
    if (request) return explain(request);
    const text = await askForText(server);
    if (text) await explain({ text });
  });
  return { explain, dispose: () => vscode.Disposable.from(page, command).dispose() };
}

/** Returns the selected text or, if there is none, the text that the user chooses: the clipboard's or typed text. */
async function askForText(server: Server): Promise<string | undefined> {
  const { activeTextEditor } = vscode.window;
  const selected = activeTextEditor?.document.getText(activeTextEditor.selection).trim();
  if (selected) return selected;
  const copied = (await vscode.env.clipboard.readText()).trim();
  const typeIn = () =>
    vscode.window.showInputBox({ title: TITLE, prompt: 'Paste the error message or the whole traceback' });
  if (!copied) return typeIn();
  const picks = server.request(ERROR_LINE, copied).then((error) => [
    { label: '$(clippy) Explain the clipboard', detail: error?.slice(0, 200) ?? '', text: async () => copied },
    { label: '$(edit) Paste or type an error…', text: typeIn },
  ]);
  return (await vscode.window.showQuickPick(picks, { title: TITLE }))?.text();
}

const TITLE = 'Explain Error';
