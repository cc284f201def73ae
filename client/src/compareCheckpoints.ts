import path from 'node:path';
import * as vscode from 'vscode';
import { COMPARE_CHECKPOINTS } from '../../server/src/protocol.ts';
import { chooseCheckpoint } from './checkpointFiles.ts';
import type { Server } from './server.ts';

const SCHEME = 'gpu-doctor-checkpoint';

/**
 * Registers the command that compares two checkpoints in VS Code's diff editor. The explorer passes the clicked file and
 * all selected ones; the user is asked for missing ones.
 */
export function registerCheckpointComparisons(server: Server): vscode.Disposable {
  /** The displayed texts, by URI, until their editor is closed. */
  const texts = new Map<string, string>();
  let count = 0;
  const compare = async (clicked?: vscode.Uri, selected: readonly vscode.Uri[] = []) => {
    const pair = await twoFiles(selected.length === 2 ? selected : clicked ? [clicked] : []);
    if (!pair) return;
    const names = pair.map(({ fsPath }) => path.basename(fsPath)) as [string, string];
    const { texts: compared, trouble = '' } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: `Comparing ${names[0]} and ${names[1]}` },
      () => server.request(COMPARE_CHECKPOINTS, { paths: [pair[0].fsPath, pair[1].fsPath] }),
    );
    if (!compared) {
      void vscode.window.showErrorMessage(trouble.replaceAll('`', ''));
      return;
    }
    const query = `${++count}`;
    const [left, right] = compared.map((text, index) => {
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${index}/${names[index]}.txt`, query });
      texts.set(uri.toString(), text);
      return uri;
    }) as [vscode.Uri, vscode.Uri];
    await vscode.commands.executeCommand('vscode.diff', left, right, `${names[0]} ↔ ${names[1]}`);
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand('gpuDoctor.compareCheckpoints', compare),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void texts.delete(uri.toString())),
  );
}

async function twoFiles(given: readonly vscode.Uri[]): Promise<readonly [vscode.Uri, vscode.Uri] | undefined> {
  const first = given[0] ?? (await chooseCheckpoint('Compare Checkpoints: First'));
  const second = given[1] ?? (first && (await chooseCheckpoint('Compare Checkpoints: Second', first)));
  return first && second && [first, second];
}
