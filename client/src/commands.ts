import * as vscode from 'vscode';
import type { Server } from './server.ts';
import type { StackDocument } from './stackDocument.ts';

export function registerCommands(
  server: Server,
  stackDocument: StackDocument,
  log: vscode.LogOutputChannel,
): vscode.Disposable[] {
  const { registerCommand } = vscode.commands;
  return [
    registerCommand('gpuDoctor.showStack', () => stackDocument.show()),
    registerCommand('gpuDoctor.refreshStack', () =>
      vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: 'Reading the GPU stack' }, () =>
        server.refreshStack(),
      ),
    ),
    registerCommand('gpuDoctor.restartServer', () => server.restart()),
    registerCommand('gpuDoctor.showLogs', () => log.show()),
  ];
}
