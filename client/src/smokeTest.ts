import * as vscode from 'vscode';
import type { Server } from './server.ts';

const ADDRESS = vscode.Uri.from({ scheme: 'gpu-doctor-smoke-test', path: 'GPU Smoke Test.md' });

/** The command that tests the GPUs, with progress that can be canceled, and shows the result as a rendered document. */
export function registerSmokeTest(server: Server): vscode.Disposable {
  let latest = '';
  const changed = new vscode.EventEmitter<vscode.Uri>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(ADDRESS.scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: () => latest,
    }),
    vscode.commands.registerCommand('gpuDoctor.smokeTest', async () => {
      const document = await runSmokeTest(server);
      if (document === undefined) return;
      latest = document;
      changed.fire(ADDRESS);
      await vscode.commands.executeCommand('markdown.showPreview', ADDRESS);
    }),
  );
}

/** The result as Markdown; undefined if it was canceled or failed, which a message reports. */
async function runSmokeTest(server: Server): Promise<string | undefined> {
  const options = { location: vscode.ProgressLocation.Notification, title: 'Testing the GPUs', cancellable: true };
  return vscode.window.withProgress(options, async (progress, cancellation) => {
    try {
      const tell = (message: string) => progress.report({ message });
      return (await server.smokeTest(tell, cancellation)).document;
    } catch (error) {
      if (!cancellation.isCancellationRequested) void vscode.window.showErrorMessage((error as Error).message);
      return undefined;
    }
  });
}
