import * as vscode from 'vscode';
import type { Server } from './server.ts';

/** Reports success or failure. */
export async function restart(server: Server, log: vscode.LogOutputChannel): Promise<void> {
  const start = performance.now();
  try {
    const options = { location: vscode.ProgressLocation.Window, title: 'Restarting GPU Doctor' };
    await vscode.window.withProgress(options, () => server.restart());
    log.info(`The server was restarted in ${(performance.now() - start).toFixed(0)} ms.`);
    vscode.window.setStatusBarMessage('$(check) GPU Doctor was restarted', 5000);
  } catch (error) {
    log.error(`The server did not restart: ${error}`);
    const show = 'Show Log';
    const chosen = await vscode.window.showErrorMessage(
      'GPU Doctor could not be restarted. See its log for the reason.',
      show,
    );
    if (chosen === show) log.show();
  }
}
