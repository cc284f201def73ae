/**
 * What must work in any VS Code, asked through its own interface: findings in a script and a notebook, a fix, and the
 * read-out. A desktop's VS Code runs it (`run.ts`), and so does the workbench of the editor tests.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

/** How long the editor may take for one step on a busy machine, in milliseconds. */
const PATIENCE = 60_000;

/** Entered by VS Code. What came of it is written into a file `result` beside it as well. */
export async function run(): Promise<void> {
  const result = await suite().then(
    () => 'passed',
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  await writeFile(path.join(__dirname, 'result'), result);
  if (result !== 'passed') throw new Error(result);
}

/** Entered by the workbench, which has the suite as an extension. */
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
  // VS Code withdraws the question where something of the window changes meanwhile.
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

  await vscode.commands.executeCommand('gpuDoctor.showStack');
  await until(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes('GPU Stack') || undefined);
}

function codeOf(finding: vscode.Diagnostic | undefined): unknown {
  return typeof finding?.code === 'object' ? finding.code.value : finding?.code;
}

/** Our findings in a document, once there are that many. */
function findingsIn(uri: vscode.Uri, count: number): Promise<vscode.Diagnostic[]> {
  return until(() => {
    const ours = vscode.languages.getDiagnostics(uri).filter(({ source }) => /gpu.?doctor/i.test(source ?? ''));
    return ours.length === count ? ours : undefined;
  });
}

/** Asks again until there is an answer. */
async function until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`nothing came of: ${ask}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
