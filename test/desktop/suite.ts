/**
 * Features that must work in any VS Code, tested through its own API: findings in a script and a notebook, a fix, and
 * the read-out. It runs in a desktop VS Code (`testDesktop.ts`) and in the workbench of the editor tests.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

/** Maximum time for one step on a busy machine, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** Entry point for VS Code. Also writes the outcome to a file `result` in its own folder. */
export async function run(): Promise<void> {
  const result = await suite().then(
    () => 'passed',
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  await writeFile(path.join(__dirname, 'result'), result);
  if (result !== 'passed') throw new Error(result);
}

/** Entry point for the workbench, which loads the suite as an extension. */
export function activate(): void {
  run().catch(() => {});
}

async function suite(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(folder, 'a folder is open');

  const script = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, 'load.py'));
  await vscode.window.showTextDocument(script);
  const [finding] = await findingsIn(script.uri, 1);
  assert.equal(codeOf(finding), 'GPU101');
  // VS Code cancels the request if the window changes meanwhile.
  const preferred = await until(async () => {
    const actions = await vscode.commands
      .executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        script.uri,
        finding?.range,
        vscode.CodeActionKind.QuickFix.value,
        5,
      )
      .then(undefined, () => []);
    return actions.find(({ isPreferred }) => isPreferred);
  });
  assert.ok(preferred.edit, `${preferred.title} has an edit`);
  await vscode.workspace.applyEdit(preferred.edit);
  await findingsIn(script.uri, 0);
  assert.match(script.getText(), /map_location="cpu"/);
  await script.save();

  const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.joinPath(folder, 'load.ipynb'));
  await vscode.window.showNotebookDocument(notebook);
  const [inCell] = await findingsIn(notebook.cellAt(1).document.uri, 1);
  assert.equal(codeOf(inCell), 'GPU101');

  await vscode.commands.executeCommand('gpuDoctor.openReport');
  await until(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes('GPU Stack') || undefined);
}

function codeOf(finding: vscode.Diagnostic | undefined): unknown {
  return typeof finding?.code === 'object' ? finding.code.value : finding?.code;
}

/** Our findings in a document, once there are `count` of them. */
function findingsIn(uri: vscode.Uri, count: number): Promise<vscode.Diagnostic[]> {
  return until(() => {
    const ours = vscode.languages.getDiagnostics(uri).filter(({ source }) => /gpu.?doctor/i.test(source ?? ''));
    return ours.length === count ? ours : undefined;
  });
}

/** Polls until there is an answer. */
async function until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`nothing came of: ${ask}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
