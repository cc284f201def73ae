/** Entry of the extension if VS Code runs only in a browser, as on vscode.dev. It checks code, but not machines. */
import * as vscode from 'vscode';
import { SHOW_PAGE } from '../../server/src/protocol.ts';
import { checkWorkspace, registerTasks } from './checkWorkspace.ts';
import { createConfigurationFile } from './configurationFile.ts';
import { registerPages, showPage } from './page.ts';
import { restart } from './restart.ts';
import { createServer } from './server.ts';
import { startWhenNeeded } from './startServer.ts';
import { registerWalkthrough } from './walkthrough.ts';
import { registerNeedsMachine } from './web/needsMachine.ts';
import { workerHost } from './web/workerHost.ts';

let stop: (() => Promise<void>) | undefined;

/** Returns before the server has started, so that it delays nothing in the editor. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('GPU Doctor', { log: true });
  const host = workerHost();
  const server = createServer(context, log, host);
  const { registerCommand } = vscode.commands;
  stop = () => server.stop();
  context.subscriptions.push(
    log,
    registerPages(server),
    registerWalkthrough(context),
    registerTasks(server),
    registerNeedsMachine(),
    registerCommand(SHOW_PAGE, showPage),
    registerCommand('gpuDoctor.createConfigurationFile', () => createConfigurationFile(server)),
    registerCommand('gpuDoctor.checkWorkspace', () => checkWorkspace(server)),
    registerCommand('gpuDoctor.restartServer', () => restart(server, log)),
    registerCommand('gpuDoctor.showLogs', () => log.show()),
    // The server has received the files of these folders.
    vscode.workspace.onDidChangeWorkspaceFolders(() => void restart(server, log)),
    startWhenNeeded(host.fileSchemes, () => {
      void server.start().catch((error) => log.error(`The server did not start: ${error}`));
    }),
  );
}

export function deactivate(): Promise<void> | undefined {
  return stop?.();
}
