import * as vscode from 'vscode';
import { INSPECT_CHECKPOINT } from '../../server/src/protocol.ts';
import { copyTensorName, inspectCheckpoint } from './checkpointEditor.ts';
import { showPage } from './page.ts';
import { recordStack } from './recordStack.ts';
import type { Server } from './server.ts';
import type { StackDocument } from './stackDocument.ts';
import { copy, showStackMenu } from './stackMenu.ts';

export function registerCommands(
  context: vscode.ExtensionContext,
  server: Server,
  stackDocument: StackDocument,
  log: vscode.LogOutputChannel,
): vscode.Disposable[] {
  const { registerCommand } = vscode.commands;
  return [
    registerCommand('gpuDoctor.stackMenu', () => showStackMenu(server, (address) => showPage(context, address))),
    registerCommand('gpuDoctor.showPage', (address: string) => showPage(context, address)),
    registerCommand('gpuDoctor.showStack', () => stackDocument.show()),
    registerCommand('gpuDoctor.copyStack', async () =>
      copy(await server.shareableStack(), 'The GPU report is on the clipboard'),
    ),
    registerCommand('gpuDoctor.refreshStack', () =>
      vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: 'Reading the GPU stack' }, () =>
        server.refreshStack(),
      ),
    ),
    registerCommand('gpuDoctor.recordStack', () => recordStack(server)),
    registerCommand('gpuDoctor.selectInterpreter', selectInterpreter),
    registerCommand(INSPECT_CHECKPOINT, inspectCheckpoint),
    registerCommand('gpuDoctor.copyTensorName', copyTensorName),
    registerCommand('gpuDoctor.restartServer', () => server.restart()),
    registerCommand('gpuDoctor.showLogs', () => log.show()),
  ];
}

/** With the Python extension in its way, else by the setting. */
async function selectInterpreter(): Promise<void> {
  const ofPython = 'python.setInterpreter';
  const commands = await vscode.commands.getCommands(true);
  if (commands.includes(ofPython)) await vscode.commands.executeCommand(ofPython);
  else await vscode.commands.executeCommand('workbench.action.openSettings', 'gpuDoctor.interpreter');
}
