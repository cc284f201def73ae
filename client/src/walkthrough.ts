import * as vscode from 'vscode';
import { INSPECT_CHECKPOINT } from '../../server/src/protocol.ts';

/** The program in the walkthrough's picture: a move that is guarded, and a load that is not. */
const EXAMPLE = `import torch
from torchvision.models import resnet18

model = resnet18()
model.load_state_dict(torch.load("resnet18.pt"))
if torch.cuda.is_available():
    model.cuda()
`;

/** Milliseconds until the example's findings are there. */
const MAX_WAIT_MS = 10_000;

/** Registers the commands behind the walkthrough's buttons, which open an example and write no file. */
export function registerWalkthrough(
  { extensionUri }: vscode.ExtensionContext,
  opened: () => void = () => {},
): vscode.Disposable {
  const { registerCommand, executeCommand } = vscode.commands;
  const openExample = async () => {
    opened();
    const isExample = (document: vscode.TextDocument) => document.isUntitled && document.getText() === EXAMPLE;
    const document =
      vscode.workspace.textDocuments.find(isExample) ??
      (await vscode.workspace.openTextDocument({ language: 'python', content: EXAMPLE }));
    return vscode.window.showTextDocument(document);
  };
  return vscode.Disposable.from(
    registerCommand('gpuDoctor.openExample', openExample),
    registerCommand('gpuDoctor.showExampleFixes', async () => {
      const editor = await openExample();
      const finding = await firstFinding(editor.document.uri);
      if (finding) editor.selection = new vscode.Selection(finding.range.start, finding.range.start);
      await executeCommand('editor.action.quickFix');
    }),
    registerCommand('gpuDoctor.openExampleCheckpoint', () =>
      executeCommand(INSPECT_CHECKPOINT, vscode.Uri.joinPath(extensionUri, 'images', 'walkthrough', 'digits.pt')),
    ),
  );
}

/** Waits for the findings of a document; undefined if there are none. */
function firstFinding(uri: vscode.Uri): Promise<vscode.Diagnostic | undefined> {
  return new Promise((resolve) => {
    const look = () => {
      const [first] = vscode.languages.getDiagnostics(uri);
      if (first) finish(first);
    };
    const listening = vscode.languages.onDidChangeDiagnostics(look);
    const timer = setTimeout(() => finish(undefined), MAX_WAIT_MS);
    const finish = (finding: vscode.Diagnostic | undefined) => {
      listening.dispose();
      clearTimeout(timer);
      resolve(finding);
    };
    look();
  });
}
