import path from 'node:path';
import * as vscode from 'vscode';
import { APPLY_REMEDY, EXPLAIN, type ExplainAnswer, type ExplainRequest } from '../../server/src/protocol.ts';
import type { FromExplanation, ToExplanation } from '../webview/explanationMessages.ts';
import { copy, putIntoTerminal } from './commandLines.ts';
import { showPage } from './page.ts';
import { repairInCopy } from './repairInCopy.ts';
import type { Server } from './server.ts';
import { webviewFolder, webviewPage } from './webviewPage.ts';

export interface ExplanationPage extends vscode.Disposable {
  /**
   * Shows the explanation or the possible causes of an error, in a single reused tab. `command` is the command line that
   * failed.
   */
  show(request: ExplainRequest, answer: ExplainAnswer, command?: string): void;
}

interface Shown {
  readonly request: ExplainRequest;
  readonly answer: ExplainAnswer;
  readonly command?: string;
}

/** The page that explains an error. A webview displays it; its buttons are handled here. */
export function createExplanationPage(context: vscode.ExtensionContext, server: Server): ExplanationPage {
  const folder = webviewFolder(context);
  let panel: vscode.WebviewPanel | undefined;
  let shown: Shown | undefined;

  const tell = async () => {
    if (!panel || !shown) return;
    const { answer } = shown;
    const opens = (await lineOf(shown)) !== undefined;
    const file = vscode.workspace.asRelativePath(locationIn(answer)?.file ?? '');
    const trusted = vscode.workspace.isTrusted;
    const canRepair = trusted && commandOf(shown) !== undefined;
    const message: ToExplanation = { ...answer, file, opens, trusted, canRepair };
    void panel.webview.postMessage(message);
  };
  const apply = async ({ request }: Shown, remedy: string) => {
    if (!(await server.request(APPLY_REMEDY, { error: request, remedy }))) {
      const sentence = 'No edit applied: the code has changed since it failed.';
      void vscode.window.showInformationMessage(sentence);
      return;
    }
    vscode.window.setStatusBarMessage('$(check) Edit applied', 5000);
    await again(request);
  };
  /** Explains the shown error again, with what has changed since. */
  const again = async (request: ExplainRequest) => {
    const before = shown;
    const answer = await server.request(EXPLAIN, request);
    if (before !== undefined && shown === before && answer.explanation) shown = { ...before, request, answer };
    await tell();
  };
  const repair = async (failed: Shown) => {
    const command = commandOf(failed);
    if (command === undefined || !vscode.workspace.isTrusted) return;
    await repairInCopy(context, command, 'folder' in failed.request ? failed.request.folder : undefined);
  };
  const received = async (message: FromExplanation) => {
    if (!shown) return;
    switch (message.kind) {
      case 'ready':
        return tell();
      case 'apply':
        return apply(shown, message.remedy);
      case 'answer':
        return again({
          ...shown.request,
          answers: { ...shown.request.answers, [message.cause]: message.applies },
        });
      case 'repair':
        return repair(shown);
      case 'terminal':
        return vscode.workspace.isTrusted ? putIntoTerminal(message.command) : undefined;
      case 'copy':
        return copy(message.text, 'Copied');
      case 'page':
        return showPage(message.address);
      case 'open':
        return open(await lineOf(shown));
    }
  };
  const create = () => {
    const options = { enableScripts: true, localResourceRoots: [folder] };
    const made = vscode.window.createWebviewPanel('gpuDoctor.explanation', TITLE, vscode.ViewColumn.Active, options);
    made.webview.onDidReceiveMessage(received);
    made.onDidDispose(() => {
      panel = undefined;
    });
    made.webview.html = webviewPage(made.webview, folder, 'explanation', TITLE);
    return made;
  };
  const trust = vscode.workspace.onDidGrantWorkspaceTrust(() => void tell());
  return {
    show(request, answer, command) {
      shown = { request, answer, command };
      if (panel) panel.reveal();
      panel ??= create();
      panel.title = titleOf(answer);
      // A newly created page requests it.
      void tell();
    },
    dispose() {
      trust.dispose();
      panel?.dispose();
    },
  };
}

const TITLE = 'Explanation';

/** Number of characters of an unknown error that the title of a tab shows. */
const LONGEST_TITLE = 60;

function titleOf({ explanation, unknown }: ExplainAnswer): string {
  const error = explanation?.title ?? unknown?.message ?? '';
  const shown = error.length > LONGEST_TITLE ? `${error.slice(0, LONGEST_TITLE).trimEnd()}…` : error;
  return shown === '' ? TITLE : `${TITLE}: ${shown}`;
}

function locationIn({ explanation, unknown }: ExplainAnswer) {
  return explanation?.location ?? unknown?.location;
}

/**
 * The command line that failed, one that runs the failing script, or one that repeats the failed import of a cell;
 * undefined if there is none.
 */
function commandOf({ command, answer }: Shown): string | undefined {
  const { file, code } = locationIn(answer) ?? {};
  if (command !== undefined) return command;
  if (answer.python !== undefined)
    return /^(?:import|from) [^"]+$/.test(code ?? '') ? `"${answer.python}" -c "${code}"` : undefined;
  return file !== undefined && /\.py$/.test(file) ? `python ${file}` : undefined;
}

/** The failing line of a file; undefined if it does not exist. */
async function lineOf({ request, answer }: Shown): Promise<vscode.Location | undefined> {
  const location = locationIn(answer);
  const folder = 'folder' in request ? request.folder : undefined;
  if (!location || !/\.\w+$/.test(location.file)) return undefined;
  if (folder === undefined && !path.isAbsolute(location.file)) return undefined;
  const uri = vscode.Uri.file(path.resolve(folder ?? '', location.file));
  try {
    await vscode.workspace.fs.stat(uri);
    return new vscode.Location(uri, new vscode.Position(Math.max(0, (location.line ?? 1) - 1), 0));
  } catch {
    return undefined;
  }
}

async function open(line: vscode.Location | undefined): Promise<void> {
  if (line) await vscode.window.showTextDocument(line.uri, { selection: line.range });
}
