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

/** Returns the selected text or, if there is none, the clipboard's or what the user pastes into the list. */
async function askForText(server: Server): Promise<string | undefined> {
  const { activeTextEditor } = vscode.window;
  const selected = activeTextEditor?.document.getText(activeTextEditor.selection).trim();
  if (selected) return selected;
  const copied = (await vscode.env.clipboard.readText()).trim();
  const detail = copied ? ((await server.request(ERROR_LINE, copied)) ?? '').slice(0, 200) : '';
  const picker = vscode.window.createQuickPick();
  picker.title = TITLE;
  picker.placeholder = 'Paste or type the error message or the whole traceback';
  const clipboard = copied ? [{ label: '$(clippy) Explain the clipboard', detail, alwaysShow: true }] : [];
  picker.items = clipboard;
  picker.onDidChangeValue((value) => {
    const typed = { label: '$(edit) Explain this text', detail: value.slice(0, 200), alwaysShow: true };
    picker.items = value.trim() ? [typed] : clipboard;
  });
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      const isOwn = sameWords(picker.value, copied) || !picker.value.trim();
      resolve(isOwn ? copied : picker.value);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

/** True for a text that was pasted into the list, which keeps no line breaks. */
function sameWords(one: string, other: string): boolean {
  return one.replace(/\s+/g, '') === other.replace(/\s+/g, '');
}

const TITLE = 'Explain Error';
